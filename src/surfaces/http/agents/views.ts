import type { Explanation } from '../../../app/agents/explain-agent.ts';
import type { ShownScreen } from '../../../app/agents/show-screen.ts';
import type { RunReads } from '../../../app/engine/remember-reads.ts';
import type { WantedRunsOn } from '../../../app/personas/change-runs-on.ts';
import type { Project } from '../../../app/ports/store.ts';
import type { SeenExternalSession } from '../../../app/sessions/list-external-sessions.ts';
import type { RunsOnChoice } from '../../../contract/requests.ts';
import type * as contract from '../../../contract/resources.ts';
import { type Agent, isLive, isMuted, shortUuid } from '../../../domain/agents/agent.ts';
import { activityOf } from '../../../domain/agents/apply-fact.ts';
import { howToAnswer, type Question } from '../../../domain/agents/question.ts';
import { doerIn, type LoggedEvent } from '../../../domain/facts.ts';
import { offers } from '../../../domain/handoffs/actions.ts';
import { failureNow } from '../../../domain/handoffs/failure-now.ts';
import { contextTier, offerHandoff } from '../../../domain/handoffs/offer.ts';
import { nearestPolicy } from '../../../domain/handoffs/policy/policy.ts';
import { type Handoff, isOver, type Run, type StepTime } from '../../../domain/handoffs/run.ts';
import type { RunContext } from '../../../domain/handoffs/step-rule.ts';
import { type InboxItem, isAboutGone } from '../../../domain/inbox/inbox.ts';
import { type Need, needOf, severityOf } from '../../../domain/inbox/need.ts';
import { msBetween } from '../../../domain/instant.ts';
import type { FirstPrompt } from '../../../domain/messages/operator-message.ts';
import type { PromptText } from '../../../domain/messages/sent-prompt.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import type { RunsOn } from '../../../domain/personas/runs-on.ts';
import { onOneLine } from '../../../domain/plain-text.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { viewAuto, viewPolicy } from '../handoffs/policy-views.ts';
import { describeEvent } from '../inbox/event-sentence.ts';
import { viewCounts } from '../usage/usage-views.ts';
import type { AgentRelations } from './agent-relations.ts';

/** Maps stored facts to the types of the API contract. Tokens, token hashes and end markers are left out. */

/** Maps "not found" refusals to the commands that list the existing objects. The refusal's hint names the command. */
const LISTS: Partial<Record<Refusal['code'], string>> = {
  agent_not_found: 'baton agent list --all',
  run_not_found: 'baton handoff list',
  handoff_not_found: 'baton handoff list',
  project_not_found: 'baton project list',
  persona_not_found: 'baton persona list',
  inbox_item_not_found: 'baton inbox list',
  package_not_found: 'baton package list',
};

/**
 * The list commands that a hint to an agent can name. Agents are not allowed to use the other list commands, so a hint
 * must not name them.
 */
const LISTS_FOR_AGENTS: typeof LISTS = {
  agent_not_found: 'baton package agents',
  package_not_found: 'baton package list',
};

function listHint(code: Refusal['code'], reader: Reader): string | undefined {
  const list = (reader === 'agent' ? LISTS_FOR_AGENTS : LISTS)[code];
  return list === undefined ? undefined : `List them: ${list}`;
}

type Reader = 'operator' | 'agent';

export const viewRefusal = (
  { code, sentence, hint: own, runId, runStep, findings }: Refusal,
  reader: Reader = 'operator',
  hint = own ?? listHint(code, reader),
): contract.ErrorBody => ({
  error: sentence,
  code,
  ...(hint === undefined ? {} : { hint }),
  ...(runId === undefined ? {} : { run_id: runId }),
  ...(runStep === undefined ? {} : { status: runStep }),
  ...(findings === undefined ? {} : { findings: findings.map((finding) => ({ ...finding })) }),
});

export const readRunsOn = ({ runtime, model, client_args: args, keep_args_of }: RunsOnChoice): WantedRunsOn => ({
  runtime,
  ...(model === undefined ? {} : { model }),
  ...(args === undefined || args.length === 0 ? {} : { args }),
  ...(keep_args_of === undefined ? {} : { keepArgsOf: keep_args_of }),
});

/** The arguments of agent programs are left out, because they may contain secrets. */
const viewRunsOn = (list: readonly RunsOn[] = []): contract.RunsOn[] =>
  list.map(({ runtime, model, args = [] }) => ({
    runtime,
    ...(model === undefined ? {} : { model }),
    ...(args.length === 0 ? {} : { stored_args: args.length }),
  }));

export const viewPersona = (
  { slug, role, name, status, runsOn, policy, createdAt }: Persona,
  homePath: string,
): contract.Persona => ({
  slug,
  role,
  name,
  status,
  folder: `${homePath}/data/personas/${slug}`,
  runs_on: viewRunsOn(runsOn),
  handoff_policy: policy === undefined ? null : viewPolicy(policy),
  created_at: createdAt,
});

export const viewProject = (
  { id, name, path, runsOn, policy, createdAt }: Project,
  defaultPersona: Persona | undefined,
): contract.Project => ({
  id,
  name,
  path,
  default_persona: defaultPersona?.slug ?? null,
  runs_on: viewRunsOn(runsOn),
  handoff_policy: policy === undefined ? null : viewPolicy(policy),
  created_at: createdAt,
});

const MAX_ACTIVITY = 160;

const viewFirstPrompt = (prompt: FirstPrompt | null): contract.Agent['first_prompt'] =>
  prompt && {
    state: prompt.status === 'due' ? 'waiting' : prompt.status,
    excerpt: prompt.excerpt,
    sentence: prompt.sentence,
  };

export function viewAgent(agent: Agent, around: AgentRelations): contract.Agent {
  const persona = around.personaOf(agent);
  const project = around.projectOf(agent);
  const worktree = around.worktreeOf(agent);
  const { policy, from } = nearestPolicy(agent, persona, project);
  const { offered, whyNot } = offerHandoff(agent, around.pastOf(agent), around.handoffAtPercent, policy.mode);
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
    limit: agent.limit
      ? {
          words: agent.limit.words,
          until: agent.limit.until,
          retries_at: agent.limit.retriesAt ?? null,
          continues_itself: agent.limit.continuesItself,
          since: agent.limit.since,
          waits: agent.limit.isAwaited,
        }
      : null,
    model: agent.model ?? null,
    client_args: (agent.clientArgs ?? []).map(around.redact),
    cut_off: agent.cutOff ? { ...agent.cutOff } : null,
    activity: activity === null ? null : onOneLine(activity.replace(/\s+/g, ' ')).trim().slice(0, MAX_ACTIVITY),
    background: (agent.background ?? []).map((task) => ({ ...task })),
    question: agent.question && viewQuestion(agent.id, agent.question),
    handoff: viewRecordOf(around.recordOf(agent)),
    handoff_offer: { offered, why_not: whyNot },
    handoff_policy: { ...viewPolicy(policy), from },
    auto_handoff: viewAuto(agent),
    first_prompt: viewFirstPrompt(agent.firstPrompt ?? null),
    muted: isMuted(agent, around.now) ? { until: agent.muted?.until ?? null } : null,
    usage: agent.usage === undefined ? null : viewCounts(agent.usage),
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
    needs: viewNeed(needOf(agent, around.itemsOf(agent), { name: persona?.name ?? null, isHandoffOffered: offered })),
    started_at: agent.startedAt,
    registered_at: agent.registeredAt,
    last_seen_at: agent.lastSeenAt,
    ended_at: agent.endedAt,
  };
}

const viewNeed = (need: Need | null): contract.Agent['needs'] =>
  need && { severity: need.severity, sentence: need.sentence, since: need.since, item_id: need.itemId };

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
  facts: facts.map(viewEvent).map(({ seq, at, type, sentence }) => ({ seq, at, type, sentence })),
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

export function viewRun(run: Run, world: RunContext, waits: string | null): contract.Run {
  const failure = failureNow(run, world);
  return {
    id: run.id,
    agent_id: run.agentId,
    successor_agent_id: run.successorAgentId,
    handoff_id: run.handoffId,
    reason: run.reason,
    begun_because: run.begunBecause ?? null,
    note: run.note,
    step: run.step,
    over: isOver(run),
    failure: failure && {
      at: failure.at,
      code: failure.code,
      sentence: failure.sentence,
      hint: failure.hint,
    },
    actions: offers(run, world).map((offer) => ({ ...offer })),
    attempt: run.attempt,
    emergency: run.emergency,
    runs_on: run.runsOn ? (viewRunsOn([run.runsOn])[0] ?? null) : null,
    review: run.review,
    late_document: run.lateDocument,
    git: run.git && { ...run.git },
    // Show no findings while Baton waits for a new document. The findings are about the previous document, and a person
    // would think that they are about the new document.
    findings: run.recordedDocument === null ? run.findings.map((finding) => ({ ...finding })) : [],
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

export function viewHandoffSummary(tx: RunReads, record: Handoff): contract.HandoffSummary {
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

export const runOfRecord = (tx: RunReads, { id, agentId }: Handoff): Run | undefined =>
  tx.runsOfAgent(agentId).find(({ handoffId }) => handoffId === id);

/**
 * The agent and the package that an inbox item is about; either may be undefined. The actions that the item offers
 * depend on them.
 */
export interface ItemAbout {
  readonly agent: Agent | undefined;
  readonly stored: StoredPackage | undefined;
  /** Whether the agent has a handoff record. */
  readonly hasRecord: boolean;
}

export const viewInboxItem = (item: InboxItem, about?: ItemAbout): contract.InboxItem => ({
  id: item.id,
  kind: item.kind,
  severity: severityOf(item),
  agent_id: item.agentId,
  run_id: item.runId,
  package_id: item.cause.of === 'package' ? item.cause.packageId : null,
  persona: item.cause.of === 'persona' ? item.cause.slug : null,
  sentence: item.sentence,
  hint: item.hint,
  offers: offersOf(item, about),
  opened_at: item.openedAt,
  resolved_at: item.resolvedAt,
  resolution: item.resolution,
  notified_at: item.notifiedAt,
  notified: { ...item.notified },
});

/**
 * Returns the actions that an inbox item offers. An item about a run offers at most `succeed`, because the view of the
 * run has its own list of actions.
 */
function offersOf(item: InboxItem, about: ItemAbout | undefined): Offers {
  const { cause } = item;
  if (cause.of === 'outage') return ['restore'];
  if (cause.of === 'package') return about?.stored === undefined ? [] : packageOffers(cause.what, about.stored);
  if (cause.of === 'agent' && cause.what === 'cut-off') return ['continue'];
  if (cause.of === 'agent' && cause.what === 'countdown') return ['cancel_countdown', 'snooze'];
  if (cause.of === 'agent' && (cause.what === 'auto-held' || cause.what === 'asks-handoff')) return ['handoff'];
  const agent = about?.agent;
  if (cause.of === 'agent' && cause.what === 'limited') return agent?.personaId == null ? [] : ['succeed'];
  if (cause.of === 'run' && cause.what.startsWith('failed/'))
    return agent !== undefined && !isLive(agent) && about?.hasRecord === false ? ['succeed'] : [];
  if (!isAboutGone(item) || agent === undefined || agent.registeredAt === null) return [];
  return agent.personaId === null ? ['resume'] : ['resume', 'succeed'];
}

type Offers = NonNullable<contract.InboxItem['offers']>;

/**
 * Returns the actions that an inbox item about a package offers: `remind` the late agent, or `reassign` the package to
 * another receiver (rule P37). A package that has an open question or begins a workflow step keeps its receiver.
 */
function packageOffers(what: string, { step, record }: StoredPackage): Offers {
  if (what === 'stopped') return ['remind'];
  if (!what.startsWith('late/') || reminderStates.every((state) => state !== record.state)) return [];
  return record.state === 'clarifying' || step !== undefined ? ['remind'] : ['remind', 'reassign'];
}

const reminderStates = ['pending', 'clarifying', 'accepted'];

/**
 * Moves the author of an action from `data` into a separate field of the API. The store keeps the author in `data`, so
 * that the log's hash chain covers the author as well.
 */
export function viewEvent(event: LoggedEvent): contract.Event {
  const { seq, at, type, agentId, runId, data: stored } = event;
  const by = doerIn(event);
  const { by: _, ...rest } = stored;
  const data = by === null ? stored : rest;
  const told = describeEvent({ type, agent_id: agentId, data });
  return { seq, at, type, agent_id: agentId, run_id: runId, by, ...told, data };
}
