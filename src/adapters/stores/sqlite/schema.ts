import type { Generated } from 'kysely';

/** The types of the tables for kysely. The migrations create the tables. */
export interface Schema {
  notes: { key: string; value: string };
  events: {
    seq: Generated<number>;
    at: string;
    host_id: string;
    agent_id: number | null;
    run_id: number | null;
    type: string;
    data: string;
    dedupe_key: string | null;
    hash: string;
  };
  personas: {
    id: Generated<number>;
    slug: string;
    role: string;
    name: string;
    status: 'active' | 'archived';
    created_at: string;
  };
  projects: {
    id: Generated<number>;
    name: string;
    path: string;
    default_persona_id: number | null;
    state_stale_seq: number | null;
    created_at: string;
  };
  agents: {
    id: Generated<number>;
    host_id: string;
    session_uuid: string;
    runtime: string;
    project_id: number;
    persona_id: number | null;
    previous_agent_id: number | null;
    token_hash: string;
    state: string;
    started_at: string;
    ended_at: string | null;
    detail: string;
    unsettled: number | null;
    to_restore: number | null;
    had_personas: number | null;
  };
  effects: {
    id: Generated<number>;
    host_id: string;
    agent_id: number;
    run_id: number | null;
    kind: string;
    payload: string;
    state: 'pending' | 'claimed' | 'done';
    claimed_by: string | null;
    epoch: Generated<number>;
    attempts: Generated<number>;
    created_at: string;
    claimed_at: string | null;
    done_at: string | null;
  };
  handoff_runs: {
    id: Generated<number>;
    host_id: string;
    agent_id: number;
    successor_agent_id: number | null;
    step: string;
    detail: string;
    created_at: string;
    updated_at: string;
  };
  handoffs: {
    id: Generated<number>;
    agent_id: number;
    reason: string;
    file_path: string | null;
    injection_prompt: string | null;
    created_at: Generated<string>;
  };
  inbox: {
    id: Generated<number>;
    key: string;
    kind: string;
    agent_id: number | null;
    run_id: number | null;
    sentence: string;
    hint: string;
    opened_at: string;
    current: number;
    resolved_at: string | null;
    resolution: string | null;
    notified_at: string | null;
    notified: string;
  };
  runs_to_tell: { run_id: number };
  package_numbers: { year: number; last: number };
  packages: {
    number: Generated<number>;
    id: string;
    project_id: number;
    root: string;
    from_agent: string;
    to_agent: string;
    state: string;
    due_at: string | null;
    seq: number;
    written_seq: number | null;
    create_key: string | null;
    created_at: string;
    in_flight: number;
    detail: string;
    type: string | null;
    words: string | null;
    filled: number | null;
    mark_tell: string | null;
    mark_sender: string | null;
    mark_receiver: string | null;
    mark_waits: string | null;
    mark_start: string | null;
    mark_started: string | null;
    mark_work: string | null;
    mark_step: string | null;
    mark_gate: string | null;
  };
  page_sessions: { token_hash: string; created_on: string; used_on: string };
  prompt_texts: {
    id: Generated<number>;
    ref: string;
    agent_id: number;
    run_id: number | null;
    purpose: string;
    text: string;
    outcome: string | null;
    at: string | null;
  };
  worktrees: { id: Generated<number>; project_id: number; name: string; state: string; detail: string };
  session_candidates: { runtime: string; session_id: string; last_seen_at: string; detail: string };
}
