import type { LintFinding } from './packages/lint/finding.ts';

/**
 * The reason why a request is refused. API, CLI and page show the same sentence. The domain returns a refusal and never
 * throws one.
 */
export interface Refusal {
  readonly code: RefusalCode;
  readonly sentence: string;
  /** The next step for the operator. Absent if the sentence makes the next step obvious. */
  readonly hint?: string;
  readonly runId?: number;
  readonly runStep?: string;
  /** The lint findings, if they are the reason for the refusal. */
  readonly findings?: readonly LintFinding[];
}

/**
 * The HTTP status of each refusal code, such as 409. The function `answerRefusal` in the HTTP surface sends this
 * status.
 */
export const REFUSAL_STATUS = {
  bad_request: 400,
  bad_persona_role: 400,
  bad_persona_name: 400,
  bad_project_path: 400,
  persona_not_found: 404,
  name_ambiguous: 409,
  persona_archived: 409,
  persona_text_changed: 409,
  template_changed: 409,
  template_unusable: 409,
  persona_text_unusable: 409,
  point_not_found: 404,
  lesson_not_found: 404,
  project_not_found: 404,
  runtime_unknown: 400,
  runtime_unavailable: 409,
  agent_not_found: 404,
  agent_not_active: 400,
  agent_has_no_persona: 400,
  agent_has_persona: 409,
  agent_has_no_pane: 400,
  agent_in_handoff: 409,
  agent_limited: 409,
  handoff_in_progress: 409,
  unknown_reason: 400,
  note_too_long: 400,
  run_not_found: 404,
  run_over: 409,
  action_not_possible: 409,
  newer_run_exists: 409,
  handoff_not_found: 404,
  candidate_not_found: 404,
  candidate_not_in_tmux: 409,
  candidate_gone: 409,
  candidate_hooks_old: 409,
  candidate_elsewhere: 409,
  already_adopted: 409,
  agent_not_adopted: 409,
  inbox_item_not_found: 404,
  inbox_item_not_restorable: 409,
  file_not_adoptable: 400,
  agent_still_active: 400,
  not_the_successor: 403,
  wrong_proof: 400,
  not_ready_for_ack: 409,
  package_not_found: 404,
  package_refused: 400,
  key_reused: 409,
  package_over: 409,
  package_not_possible: 409,
  not_sealable: 409,
  stale_content: 409,
  acknowledgement_incomplete: 409,
  agents_cannot_decide: 403,
  already_decided: 409,
  workflow_unusable: 409,
  gate_not_passed: 409,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unsupported_media_type: 415,
  too_large: 413,
  already_running: 409,
  bad_settings: 400,
  bad_template: 400,
  settings_file_unusable: 409,
  not_a_page: 409,
  host_not_allowed: 400,
  conversation_gone: 409,
  already_resumed: 409,
  successor_took_over: 409,
  resume_unsupported: 409,
  process_still_runs: 409,
  bad_worktree_name: 400,
  worktree_not_possible: 409,
  worktree_exists: 409,
  worktree_not_found: 404,
  worktree_gone: 409,
  worktree_in_use: 409,
  worktree_has_work: 409,
  not_in_fleet: 409,
  already_in_fleet: 409,
  not_the_hub: 409,
  bad_machine_name: 400,
  machine_not_found: 404,
  machine_exists: 409,
  machine_no_answer: 504,
  machine_answer_lost: 502,
  not_from_afar: 403,
  bad_invitation: 400,
  hub_unreachable: 503,
  hub_time_unknown: 503,
  fleet_halted: 409,
  nats_server_missing: 409,
  not_a_member: 403,
  bad_signature: 403,
  viewer_only: 403,
  commands_off: 403,
  command_expired: 409,
  command_interrupted: 409,
  too_many_requests: 429,
  http_version: 505,
  busy: 503,
} as const;

export type RefusalCode = keyof typeof REFUSAL_STATUS;

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'code' in value && 'sentence' in value;
