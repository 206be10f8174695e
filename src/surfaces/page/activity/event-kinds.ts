import type { Event } from '../../../contract/resources.ts';

export type Kind = 'agent' | 'handoff' | 'package' | 'inbox' | 'messages' | 'server';

/** The event types of each kind, by which the server filters. A type missing here shows only under "All kinds". */
const TYPES: Readonly<Record<Kind, readonly string[]>> = {
  agent: [
    'agent_created',
    'agent_launched',
    'agent_launch_failed',
    'agent_adopted',
    'agent_adoption_failed',
    'agent_released',
    'agent_state_changed',
    'agent_warning',
    'agent_said_idle',
    'agent_seen_idle',
    'agent_seen_working',
    'agent_seen_asking',
    'agent_process_gone',
    'agent_pane_lost',
    'agent_interrupted',
    'agent_stop_asked',
    'agent_start_overdue',
    'session_started',
    'session_ended',
    'prompt_submitted',
    'prompt_found_in_transcript',
    'prompt_typed',
    'tool_used',
    'input_requested',
    'turn_ended',
    'turn_failed',
    'compaction_started',
    'compaction_ended',
    'context_measured',
    'terminal_taken',
    'terminal_returned',
    'persona_given',
    'agent_muted',
    'persona_changed',
    'skill_absent',
    'priming_failed',
    'agent_resumed',
    'restore_wanted',
    'restore_failed',
    'restore_closed',
  ],
  handoff: [
    'handoff_progress',
    'handoff_warning',
    'handoff_error',
    'handoff_complete',
    'handoff_undone',
    'handoff_acknowledged',
    'acknowledgement_denied',
    'operator_chose',
    'document_place_prepared',
    'document_evidence_seen',
    'document_checked',
    'document_found_otherwise',
    'late_document_seen',
    'successor_can_start',
    'successor_cannot_start',
    'effect_failed',
    'clock_ticked',
  ],
  package: [
    'package_created',
    'package_edited',
    'package_waived',
    'package_sealed',
    'package_announced',
    'package_receiver_started',
    'package_held_up',
    'package_read',
    'package_delivery_seen',
    'package_gate_opened',
    'package_acknowledged',
    'package_answered',
    'package_declined',
    'package_decided',
    'package_content_seen',
    'package_gate_passed',
    'package_progressed',
    'package_completed',
    'package_failed',
    'package_session_ended',
    'package_cancelled',
    'package_superseded',
    'package_clock_ticked',
  ],
  inbox: ['inbox_opened', 'inbox_resolved', 'inbox_held', 'operator_notified'],
  messages: [
    'message_begun',
    'message_overdue',
    'message_verdict',
    'answer_begun',
    'answer_given',
    'answer_overdue',
    'answer_verdict',
  ],
  server: [
    'server_started',
    'baton_trouble',
    'spool_overflowed',
    'settings_changed',
    'persona_registered',
    'persona_edited',
    'persona_archived',
    'persona_restored',
    'persona_text_saved',
    'project_added',
    'history_purged',
    'worktree_planned',
    'worktree_created',
    'worktree_dropped',
    'worktree_removed',
    'project_default_persona_changed',
    'own_session_seen',
  ],
};

export const KINDS: readonly { readonly kind: Kind; readonly title: string }[] = [
  { kind: 'agent', title: 'Agents' },
  { kind: 'handoff', title: 'Handoffs' },
  { kind: 'package', title: 'Packages' },
  { kind: 'inbox', title: 'Inbox' },
  { kind: 'messages', title: 'Messages' },
  { kind: 'server', title: 'Baton' },
];

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  KINDS.flatMap(({ kind }) => TYPES[kind].map((type) => [type, kind] as const)),
);

export const kindOf = (type: string): Kind | undefined => KIND_OF.get(type);

const BAD_NEWS: ReadonlySet<string> = new Set([
  'agent_launch_failed',
  'agent_adoption_failed',
  'agent_process_gone',
  'agent_pane_lost',
  'agent_start_overdue',
  'turn_failed',
  'priming_failed',
  'restore_failed',
  'worktree_dropped',
  'handoff_error',
  'successor_cannot_start',
  'effect_failed',
  'package_failed',
  'baton_trouble',
  'spool_overflowed',
]);

export const isBadNews = (type: string): boolean => BAD_NEWS.has(type);

export interface EventFilter {
  readonly agent: number | null;
  readonly run: number | null;
  readonly kind: Kind | null;
}

export const EVERYTHING: EventFilter = { agent: null, run: null, kind: null };

/** Filters live events by the same rule as the server. */
export const isWanted = ({ agent, run, kind }: EventFilter, event: Event): boolean =>
  (agent === null || event.agent_id === agent) &&
  (run === null || event.run_id === run) &&
  (kind === null || kindOf(event.type) === kind);

/** Newest first, so that `before` pages back in time. */
export function eventsQueryString({ agent, run, kind }: EventFilter, limit: number, before?: number): string {
  const query = new URLSearchParams({ order: 'desc', limit: String(limit) });
  if (agent !== null) query.set('agent', String(agent));
  if (run !== null) query.set('run', String(run));
  if (kind !== null) query.set('type', TYPES[kind].join(','));
  if (before !== undefined) query.set('before', String(before));
  return query.toString();
}
