import { type Agent, hasReachedThreshold, hasRested, isLive } from '../../domain/agents/agent.ts';
import { type AgentStep, applyFact, endReportedBefore } from '../../domain/agents/apply-fact.ts';
import { restartPriming, retryPriming } from '../../domain/agents/priming.ts';
import { attentionAfter } from '../../domain/agents/track-attention.ts';
import type { Effect } from '../../domain/effects.ts';
import type { AgentFact, Fact, FactOf, LoggedEvent, RunFact } from '../../domain/facts.ts';
import { type Advanced, advance } from '../../domain/handoffs/advance.ts';
import { autoOf, NO_AUTO } from '../../domain/handoffs/policy/auto-handoff.ts';
import { autoAfter } from '../../domain/handoffs/policy/track-auto.ts';
import { isOver, type Run } from '../../domain/handoffs/run.ts';
import type { RunContext, Write } from '../../domain/handoffs/step-rule.ts';
import { dueFirstPrompt } from '../../domain/messages/first-prompt.ts';
import { type PackageEventData, type StoredPackage, withEvent } from '../../domain/packages/stored-package.ts';
import { hasNewText } from '../../domain/search/package-texts.ts';

import { type AgentRow, type NewAgent, newAgent, resuming, succeeding } from '../agents/new-agent.ts';
import { passKnowledge } from '../handoffs/pass-knowledge.ts';
import { policyOf } from '../handoffs/policy/policy-of.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import { syncInboxForAgent, syncInboxForPackage, syncInboxForRun } from '../inbox/sync-inbox.ts';
import { noteTextOutcome } from '../messages/sent-prompts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { indexEvent, indexPackage } from '../search/index-texts.ts';
import { addToDay, countReport, NOTHING_REPORTED } from '../usage/count-usage.ts';
import { redactFact } from './redact-fact.ts';
import { agentOf, loadRunContext } from './run-context.ts';

/**
 * The only code that writes the log and the state of agents, runs and packages (enforced by test/fact-door.test.ts).
 * Each function here logs what happened, saves the resulting state, enqueues its effects and updates the inbox, all in
 * the caller's transaction.
 */

/** The ports that may be needed to record a fact about an agent or a run. */
export type FactPorts = Pick<
  Ports,
  'runtimes' | 'wording' | 'operatorSettings' | 'secrets' | 'clock' | 'chance' | 'agentToken' | 'settings'
>;

/**
 * Records a fact about an agent or a run, without its secrets. Returns false, and changes nothing, if a fact with the
 * same dedupe key was recorded before.
 */
export function recordFact(tx: Tx, ports: FactPorts, told: Fact, dedupeKey: string | null = null): boolean {
  // Do not redact a usage report: Baton finds the earlier reports of a counter by its exact name (`source`). Only
  // numbers are logged.
  if (told.type === 'usage_reported') return recordUsage(tx, ports, told);
  const fact = redactFact(ports, told);
  const event = isNews(tx, fact) ? logFact(tx, ports, fact, dedupeKey) : null;
  if (event === undefined) return false;
  if ('agentId' in fact) applyToAgent(tx, ports, fact);
  else applyToRun(tx, ports, fact);
  if (event !== null) indexEvent(tx, ports, event, fact.type === 'document_checked' ? fact.text : undefined);
  return true;
}

/**
 * Adds a usage report to the usage of the agent and of the day. Returns false if the report adds no usage. A report
 * does not count as activity of the agent. Only a report about an idle or ended agent is logged, because there are too
 * many reports about working agents.
 */
function recordUsage(tx: Tx, ports: FactPorts, fact: FactOf<'usage_reported'>): boolean {
  const agent = tx.agentById(fact.agentId);
  const counted = agent && countReport(tx, agent, fact);
  if (agent === undefined || counted === undefined) return false;
  tx.saveAgent({ ...agent, usage: counted.usage });
  if (counted.added.tokens === null && counted.added.costMicros === null) return false;
  addToDay(tx, ports, agent, counted.added);
  const { agentId } = fact;
  const { tokens, costMicros } = counted.usage;
  if (hasRested(agent) || !isLive(agent))
    tx.appendEvent({
      at: ports.clock.now(),
      agentId,
      runId: null,
      type: fact.type,
      data: { agentId, tokens, costMicros },
      dedupeKey: null,
    });
  return true;
}

/**
 * Returns whether the fact is logged. Clock ticks, repeated measurements and repeated refusals are not logged, because
 * they would flood the log.
 */
function isNews(tx: Tx, fact: Fact): boolean {
  if (fact.type === 'clock_ticked') return false;
  if (fact.type === 'permission_mode_seen') return tx.agentById(fact.agentId)?.permissionMode !== fact.mode;
  if (fact.type === 'prompt_typed') return !isRefusedAgain(tx, fact);
  if (fact.type !== 'context_measured') return true;
  return tx.agentById(fact.agentId)?.context?.usedPercent !== fact.usedPercent;
}

function isRefusedAgain(tx: Tx, { agentId, ref, outcome }: FactOf<'prompt_typed'>): boolean {
  if (outcome.verdict !== 'refused') return false;
  const priming = tx.agentById(agentId)?.priming;
  if (priming?.status === 'typing' && priming.ref === ref) return priming.refusal === outcome.detail;
  return tx
    .runsInFlightOf(agentId)
    .some(({ delivery }) => delivery?.ref === ref && delivery.lastRefusal === outcome.detail);
}

/** Logs a fact. Returns undefined if a fact with the same dedupe key was logged before. */
function logFact(tx: Tx, ports: Pick<Ports, 'clock'>, fact: Fact, dedupeKey: string | null): LoggedEvent | undefined {
  const { type, ...data } = withoutArgs(withoutText(fact));
  const agentId = 'agentId' in fact ? fact.agentId : (tx.runById(fact.runId)?.agentId ?? null);
  const runId = 'runId' in fact ? fact.runId : null;
  return tx.appendEvent({ at: ports.clock.now(), agentId, runId, type, data, dedupeKey });
}

/** Leaves out the text of a document, because the document itself is kept and the log must stay small. */
function withoutText(fact: Fact): Fact {
  if (fact.type !== 'document_checked') return fact;
  const { text: _, ...rest } = fact;
  return rest;
}

/** Leaves out the arguments for a client, because they may contain secrets and the log is permanent. */
function withoutArgs<T extends Fact>(fact: T): T {
  if (!('runsOn' in fact) || fact.runsOn === undefined) return fact;
  const { args: _, ...runsOn } = fact.runsOn;
  return { ...fact, runsOn };
}

function applyToAgent(tx: Tx, ports: FactPorts, fact: AgentFact): void {
  const agent = tx.agentById(fact.agentId);
  if (agent === undefined) return;
  const step = withAuto(
    tx,
    ports,
    { before: agent, fact },
    withAttention(tx, ports, agent, applyFact(agent, fact, ports.clock.now())),
  );
  tx.saveAgent(step.agent);
  noteTextOutcome(tx, ports, agent, fact);
  enqueueEffects(tx, ports, step.effects);
  for (const notice of step.notices) raiseNotice(tx, ports, notice, { agentId: agent.id, runId: null });
  for (const run of tx.runsInFlightOf(agent.id))
    saveTransition(tx, ports, advance(run, fact, loadRunContext(tx, ports, run)));
  if (fact.type === 'session_started') noteInHalted(tx, ports, fact);
  if (fact.type === 'prompt_submitted') addToDay(tx, ports, agent, NOTHING_REPORTED);
  if (isLive(agent) && !isLive(step.agent)) rewordHalted(tx, ports, agent.id);
  syncInboxForAgent(tx, ports, step.agent);
  const undone = undoneFor(tx, step.agent);
  if (undone !== undefined) syncInboxForRun(tx, ports, undone, loadRunContext(tx, ports, undone));
  // The client may have reported the end of this turn before the prompt of the turn. That report is already in the log,
  // but it has not changed the agent, so apply it now.
  const end = endReportedBefore(agent, fact);
  if (end !== undefined) applyToAgent(tx, ports, end);
}

/**
 * If the last run of the agent failed, a `/clear` of the agent is also recorded in this run. The operator may still let
 * the run ask the agent for the document again, and must know that the agent has forgotten its work.
 */
function noteInHalted(tx: Tx, ports: FactPorts, fact: FactOf<'session_started'>): void {
  const last = tx.runsOfAgent(fact.agentId).at(-1);
  if (last?.step === 'failed') saveTransition(tx, ports, advance(last, fact, loadRunContext(tx, ports, last)));
}

/**
 * Updates the inbox item about the failed run of this agent. The item may say that the agent was left running. Once the
 * agent has ended, this is wrong.
 */
function rewordHalted(tx: Tx, ports: FactPorts, agentId: number): void {
  const last = tx.runsOfAgent(agentId).at(-1);
  if (last?.step === 'failed') syncInboxForRun(tx, ports, last, loadRunContext(tx, ports, last));
}

/**
 * Called when a run with this agent begins. Removes everything that would otherwise cause a notification after the run,
 * such as the news that the agent has finished, and the countdown to an automatic handoff.
 */
function withoutNews(tx: Tx, agent: Agent): Agent {
  const { attention } = agent;
  const { countdown, held, request } = autoOf(agent);
  const hasNews = attention?.finished || attention?.isNear;
  if (!hasNews && countdown === null && held === null && request === null) return agent;
  const quiet: Agent = {
    ...agent,
    ...(attention === undefined ? {} : { attention: { ...attention, finished: null, isNear: false } }),
    auto: { ...autoOf(agent), countdown: null, held: null, request: null, ended: BEGUN },
  };
  tx.saveAgent(quiet);
  return quiet;
}

const BEGUN = 'The handoff has begun';

function withAttention(
  tx: Tx,
  ports: Pick<Ports, 'operatorSettings' | 'clock'>,
  before: Agent,
  step: AgentStep,
): AgentStep {
  const { handoffAtPercent, finishedAfterSeconds, notifications } = ports.operatorSettings.current();
  const change = { before, after: step.agent, now: ports.clock.now() };
  const isFull = hasReachedThreshold(step.agent, handoffAtPercent);
  // Read the policy only if the context use has reached the threshold, because this code runs for every hook.
  const isSuggested = !isFull || policyOf(tx, step.agent).policy.mode === 'suggest';
  const attention = attentionAfter(change, {
    finishedAfterMs: notifications.finished ? finishedAfterSeconds * 1000 : null,
    handoffAtPercent: notifications.near_threshold && isSuggested ? handoffAtPercent : null,
    inRun: runInFlightOf(tx, before.id) !== undefined,
  });
  return { ...step, agent: { ...step.agent, attention } };
}

/**
 * Applies the fact to the agent's automatic handoffs: to the countdown and to everything else that decides about them.
 */
function withAuto(
  tx: Tx,
  ports: Pick<Ports, 'operatorSettings' | 'clock'>,
  { before, fact }: { readonly before: Agent; readonly fact: AgentFact },
  step: AgentStep,
): AgentStep {
  const { handoffAtPercent } = ports.operatorSettings.current();
  const { auto, notices } = autoAfter({ before, after: step.agent, now: ports.clock.now() }, fact, {
    handoffAtPercent,
    isOutgoing: tx.runsInFlightOf(before.id).some(({ agentId }) => agentId === before.id),
  });
  return { ...step, agent: { ...step.agent, auto }, notices: [...step.notices, ...notices] };
}

/** Returns the run whose undo created this agent. The state of this agent shows whether the undo succeeded. */
const undoneFor = (tx: Tx, { id, previousAgentId, resumesSession }: Agent): Run | undefined =>
  previousAgentId === null || resumesSession === null
    ? undefined
    : tx.runsOfAgent(previousAgentId).find(({ broughtBackAgentId }) => broughtBackAgentId === id);

function applyToRun(tx: Tx, ports: FactPorts, fact: RunFact): void {
  const run = tx.runById(fact.runId);
  if (run === undefined) return;
  saveTransition(tx, ports, advance(run, fact, loadRunContext(tx, ports, run)));
  // The package of the run contains the result of comparing the document with disk and git (SPEC P25). After a
  // comparison, mark the run, so that Baton updates the package later.
  if (fact.type === 'document_compared') tx.markRunDirty(run.id);
}

/** Stores a new run and performs its first step. */
export function beginRun(
  tx: Tx,
  ports: FactPorts,
  row: Parameters<Tx['insertRun']>[0],
  first: (run: Run, world: RunContext) => Advanced,
): Run {
  const run = tx.insertRun(row);
  return saveTransition(tx, ports, first(run, loadRunContext(tx, ports, run)));
}

/**
 * Saves everything that the domain decided for a run: the run, its handoff record, its successor, its effects and its
 * notices.
 */
export function saveTransition(tx: Tx, ports: FactPorts, { run: advanced, effects, writes, notices }: Advanced): Run {
  const replacedId = tx.runById(advanced.id)?.successorAgentId ?? null;
  const run = writes.reduce((written, write) => carryOut(tx, ports, written, write), advanced);
  tx.saveRun(run);
  enqueueEffects(tx, ports, effects);
  for (const notice of notices) raiseNotice(tx, ports, notice, { agentId: run.agentId, runId: run.id });
  const world = loadRunContext(tx, ports, run);
  syncInboxForRun(tx, ports, run, world);
  // Update the inbox items of the outgoing agent and of the successor. A question that an agent asks during a run
  // appears as an item of the run. A question at any other time appears as an item of the agent.
  if (notices.some(({ type }) => type === 'handoff_progress')) {
    for (const agent of [world.agent, world.successor])
      if (agent !== null) syncInboxForAgent(tx, ports, isOver(run) ? agent : withoutNews(tx, agent));
  }
  // The document now goes to another successor. So close the inbox item about the end of the earlier successor.
  const replaced = replacedId === null || replacedId === run.successorAgentId ? undefined : tx.agentById(replacedId);
  if (replaced !== undefined) syncInboxForAgent(tx, ports, replaced);
  // Do not update the package of the run in this transaction, but only mark the run (SPEC P25). A later transaction
  // updates the package. If that update fails, the change of the run stays.
  if (notices.some(({ type }) => type === 'handoff_progress' || type === 'handoff_complete')) tx.markRunDirty(run.id);
  return run;
}

function carryOut(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'agentToken' | 'operatorSettings'>,
  run: Run,
  write: Write,
): Run {
  switch (write.kind) {
    case 'record_handoff': {
      const { filePath, injectionPrompt } = write;
      const { agentId, reason } = run;
      const before = run.handoffId === null ? undefined : tx.handoffById(run.handoffId);
      if (before !== undefined) {
        tx.saveHandoff({ ...before, filePath, injectionPrompt });
        return run;
      }
      const createdAt = ports.clock.now();
      return { ...run, handoffId: tx.insertHandoff({ agentId, reason, filePath, injectionPrompt, createdAt }).id };
    }
    case 'create_successor':
      passKnowledge(tx, ports, run);
      return {
        ...run,
        successorAgentId: createAgent(tx, ports, succeeding(agentOf(tx, run), run.runsOn ?? undefined)).id,
      };
    case 'prime_successor_again': {
      const successor = run.successorAgentId === null ? undefined : tx.agentById(run.successorAgentId);
      if (successor === undefined) return run;
      const { agent, effects } = restartPriming(successor, run.attempt);
      tx.saveAgent(agent);
      enqueueEffects(tx, ports, effects);
      return run;
    }
    case 'bring_back': {
      // A person who undoes a handoff did not want this handoff, so Baton no longer hands this conversation off
      // automatically.
      const resumed = { ...resuming(agentOf(tx, run)), auto: { ...NO_AUTO, isCancelled: true } };
      const { id: broughtBackAgentId } = createAgent(tx, ports, resumed);
      const about = { agentId: run.agentId, runId: run.id };
      raiseNotice(tx, ports, { type: 'handoff_undone', broughtBackAgentId }, about);
      return { ...run, broughtBackAgentId };
    }
  }
}

export function enqueueEffects(tx: Tx, ports: Pick<Ports, 'clock'>, effects: readonly Effect[]): void {
  for (const effect of effects) {
    tx.insertEffect(effect, ports.clock.now());
    const leaver =
      effect.kind === 'end_agent' || effect.kind === 'type_exit' ? tx.agentById(effect.agentId) : undefined;
    if (leaver !== undefined) tx.saveAgent({ ...leaver, isLeaving: true });
  }
}

/**
 * Stores the row of an agent with a session id and a token, and then the launch effect. The new session reports this id
 * and this token when it starts. So Baton never has to guess which sessions it has started.
 */
export function createAgent(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'agentToken'>,
  wanted: NewAgent,
): Agent {
  // Do not log the arguments for the client, because they may contain secrets and the log is permanent. The first
  // prompt is logged later, when it is sent as a message.
  const { clientArgs: _, resumes: _ended, firstPrompt: _text, auto: _state, lineage: _chain, ...logged } = wanted;
  return insertAgent(tx, ports, newAgent(ports, wanted), logged, ({ id }) => ({ kind: 'launch_agent', agentId: id }));
}

/** Stores an agent that is about to be launched or adopted, and the effect that launches or adopts it. */
export function insertAgent(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  row: AgentRow,
  logged: Readonly<Record<string, unknown>>,
  effectFor: (agent: Agent) => Effect,
): Agent {
  const at = ports.clock.now();
  const agent = tx.insertAgent(row);
  const data = { ...logged, sessionUuid: agent.sessionUuid };
  tx.appendEvent({ at, agentId: agent.id, runId: null, type: 'agent_created', data, dedupeKey: null });
  tx.insertEffect(effectFor(agent), at);
  const previous = agent.previousAgentId === null ? undefined : tx.agentById(agent.previousAgentId);
  // The new agent continues the work of its predecessor, so close the inbox item about the predecessor's end.
  if (previous !== undefined) syncInboxForAgent(tx, ports, previous);
  return agent;
}

/** Enqueues the skill prompts and first prompts that were refused earlier and are now due again. */
export function retryPrompts(tx: Tx, ports: Ports): void {
  const now = ports.clock.now();
  for (const agent of tx.liveAgents()) {
    const primed = retryPriming(agent, now);
    const { firstPrompt, effects: first } = dueFirstPrompt(primed.agent, now);
    const effects = [...primed.effects, ...first];
    if (effects.length > 0) tx.saveAgent(firstPrompt === null ? primed.agent : { ...primed.agent, firstPrompt });
    enqueueEffects(tx, ports, effects);
  }
}

export interface PackageEvent {
  readonly type: string;
  readonly agentId: number | null;
  readonly data: PackageEventData;
}

/** Logs an event about a package with all changes that the event makes, and saves the changed package. */
export function recordPackageEvent(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  before: StoredPackage | undefined,
  { type, agentId, data }: PackageEvent,
): StoredPackage {
  const event = { at: ports.clock.now(), agentId, runId: null, type, data: { ...data }, dedupeKey: null };
  const logged = tx.appendEvent(event);
  if (logged === undefined) throw new Error('an event without a dedupe key was treated as a duplicate');
  const after = withEvent(before, { seq: logged.seq, at: logged.at, data });
  tx.savePackage(after);
  if (before === undefined || hasNewText(before, after)) indexPackage(tx, ports, after);
  if (type === 'package_completed' && agentId !== null) noteWork(tx, agentId);
  syncInboxForPackage(tx, ports, after);
  return after;
}

/**
 * Records that the agent has done work, because it completed a package. Baton hands off a successor automatically only
 * if such work is recorded (SPEC H62).
 */
function noteWork(tx: Tx, agentId: number): void {
  const agent = tx.agentById(agentId);
  if (agent !== undefined && isLive(agent))
    tx.saveAgent({ ...agent, auto: { ...autoOf(agent), work: autoOf(agent).work ?? 'step' } });
}
