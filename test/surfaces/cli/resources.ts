import type { Agent, Event, Run } from '../../../src/contract/resources.ts';

const AT = '2026-11-15T08:00:00.000Z';

export const anAgent = (changes: Partial<Agent> = {}): Agent => ({
  id: 3,
  session_uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  label: 'Con',
  runtime: 'practice',
  project: { id: 1, name: 'tally', path: '/src/tally' },
  persona: { slug: 'developer-con-1', name: 'Con', role: 'developer' },
  previous_agent_id: null,
  state: 'idle',
  state_reason: 'its turn ended',
  activity: null,
  question: null,
  handoff: { offered: false, why_not: 'Its context use is 62 %, and a handoff is offered from 80 % on' },
  context: { tier: 'fine', used_percent: 62.4, used_tokens: 1, window_tokens: 2, measured_at: AT },
  skill_injected_at: AT,
  tmux: { socket: '/home/tmux.sock', session: 'agent-3', pane: '%1' },
  attach_command: 'tmux attach',
  run_id: null,
  started_at: AT,
  registered_at: AT,
  last_seen_at: AT,
  ended_at: null,
  ...changes,
});

export const aRun = (changes: Partial<Run> = {}): Run => ({
  id: 7,
  agent_id: 3,
  successor_agent_id: null,
  handoff_id: null,
  reason: 'context_limit',
  note: null,
  step: 'instructing',
  over: false,
  failure: null,
  actions: [],
  attempt: 1,
  emergency: false,
  review: 'not_wanted',
  late_document: false,
  findings: [],
  git: null,
  brought_back_agent_id: null,
  compact_summary: null,
  last_refusal: null,
  document: null,
  compacted_since_instruction: false,
  warnings: [],
  acknowledged: false,
  acknowledgement: null,
  deadline_at: null,
  paused_since: null,
  steps: [
    { step: 'requested', entered_at: AT, attempt: 1, ms: 12 },
    { step: 'instructing', entered_at: AT, attempt: 1, ms: null },
  ],
  created_at: AT,
  updated_at: AT,
  ...changes,
});

export const anEvent = (seq: number, changes: Partial<Event> = {}): Event => ({
  seq,
  at: AT,
  type: 'handoff_progress',
  agent_id: 3,
  run_id: 7,
  data: {},
  ...changes,
});

export const aHealth = {
  status: 'ok',
  version: '1.2.3',
  host_id: 'host',
  last_seq: 5,
  trouble: [] as string[],
} as const;
