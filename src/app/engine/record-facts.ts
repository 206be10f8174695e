import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { type AgentStep, applyFact } from '../../domain/agents/apply-fact.ts';
import { restartPriming } from '../../domain/agents/priming.ts';
import { wentOnIn } from '../../domain/agents/resume.ts';
import { attentionAfter } from '../../domain/agents/track-attention.ts';
import type { Effect } from '../../domain/effects.ts';
import type { AgentFact, Fact, FactOf, RunFact } from '../../domain/facts.ts';
import { type Advanced, advance } from '../../domain/handoffs/advance.ts';
import { isOver, type Run } from '../../domain/handoffs/run.ts';
import type { RunContext, Write } from '../../domain/handoffs/step-rule.ts';
import { bringBack, createAgent, wayOf } from '../agents/create-agent.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import { syncInboxForAgent, syncInboxForRun } from '../inbox/sync-inbox.ts';
import { noteTextOutcome } from '../messages/sent-prompts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { redactFact } from './redact-fact.ts';

/**
 * The single door for facts; redacts secrets first. In one transaction it logs the fact (once), changes the agent,
 * advances the runs concerned and enqueues their effects. Returns false for a fact that was seen before, which changes
 * nothing.
 */
export function recordFact(tx: Tx, ports: Ports, told: Fact, dedupeKey: string | null = null): boolean {
  const fact = redactFact(ports, told);
  if (isNews(tx, fact) && !logFact(tx, ports, fact, dedupeKey)) return false;
  if ('agentId' in fact) applyToAgent(tx, ports, fact);
  else applyToRun(tx, ports, fact);
  return true;
}

/** Skips ticks, repeated measurements and repeated refusals, which would flood the log. */
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
  return tx.runsInFlight().some(({ delivery }) => delivery?.ref === ref && delivery.lastRefusal === outcome.detail);
}

function logFact(tx: Tx, ports: Ports, fact: Fact, dedupeKey: string | null): boolean {
  const { type, ...data } = fact;
  const agentId = 'agentId' in fact ? fact.agentId : (tx.runById(fact.runId)?.agentId ?? null);
  const runId = 'runId' in fact ? fact.runId : null;
  return tx.appendEvent({ at: ports.clock.now(), agentId, runId, type, data, dedupeKey }) !== undefined;
}

function applyToAgent(tx: Tx, ports: Ports, fact: AgentFact): void {
  const agent = tx.agentById(fact.agentId);
  if (agent === undefined) return;
  const step = withAttention(tx, ports, agent, applyFact(agent, fact, ports.clock.now()));
  tx.saveAgent(step.agent);
  noteTextOutcome(tx, ports, agent, fact);
  enqueueEffects(tx, ports, step.effects);
  for (const notice of step.notices) raiseNotice(tx, ports, notice, { agentId: agent.id, runId: null });
  for (const run of tx.runsInFlight()) {
    if (run.agentId === agent.id || run.successorAgentId === agent.id)
      saveTransition(tx, ports, advance(run, fact, loadRunContext(tx, ports, run)));
  }
  if (fact.type === 'session_started') noteInHalted(tx, ports, fact);
  syncInboxForAgent(tx, ports, step.agent);
  const undone = undoneFor(tx, step.agent);
  if (undone !== undefined) syncInboxForRun(tx, ports, undone, loadRunContext(tx, ports, undone));
}

/** A `/clear` also concerns the agent's last run if that has failed: its agent may be asked for the document again. */
function noteInHalted(tx: Tx, ports: Ports, fact: FactOf<'session_started'>): void {
  const last = tx.runsOfAgent(fact.agentId).at(-1);
  if (last?.step === 'failed') saveTransition(tx, ports, advance(last, fact, loadRunContext(tx, ports, last)));
}

/**
 * A run takes over its agents: clears "finished" and "near the threshold", so that they are not notified again after
 * the run.
 */
function withoutNews(tx: Tx, agent: Agent): Agent {
  const { attention } = agent;
  if (!attention?.finished && !attention?.isNear) return agent;
  const quiet = { ...agent, attention: { ...attention, finished: null, isNear: false } };
  tx.saveAgent(quiet);
  return quiet;
}

function withAttention(tx: Tx, ports: Ports, before: Agent, step: AgentStep): AgentStep {
  const { handoffAtPercent, finishedAfterSeconds, notifications } = ports.operatorSettings.current();
  const inRun = tx.runsInFlight().some((run) => run.agentId === before.id || run.successorAgentId === before.id);
  const change = { before, after: step.agent, now: ports.clock.now() };
  const attention = attentionAfter(change, {
    finishedAfterMs: notifications.finished ? finishedAfterSeconds * 1000 : null,
    handoffAtPercent: notifications.near_threshold ? handoffAtPercent : null,
    inRun,
  });
  return { ...step, agent: { ...step.agent, attention } };
}

/** The finished run whose undo created this agent: only this agent shows whether the undo worked. */
const undoneFor = (tx: Tx, { id, previousAgentId, resumesSession }: Agent): Run | undefined =>
  previousAgentId === null || resumesSession === null
    ? undefined
    : tx.runsOfAgent(previousAgentId).find(({ broughtBackAgentId }) => broughtBackAgentId === id);

function applyToRun(tx: Tx, ports: Ports, fact: RunFact): void {
  const run = tx.runById(fact.runId);
  if (run !== undefined) saveTransition(tx, ports, advance(run, fact, loadRunContext(tx, ports, run)));
}

/** Saves what the domain decided: the run, its record, its successor, its effects and its notices. */
export function saveTransition(tx: Tx, ports: Ports, { run: advanced, effects, writes, notices }: Advanced): Run {
  const run = writes.reduce((written, write) => carryOut(tx, ports, written, write), advanced);
  tx.saveRun(run);
  enqueueEffects(tx, ports, effects);
  for (const notice of notices) raiseNotice(tx, ports, notice, { agentId: run.agentId, runId: run.id });
  const world = loadRunContext(tx, ports, run);
  syncInboxForRun(tx, ports, run, world);
  // During a run an agent's question belongs to the run's inbox items, before and after it to the agent's own.
  if (notices.some(({ type }) => type === 'handoff_progress')) {
    for (const agent of [world.agent, world.successor])
      if (agent !== null) syncInboxForAgent(tx, ports, isOver(run) ? agent : withoutNews(tx, agent));
    // P25. Only flag the run here; its package is updated later, so that a package failure cannot roll back the run.
    tx.markRunDirty(run.id);
  }
  return run;
}

function carryOut(tx: Tx, ports: Ports, run: Run, write: Write): Run {
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
    case 'create_successor': {
      const predecessor = agentOf(tx, run);
      const { projectId, personaId, runtime, worktreeId = null } = predecessor;
      const wanted = {
        projectId,
        personaId,
        runtime,
        worktreeId,
        previousAgentId: predecessor.id,
        ...wayOf(predecessor),
      };
      return { ...run, successorAgentId: createAgent(tx, ports, wanted).id };
    }
    case 'prime_successor_again': {
      const successor = run.successorAgentId === null ? undefined : tx.agentById(run.successorAgentId);
      if (successor === undefined) return run;
      const { agent, effects } = restartPriming(successor, run.attempt);
      tx.saveAgent(agent);
      enqueueEffects(tx, ports, effects);
      return run;
    }
    case 'bring_back': {
      const { id: broughtBackAgentId } = bringBack(tx, ports, agentOf(tx, run));
      const about = { agentId: run.agentId, runId: run.id };
      raiseNotice(tx, ports, { type: 'handoff_undone', broughtBackAgentId }, about);
      return { ...run, broughtBackAgentId };
    }
  }
}

function agentOf(tx: Tx, run: Run): Agent {
  const agent = tx.agentById(run.agentId);
  if (agent === undefined) throw new Error(`run ${run.id} has no agent`);
  return agent;
}

export function enqueueEffects(tx: Tx, ports: Ports, effects: readonly Effect[]): void {
  for (const effect of effects) {
    tx.insertEffect(effect, ports.clock.now());
    const leaver =
      effect.kind === 'end_agent' || effect.kind === 'type_exit' ? tx.agentById(effect.agentId) : undefined;
    if (leaver !== undefined) tx.saveAgent({ ...leaver, isLeaving: true });
  }
}

export function loadRunContext(tx: Tx, ports: Ports, run: Run): RunContext {
  const agent = agentOf(tx, run);
  const later = tx.runsOfAgent(agent.id).filter(({ id }) => id > run.id);
  const followers = [run.successorAgentId, run.broughtBackAgentId].filter((id) => id !== null);
  const ofFollowers = followers.flatMap((id) => tx.runsOfAgent(id));
  const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
  return {
    agent,
    successor: run.successorAgentId === null ? null : (tx.agentById(run.successorAgentId) ?? null),
    broughtBack: run.broughtBackAgentId === null ? null : (tx.agentById(run.broughtBackAgentId) ?? null),
    identity: {
      persona: persona ?? { name: 'agent', role: 'none', slug: 'none' },
      projectName: tx.projectById(agent.projectId)?.name ?? 'unknown',
    },
    task: taskOf(tx, agent),
    now: ports.clock.now(),
    deadlines: ports.settings.deadlines,
    longestGapMs: Math.max(5_000, 3 * ports.settings.reconcileEveryMs),
    templates: ports.wording.current(),
    newerRunId: [...later, ...ofFollowers].at(-1)?.id ?? null,
    resumedAs: resumedAs(tx, run),
    canBringBack: ports.runtimes.get(agent.runtime)?.canResume === true,
  };
}

/**
 * FR12. The task of an agent. A successor may never get a prompt from a person; its task is the one it acknowledged, or
 * else that of the agent before it. A later prompt ("go on") does not describe the task, so both are included.
 */
function taskOf(tx: Tx, agent: Agent): string | null {
  for (let each: Agent | undefined = agent; each !== undefined; each = predecessorOf(tx, each)) {
    const { id, lastPrompt, previousAgentId } = each;
    const made = previousAgentId === null ? [] : tx.runsOfAgent(previousAgentId);
    const taken = made.find((run) => run.successorAgentId === id)?.acknowledgement?.task ?? null;
    if (lastPrompt !== null) return taken === null ? lastPrompt : `${lastPrompt} (continuing the task: ${taken})`;
    if (taken !== null) return taken;
  }
  return null;
}

const predecessorOf = (tx: Tx, { previousAgentId }: Agent): Agent | undefined =>
  previousAgentId === null ? undefined : tx.agentById(previousAgentId);

/** Excludes the agent created by this run's own undo. Live agents are never resumed. */
function resumedAs(tx: Tx, run: Run): number | null {
  if (isLive(agentOf(tx, run))) return null;
  return wentOnIn(tx.successorsOf(run.agentId).filter(({ id }) => id !== run.broughtBackAgentId))?.id ?? null;
}
