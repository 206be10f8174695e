import type { Agent } from '../../domain/agents/agent.ts';
import { type AgentStep, applyFact } from '../../domain/agents/apply-fact.ts';
import { restartPriming, retryPriming } from '../../domain/agents/priming.ts';
import { attentionAfter } from '../../domain/agents/track-attention.ts';
import type { Effect } from '../../domain/effects.ts';
import type { AgentFact, Fact, FactOf, RunFact } from '../../domain/facts.ts';
import { type Advanced, advance } from '../../domain/handoffs/advance.ts';
import { isOver, type Run } from '../../domain/handoffs/run.ts';
import type { RunContext, Write } from '../../domain/handoffs/step-rule.ts';
import { type PackageEventData, type StoredPackage, withEvent } from '../../domain/packages/stored-package.ts';
import { type AgentRow, type NewAgent, newAgent, resuming, succeeding } from '../agents/new-agent.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import { syncInboxForAgent, syncInboxForPackage, syncInboxForRun } from '../inbox/sync-inbox.ts';
import { noteTextOutcome } from '../messages/sent-prompts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { redactFact } from './redact-fact.ts';
import { agentOf, loadRunContext } from './run-context.ts';

/**
 * The only code that writes the log and the state of agents, runs and packages (enforced by test/fact-door.test.ts).
 * Each function here logs what happened, saves the resulting state, enqueues its effects and updates the inbox, all in
 * the caller's transaction.
 */

/** All ports that recording a fact about an agent or a run may need. */
export type FactPorts = Pick<
  Ports,
  'runtimes' | 'wording' | 'operatorSettings' | 'secrets' | 'clock' | 'chance' | 'agentToken' | 'settings'
>;

/**
 * Records a fact about an agent or a run, without its secrets. Returns false, and changes nothing, if a fact with the
 * same dedupe key was recorded before.
 */
export function recordFact(tx: Tx, ports: FactPorts, told: Fact, dedupeKey: string | null = null): boolean {
  const fact = redactFact(ports, told);
  if (isNews(tx, fact) && !logFact(tx, ports, fact, dedupeKey)) return false;
  if ('agentId' in fact) applyToAgent(tx, ports, fact);
  else applyToRun(tx, ports, fact);
  return true;
}

/** Should the fact be logged? Ticks, repeated measurements and repeated refusals would flood the log. */
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

function logFact(tx: Tx, ports: Pick<Ports, 'clock'>, fact: Fact, dedupeKey: string | null): boolean {
  const { type, ...data } = fact;
  const agentId = 'agentId' in fact ? fact.agentId : (tx.runById(fact.runId)?.agentId ?? null);
  const runId = 'runId' in fact ? fact.runId : null;
  return tx.appendEvent({ at: ports.clock.now(), agentId, runId, type, data, dedupeKey }) !== undefined;
}

function applyToAgent(tx: Tx, ports: FactPorts, fact: AgentFact): void {
  const agent = tx.agentById(fact.agentId);
  if (agent === undefined) return;
  const step = withAttention(tx, ports, agent, applyFact(agent, fact, ports.clock.now()));
  tx.saveAgent(step.agent);
  noteTextOutcome(tx, ports, agent, fact);
  enqueueEffects(tx, ports, step.effects);
  for (const notice of step.notices) raiseNotice(tx, ports, notice, { agentId: agent.id, runId: null });
  for (const run of tx.runsInFlightOf(agent.id))
    saveTransition(tx, ports, advance(run, fact, loadRunContext(tx, ports, run)));
  if (fact.type === 'session_started') noteInHalted(tx, ports, fact);
  syncInboxForAgent(tx, ports, step.agent);
  const undone = undoneFor(tx, step.agent);
  if (undone !== undefined) syncInboxForRun(tx, ports, undone, loadRunContext(tx, ports, undone));
}

/** Applies a `/clear` also to the agent's last run if it failed: the agent may be asked for the document again. */
function noteInHalted(tx: Tx, ports: FactPorts, fact: FactOf<'session_started'>): void {
  const last = tx.runsOfAgent(fact.agentId).at(-1);
  if (last?.step === 'failed') saveTransition(tx, ports, advance(last, fact, loadRunContext(tx, ports, last)));
}

/**
 * Clears "finished" and "near the threshold" when a run begins with this agent, so that the operator is not notified
 * about them after the run.
 */
function withoutNews(tx: Tx, agent: Agent): Agent {
  const { attention } = agent;
  if (!attention?.finished && !attention?.isNear) return agent;
  const quiet = { ...agent, attention: { ...attention, finished: null, isNear: false } };
  tx.saveAgent(quiet);
  return quiet;
}

function withAttention(
  tx: Tx,
  ports: Pick<Ports, 'operatorSettings' | 'clock'>,
  before: Agent,
  step: AgentStep,
): AgentStep {
  const { handoffAtPercent, finishedAfterSeconds, notifications } = ports.operatorSettings.current();
  const change = { before, after: step.agent, now: ports.clock.now() };
  const attention = attentionAfter(change, {
    finishedAfterMs: notifications.finished ? finishedAfterSeconds * 1000 : null,
    handoffAtPercent: notifications.near_threshold ? handoffAtPercent : null,
    inRun: runInFlightOf(tx, before.id) !== undefined,
  });
  return { ...step, agent: { ...step.agent, attention } };
}

/** Returns the run whose undo created this agent. The state of this agent shows whether the undo worked. */
const undoneFor = (tx: Tx, { id, previousAgentId, resumesSession }: Agent): Run | undefined =>
  previousAgentId === null || resumesSession === null
    ? undefined
    : tx.runsOfAgent(previousAgentId).find(({ broughtBackAgentId }) => broughtBackAgentId === id);

function applyToRun(tx: Tx, ports: FactPorts, fact: RunFact): void {
  const run = tx.runById(fact.runId);
  if (run !== undefined) saveTransition(tx, ports, advance(run, fact, loadRunContext(tx, ports, run)));
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

/** Saves all that the domain decided: the run, its handoff record, its successor, its effects and its notices. */
export function saveTransition(tx: Tx, ports: FactPorts, { run: advanced, effects, writes, notices }: Advanced): Run {
  const run = writes.reduce((written, write) => carryOut(tx, ports, written, write), advanced);
  tx.saveRun(run);
  enqueueEffects(tx, ports, effects);
  for (const notice of notices) raiseNotice(tx, ports, notice, { agentId: run.agentId, runId: run.id });
  const world = loadRunContext(tx, ports, run);
  syncInboxForRun(tx, ports, run, world);
  // During a run, an agent's question belongs to the inbox items of the run, otherwise to those of the agent.
  if (notices.some(({ type }) => type === 'handoff_progress')) {
    for (const agent of [world.agent, world.successor])
      if (agent !== null) syncInboxForAgent(tx, ports, isOver(run) ? agent : withoutNews(tx, agent));
  }
  // P25. Only mark the run here. Its package is updated later, so that a failure there cannot roll back the run.
  if (notices.some(({ type }) => type === 'handoff_progress' || type === 'handoff_complete')) tx.markRunDirty(run.id);
  return run;
}

function carryOut(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'agentToken'>,
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
      return { ...run, successorAgentId: createAgent(tx, ports, succeeding(agentOf(tx, run))).id };
    case 'prime_successor_again': {
      const successor = run.successorAgentId === null ? undefined : tx.agentById(run.successorAgentId);
      if (successor === undefined) return run;
      const { agent, effects } = restartPriming(successor, run.attempt);
      tx.saveAgent(agent);
      enqueueEffects(tx, ports, effects);
      return run;
    }
    case 'bring_back': {
      const { id: broughtBackAgentId } = createAgent(tx, ports, resuming(agentOf(tx, run)));
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
 * Stores the row of an agent, with the session id and token for its process, and then the launch effect. When the
 * session starts, it reports this id and token, so Baton never has to guess which sessions are its own.
 */
export function createAgent(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'agentToken'>,
  wanted: NewAgent,
): Agent {
  // Do not log the client arguments, because they may contain secrets and the log is permanent.
  const { clientArgs: _, resumes: _ended, ...logged } = wanted;
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
  // Close the inbox item about the end of the previous agent, because this agent continues its work.
  if (previous !== undefined) syncInboxForAgent(tx, ports, previous);
  return agent;
}

/** Enqueues the skill prompts whose retry is due. */
export function retryPrimings(tx: Tx, ports: Ports): void {
  for (const agent of tx.liveAgents()) {
    const { agent: retried, effects } = retryPriming(agent, ports.clock.now());
    if (effects.length > 0) tx.saveAgent(retried);
    enqueueEffects(tx, ports, effects);
  }
}

export interface PackageEvent {
  readonly type: string;
  readonly agentId: number | null;
  readonly data: PackageEventData;
}

/** Logs what happened to a package together with all changes, and saves the resulting package. */
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
  syncInboxForPackage(tx, ports, after);
  return after;
}
