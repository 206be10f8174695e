import type { Explanation } from '../../../app/agents/explain-agent.ts';
import type { ShownScreen } from '../../../app/agents/show-screen.ts';
import type { Project, Tx } from '../../../app/ports/store.ts';
import type { SeenExternalSession } from '../../../app/sessions/list-external-sessions.ts';
import type * as contract from '../../../contract/resources.ts';
import { type Agent, isMuted, shortUuid } from '../../../domain/agents/agent.ts';
import { activityOf } from '../../../domain/agents/apply-fact.ts';
import { howToAnswer, type Question } from '../../../domain/agents/question.ts';
import { doerIn, type LoggedEvent } from '../../../domain/facts.ts';
import type { Offer } from '../../../domain/handoffs/actions.ts';
import { contextTier, offerHandoff } from '../../../domain/handoffs/offer.ts';
import { type Handoff, isOver, type Run, type StepTime } from '../../../domain/handoffs/run.ts';
import { type InboxItem, isAboutGone } from '../../../domain/inbox/inbox.ts';
import { msBetween } from '../../../domain/instant.ts';
import type { PromptText } from '../../../domain/messages/sent-prompt.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import { onOneLine } from '../../../domain/plain-text.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { describeEvent } from '../inbox/event-sentence.ts';
import type { AgentRelations } from './agent-relations.ts';

/** This file maps stored facts to the types of the contract, without tokens, token hashes and end markers. */

/** The hint of each not-found refusal: the command that lists what exists. */
const LISTS: Partial<Record<Refusal['code'], string>> = {
  agent_not_found: 'baton agent list --all',
  run_not_found: 'baton handoff list',
  project_not_found: 'baton project list',
  persona_not_found: 'baton persona list',
  inbox_item_not_found: 'baton inbox list',
  package_not_found: 'baton package list',
};

const listHint = (code: Refusal['code']): string | undefined =>
  LISTS[code] === undefined ? undefined : `List them: ${LISTS[code]}`;

export const viewRefusal = ({
  code,
  sentence,
  hint = listHint(code),
  runId,
  runStep,
  findings,
}: Refusal): contract.ErrorBody => ({
  error: sentence,
  code,
  ...(hint === undefined ? {} : { hint }),
  ...(runId === undefined ? {} : { run_id: runId }),
  ...(runStep === undefined ? {} : { status: runStep }),
  ...(findings === undefined ? {} : { findings: findings.map((finding) => ({ ...finding })) }),
});

export const viewPersona = ({ slug, role, name, status, createdAt }: Persona, homePath: string): contract.Persona => ({
  slug,
  role,
  name,
  status,
  folder: `${homePath}/data/personas/${slug}`,
  created_at: createdAt,
});

export const viewProject = (
  { id, name, path, createdAt }: Project,
  defaultPersona: Persona | undefined,
): contract.Project => ({
  id,
  name,
  path,
  default_persona: defaultPersona?.slug ?? null,
  created_at: createdAt,
});

const MAX_ACTIVITY = 160;

export function viewAgent(agent: Agent, around: AgentRelations): contract.Agent {
  const persona = around.personaOf(agent);
  const project = around.projectOf(agent);
  const worktree = around.worktreeOf(agent);
  const { offered, whyNot } = offerHandoff(agent, around.pastOf(agent), around.handoffAtPercent);
  const activity = activityOf(agent);
  return {
    id: agent.id,
    session_uuid: agent.sessionUuid,
    label: persona?.name ?? shortUuid(agent),
    runtime: agent.runtime,
    project: { id: agent.projectId, name: project?.name ?? '', path: project?.path ?? '' },
    persona: persona === undefined ? null : { slug: persona.slug, name: persona.name, role: persona.role },
    folder: worktree?.folder ?? project?.path ?? '',
    worktree: worktree === undefined ? null : { id: worktree.id, name: worktree.name, branch: worktree.branch },
    previous_agent_id: agent.previousAgentId,
    resumed_from: agent.resumesSession === null ? null : agent.previousAgentId,
    resumed_as: around.resumedAs(agent),
    state: agent.state,
    state_reason: agent.stateReason,
    activity: activity === null ? null : onOneLine(activity.replace(/\s+/g, ' ')).trim().slice(0, MAX_ACTIVITY),
    background: (agent.background ?? []).map((task) => ({ ...task })),
    question: agent.question && viewQuestion(agent.id, agent.question),
    handoff: viewRecordOf(around.recordOf(agent)),
    handoff_offer: { offered, why_not: whyNot },
    muted: isMuted(agent, around.now) ? { until: agent.muted?.until ?? null } : null,
    context: agent.context && {
      tier: contextTier(agent.context.usedPercent, around.handoffAtPercent),
      used_percent: agent.context.usedPercent,
      used_tokens: agent.context.usedTokens,
      window_tokens: agent.context.windowTokens,
      measured_at: agent.context.measuredAt,
    },
    skill_injected_at: agent.priming.status === 'done' ? agent.priming.at : null,
    tmux: {
      socket: agent.pane?.outside?.socket ?? around.tmuxSocket,
      session: agent.pane?.outside?.session ?? agent.tmuxSession,
      pane: agent.pane?.paneId ?? null,
    },
    attach_command: around.attachCommand(agent),
    adopted: agent.adoption === 'adopted',
    run_id: around.runInFlightOf(agent)?.id ?? null,
    started_at: agent.startedAt,
    registered_at: agent.registeredAt,
    last_seen_at: agent.lastSeenAt,
    ended_at: agent.endedAt,
  };
}

const viewRecordOf = (record: Handoff | undefined): contract.Agent['handoff'] =>
  record === undefined ? null : viewHandoff(record);

const viewQuestion = (agentId: number, question: Question): contract.Question => ({
  id: question.id,
  text: question.text,
  options: question.options.map(({ number, label }) => ({ number, label })),
  takes_text: question.takesText,
  how_to_answer: howToAnswer(agentId, question),
});

export const viewExplanation = (
  { since, facts }: Explanation,
  { id, label, state, state_reason }: contract.Agent,
): contract.AgentWhy => ({
  agent_id: id,
  label,
  state,
  state_reason,
  since,
  facts: facts.map(({ event: { seq, at, type }, sentence }) => ({ seq, at, type, sentence })),
});

export const viewScreen = ({ agentId, at, picture }: ShownScreen): contract.ScreenView => ({
  agent_id: agentId,
  at,
  columns: picture.columns,
  rows: picture.rows,
  lines: picture.lines.map((row) => row.map(({ text, style }) => ({ text, style }))),
  cursor: picture.cursor,
});

export const viewExternalSession = (session: SeenExternalSession): contract.Candidate => ({
  runtime: session.runtime,
  session_id: session.sessionId,
  folder: session.folder,
  transcript_path: session.transcriptPath,
  pid: session.pid,
  tmux: session.tmux,
  first_seen_at: session.firstSeenAt,
  last_seen_at: session.lastSeenAt,
  ended_at: session.endedAt,
  alive: session.alive,
  why_not: session.whyNot,
  default_persona: session.defaultPersona,
});

export function viewRun(run: Run, offered: readonly Offer[], waits: string | null): contract.Run {
  return {
    id: run.id,
    agent_id: run.agentId,
    successor_agent_id: run.successorAgentId,
    handoff_id: run.handoffId,
    reason: run.reason,
    note: run.note,
    step: run.step,
    over: isOver(run),
    failure: run.failure,
    actions: offered.map((offer) => ({ ...offer })),
    attempt: run.attempt,
    emergency: run.emergency,
    review: run.review,
    late_document: run.lateDocument,
    git: run.git && { ...run.git },
    findings: run.findings.map((finding) => ({ ...finding })),
    comment: run.comment,
    changed_since: run.changedSince,
    brought_back_agent_id: run.broughtBackAgentId,
    document: run.document && {
      path: run.document.path,
      absolute_path: run.document.absolutePath,
      sha256: run.document.sha256,
      bytes: run.document.bytes,
      marker_found: run.document.markerFound,
    },
    compacted_since_instruction: run.compactedSinceInstruction,
    cleared_since_instruction: run.clearedSinceInstruction,
    last_refusal: run.delivery?.lastRefusal ?? null,
    waits,
    background: run.background,
    compact_summary: run.compactSummary,
    warnings: [...run.warnings],
    acknowledged: run.acknowledgement !== null,
    acknowledgement: run.acknowledgement,
    deadline_at: run.deadlineAt,
    paused_since: run.pausedAt,
    steps: run.steps.map((entry, index) => viewStep(entry, run.steps[index + 1])),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
  };
}

const viewStep = ({ step, enteredAt, attempt = 1 }: StepTime, next: StepTime | undefined) => ({
  step,
  entered_at: enteredAt,
  attempt,
  ms: next === undefined ? null : msBetween(enteredAt, next.enteredAt),
});

export const viewPromptText = ({ purpose, agentId, text, outcome, at }: PromptText): RunText => ({
  purpose,
  agent_id: agentId,
  text,
  outcome: outcome ?? 'not_yet',
  at,
});

type RunText = contract.RunTexts['texts'][number];

export const viewHandoff = (record: Handoff): contract.Handoff => ({
  id: record.id,
  agent_id: record.agentId,
  reason: record.reason,
  file_path: record.filePath,
  injection_prompt: record.injectionPrompt,
  created_at: record.createdAt,
});

export function viewHandoffSummary(tx: Tx, record: Handoff): contract.HandoffSummary {
  const { injection_prompt: _, ...seen } = viewHandoff(record);
  const run = runOfRecord(tx, record);
  const personaId = tx.agentById(record.agentId)?.personaId ?? null;
  return {
    ...seen,
    persona: personaId === null ? null : (tx.personaById(personaId)?.slug ?? null),
    run_id: run?.id ?? null,
    step: run?.step ?? null,
    successor_agent_id: run?.successorAgentId ?? null,
    acknowledged: run?.acknowledgement != null,
    emergency: run?.emergency ?? false,
  };
}

export const runOfRecord = (tx: Tx, { id, agentId }: Handoff): Run | undefined =>
  tx.runsOfAgent(agentId).find(({ handoffId }) => handoffId === id);

export const viewInboxItem = (item: InboxItem, about?: Agent): contract.InboxItem => ({
  id: item.id,
  kind: item.kind,
  agent_id: item.agentId,
  run_id: item.runId,
  package_id: item.cause.of === 'package' ? item.cause.packageId : null,
  sentence: item.sentence,
  hint: item.hint,
  offers: offersOf(item, about),
  opened_at: item.openedAt,
  resolved_at: item.resolvedAt,
  resolution: item.resolution,
  notified_at: item.notifiedAt,
  notified: { ...item.notified },
});

/** The offers of an inbox item. An item about a run has none, because the run itself lists its actions. */
function offersOf(item: InboxItem, about: Agent | undefined): NonNullable<contract.InboxItem['offers']> {
  if (item.cause.of === 'outage') return ['restore'];
  if (!isAboutGone(item) || about === undefined || about.registeredAt === null) return [];
  return about.personaId === null ? ['resume'] : ['resume', 'succeed'];
}

/** `by` is stored inside `data`, where the log's hash chain covers it; the API shows it as its own field. */
export function viewEvent({ seq, at, type, agentId, runId, data: stored }: LoggedEvent): contract.Event {
  const { by: _, ...data } = stored;
  const told = describeEvent({ type, agent_id: agentId, data });
  return { seq, at, type, agent_id: agentId, run_id: runId, by: doerIn({ data: stored }), ...told, data };
}
