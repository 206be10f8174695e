import type { Selectable } from 'kysely';
import type { PackageInBrief, PendingEffect, Project } from '../../../app/ports/store.ts';
import type { Agent } from '../../../domain/agents/agent.ts';
import { causeInOldRow } from '../../../domain/agents/old-state-cause.ts';
import { mayBeRestored } from '../../../domain/agents/outage.ts';
import { isUnsettled } from '../../../domain/agents/unsettled.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { LoggedEvent } from '../../../domain/facts.ts';
import type { AutoHandoffsOnDay, HandoffPolicy } from '../../../domain/handoffs/policy/policy.ts';
import { type Handoff, NEW_RUN, type Reason, type Run, STEPS } from '../../../domain/handoffs/run.ts';
import type { InboxItem, InboxKind } from '../../../domain/inbox/inbox.ts';
import { inboxCause, inboxKey } from '../../../domain/inbox/inbox-cause.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { PromptText } from '../../../domain/messages/sent-prompt.ts';
import { MARKS, type Mark, marksOf } from '../../../domain/packages/package-marks.ts';
import { isTerminal, readRecord } from '../../../domain/packages/record.ts';
import { dueAt, type StoredPackage, wordsOf } from '../../../domain/packages/stored-package.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import type { RunsOn } from '../../../domain/personas/runs-on.ts';
import type { ExternalSession } from '../../../domain/sessions/external-session.ts';
import type { PageSession } from '../../../domain/sessions/page-session.ts';
import type { Worktree } from '../../../domain/worktrees/worktree.ts';
import { tmuxSessionName } from '../tmux-session-name.ts';
import type { Schema } from './schema.ts';

/**
 * Converts rows to objects and back. Values that are queried or constrained have their own columns; `detail` contains
 * the rest of the object.
 */
type Row<T extends keyof Schema> = Selectable<Schema[T]>;

export const toEvent = (row: Row<'events'>): LoggedEvent => ({
  seq: row.seq,
  at: row.at as Instant,
  hostId: row.host_id,
  agentId: row.agent_id,
  runId: row.run_id,
  type: row.type,
  data: JSON.parse(row.data) as Record<string, unknown>,
  hash: row.hash,
});

export const toPersona = (row: Row<'personas'>): Persona => ({
  id: row.id,
  slug: row.slug,
  role: row.role,
  name: row.name,
  status: row.status,
  ...runsOnIn(row),
  ...policyIn(row),
  ...(row.auto_handoffs === null ? {} : { autoHandoffs: JSON.parse(row.auto_handoffs) as AutoHandoffsOnDay }),
  createdAt: row.created_at as Instant,
});

const policyIn = ({
  handoff_policy: policy,
}: {
  readonly handoff_policy: string | null;
}): { readonly policy?: HandoffPolicy } => (policy === null ? {} : { policy: JSON.parse(policy) as HandoffPolicy });

/** Converts a value to JSON; null if there is no value. */
export const jsonOrNull = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

const runsOnIn = ({ runs_on: list }: { readonly runs_on: string | null }): { readonly runsOn?: readonly RunsOn[] } =>
  list === null ? {} : { runsOn: JSON.parse(list) as readonly RunsOn[] };

export const fromRunsOn = (list: readonly RunsOn[] | undefined): string | null =>
  list === undefined || list.length === 0 ? null : JSON.stringify(list);

export const toProject = (row: Row<'projects'>): Project => ({
  id: row.id,
  name: row.name,
  path: row.path,
  defaultPersonaId: row.default_persona_id,
  ...runsOnIn(row),
  ...policyIn(row),
  createdAt: row.created_at as Instant,
});

export const toWorktree = (row: Row<'worktrees'>): Worktree => ({
  ...(JSON.parse(row.detail) as Omit<Worktree, 'id' | 'projectId' | 'name' | 'state'>),
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  state: row.state as Worktree['state'],
});

export function fromWorktree({ projectId, name, state, ...rest }: Omit<Worktree, 'id'>) {
  const { id: _id, ...detail } = rest as typeof rest & Partial<Worktree>;
  return { project_id: projectId, name, state, detail: JSON.stringify(detail) };
}

type AgentColumns =
  | 'id'
  | 'hostId'
  | 'sessionUuid'
  | 'runtime'
  | 'projectId'
  | 'personaId'
  | 'previousAgentId'
  | 'tokenHash'
  | 'state'
  | 'startedAt'
  | 'endedAt';
type AgentDetail = Omit<Agent, AgentColumns | 'tmuxSession'>;

const OLD_ROWS_LACK: Partial<AgentDetail> = {
  resumesSession: null,
  clientPid: null,
  messages: [],
  question: null,
  answers: [],
};

export function toAgent(row: Row<'agents'>): Agent {
  const detail = JSON.parse(row.detail) as AgentDetail | Omit<AgentDetail, 'stateCause'>;
  const state = row.state as Agent['state'];
  return {
    ...OLD_ROWS_LACK,
    stateCause: causeInOldRow(state, detail.stateReason),
    ...detail,
    id: row.id,
    hostId: row.host_id,
    sessionUuid: row.session_uuid,
    runtime: row.runtime,
    projectId: row.project_id,
    personaId: row.persona_id,
    previousAgentId: row.previous_agent_id,
    tokenHash: row.token_hash,
    tmuxSession: tmuxSessionName(row.id),
    state,
    startedAt: row.started_at as Instant,
    endedAt: row.ended_at as Instant | null,
  };
}

/**
 * Returns a function that converts rows to objects, for lists that are read again and again, such as the live agents.
 * For an unchanged row, the function returns the object of the previous call. To compare a row takes less time than to
 * parse it.
 */
export function rememberRows<R extends { readonly id: number }, T>(to: (row: R) => T): (rows: readonly R[]) => T[] {
  let before = new Map<number, { readonly row: R; readonly value: T }>();
  return (rows) => {
    const known = before;
    before = new Map(
      rows.map((row) => {
        const last = known.get(row.id);
        return [row.id, last !== undefined && isSameRow(last.row, row) ? last : { row, value: to(row) }];
      }),
    );
    return rows.map(({ id }) => (before.get(id) as { readonly value: T }).value);
  };
}

function isSameRow<R extends object>(one: R, other: R): boolean {
  for (const column in other) if (one[column] !== other[column]) return false;
  return true;
}

export function fromAgent(agent: Omit<Agent, 'id' | 'hostId' | 'tmuxSession'>) {
  const { sessionUuid, runtime, projectId, personaId, previousAgentId, tokenHash, state, startedAt, endedAt, ...rest } =
    agent;
  // Callers may pass a whole agent. Remove the fields that have their own columns, so that `detail` does not store them
  // a second time.
  const { id: _id, hostId: _host, tmuxSession: _tmux, ...detail } = rest as typeof rest & Partial<Agent>;
  return {
    session_uuid: sessionUuid,
    runtime,
    project_id: projectId,
    persona_id: personaId,
    previous_agent_id: previousAgentId,
    token_hash: tokenHash,
    state,
    started_at: startedAt,
    ended_at: endedAt,
    unsettled: isUnsettled(agent) ? 1 : null,
    to_restore: mayBeRestored(agent) ? 1 : null,
    had_personas: (agent.wore ?? []).length > 0 ? 1 : null,
    detail: JSON.stringify(detail satisfies AgentDetail),
  };
}

const KNOWN_STEPS: readonly string[] = [...STEPS, 'completed', 'failed', 'cancelled'];

/**
 * Shows a run as failed if its step is unknown to this version of Baton. Another version of Baton wrote such a run, and
 * the unknown step must not crash the server.
 */
const unknownStep = (step: string): Pick<Run, 'step' | 'failure'> => ({
  step: 'failed',
  failure: {
    at: 'requested',
    code: 'unknown_step',
    sentence: `The handoff is at the step "${step}", which this version of Baton does not know.`,
    hint: 'Start the version of Baton that saved this step. Nothing was lost.',
  },
});

export function toRun(row: Row<'handoff_runs'>): Run {
  const detail = JSON.parse(row.detail) as Run;
  return {
    ...NEW_RUN,
    ...detail,
    // The runs that an early version of Baton stored have steps without an attempt number. All of these steps belong to
    // attempt 1.
    steps: detail.steps.map((each) => ({ ...each, attempt: each.attempt ?? 1 })),
    id: row.id,
    hostId: row.host_id,
    agentId: row.agent_id,
    successorAgentId: row.successor_agent_id,
    createdAt: row.created_at as Instant,
    updatedAt: row.updated_at as Instant,
    ...(KNOWN_STEPS.includes(row.step) ? { step: row.step as Run['step'] } : unknownStep(row.step)),
  };
}

export function fromRun(run: Omit<Run, 'id' | 'hostId'>) {
  const { agentId, successorAgentId, step, createdAt, updatedAt, ...detail } = run;
  return {
    agent_id: agentId,
    successor_agent_id: successorAgentId,
    step,
    created_at: createdAt,
    updated_at: updatedAt,
    detail: JSON.stringify(detail),
  };
}

export const toHandoff = (row: Row<'handoffs'>): Handoff => ({
  id: row.id,
  agentId: row.agent_id,
  reason: row.reason as Reason,
  filePath: row.file_path,
  injectionPrompt: row.injection_prompt,
  createdAt: row.created_at as Instant,
});

export const toInboxItem = (row: Row<'inbox'>): InboxItem => ({
  id: row.id,
  key: row.key,
  cause: inboxCause(row.key),
  kind: row.kind as InboxKind,
  agentId: row.agent_id,
  runId: row.run_id,
  sentence: row.sentence,
  hint: row.hint,
  openedAt: row.opened_at as Instant,
  current: row.current === 1,
  resolvedAt: row.resolved_at as Instant | null,
  resolution: row.resolution,
  notifiedAt: row.notified_at as Instant | null,
  notified: JSON.parse(row.notified) as Record<string, string>,
});

export const fromInboxItem = (item: Omit<InboxItem, 'id' | 'key'>) => ({
  key: inboxKey(item.cause),
  kind: item.kind,
  agent_id: item.agentId,
  run_id: item.runId,
  sentence: item.sentence,
  hint: item.hint,
  opened_at: item.openedAt,
  current: item.current ? 1 : 0,
  resolved_at: item.resolvedAt,
  resolution: item.resolution,
  notified_at: item.notifiedAt,
  notified: JSON.stringify(item.notified),
});

export const toPendingEffect = (row: Pick<Row<'effects'>, 'id' | 'payload' | 'attempts'>): PendingEffect => ({
  id: row.id,
  effect: JSON.parse(row.payload) as Effect,
  attempts: row.attempts,
});

export const toExternalSession = (row: Row<'session_candidates'>): ExternalSession => ({
  ...(JSON.parse(row.detail) as Omit<ExternalSession, 'runtime' | 'sessionId' | 'lastSeenAt'>),
  runtime: row.runtime,
  sessionId: row.session_id,
  lastSeenAt: row.last_seen_at as Instant,
});

export function fromExternalSession({ runtime, sessionId, lastSeenAt, ...detail }: ExternalSession) {
  return { runtime, session_id: sessionId, last_seen_at: lastSeenAt, detail: JSON.stringify(detail) };
}

export const toPageSession = (row: Row<'page_sessions'>): PageSession => ({
  tokenHash: row.token_hash,
  name: row.name,
  createdOn: row.created_on,
  usedOn: row.used_on,
});

export const toPromptText = (row: Row<'prompt_texts'>): PromptText => ({
  ref: row.ref,
  agentId: row.agent_id,
  runId: row.run_id,
  purpose: row.purpose as PromptText['purpose'],
  text: row.text,
  outcome: row.outcome as PromptText['outcome'],
  at: row.at as Instant | null,
});

export function toPackage(row: Pick<Row<'packages'>, 'detail'>): StoredPackage {
  const stored = JSON.parse(row.detail) as StoredPackage;
  return { ...stored, record: readRecord(stored.record) };
}

export const toPackageInBrief = (
  row: Pick<Row<'packages'>, 'id' | 'created_at' | 'from_agent' | 'to_agent' | 'state'>,
): PackageInBrief => ({
  id: row.id,
  createdAt: row.created_at as Instant,
  from: row.from_agent,
  to: row.to_agent,
  state: row.state,
});

export const fromPackage = (stored: StoredPackage) => ({
  project_id: stored.projectId,
  root: stored.lineage.root,
  from_agent: stored.record.from,
  to_agent: stored.record.to,
  state: stored.record.state,
  in_flight: isTerminal(stored.record) ? 0 : 1,
  due_at: dueAt(stored),
  seq: stored.seq,
  create_key: stored.createKey?.key ?? null,
  created_at: stored.createdAt,
  detail: JSON.stringify(stored),
  type: stored.record.type,
  words: wordsOf(stored),
  filled: 1,
  ...markColumns(stored),
});

type MarkColumns = { [M in Mark as `mark_${M}`]: string | null };

function markColumns(stored: StoredPackage): MarkColumns {
  const marks = marksOf(stored);
  const columns = MARKS.map((mark) => [`mark_${mark}`, marks[mark] === null ? null : JSON.stringify(marks[mark])]);
  return Object.fromEntries(columns) as MarkColumns;
}
