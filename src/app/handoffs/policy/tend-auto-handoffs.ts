import { type Agent, hasReachedThreshold } from '../../../domain/agents/agent.ts';
import type { AgentFact } from '../../../domain/facts.ts';
import { autoOf, type WorkSeen } from '../../../domain/handoffs/policy/auto-handoff.ts';
import { type AutoDecision, decideAuto, restartedDueAt } from '../../../domain/handoffs/policy/decide.ts';
import { countOn } from '../../../domain/handoffs/policy/policy.ts';
import { usualReason, validateRequest } from '../../../domain/handoffs/request.ts';
import { type Instant, msBetween } from '../../../domain/instant.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { recordFact } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { beginHandoff, runsTouching } from '../request-handoff.ts';
import { autoContextOf } from './auto-context.ts';
import { policyOf } from './policy-of.ts';
import { findWork } from './seen-work.ts';

/**
 * The longest normal pause between two checks. After a longer pause, Baton assumes that it has not observed its agents
 * in the meantime.
 */
const MAX_GAP_MS = 15_000;

/**
 * Returns a function that checks all live agents, begins or stops countdowns, and starts a run at the end of a
 * countdown. Each step is one transaction. If Baton has not checked for a while, the countdown starts anew, so that a
 * person can see it in time.
 */
export function createAutoHandoffTender(ports: Ports): () => Promise<void> {
  let lookedAt: Instant | undefined;
  return async () => {
    const now = ports.clock.now();
    const wasAway = lookedAt === undefined || isGap(lookedAt, now, ports.settings.reconcileEveryMs);
    lookedAt = now;
    const due = ports.store.read((tx) => tx.liveAgents().filter((agent) => isDue(tx, ports, agent, wasAway)));
    for (const agent of due) await tend(ports, agent.id, wasAway);
  };
}

/**
 * Returns whether Baton missed checks between two times. This is so if the times are too far apart, or if the clock was
 * set back.
 */
function isGap(before: Instant, now: Instant, everyMs: number): boolean {
  const passed = msBetween(before, now);
  return passed < 0 || passed > Math.max(MAX_GAP_MS, 3 * everyMs);
}

function isDue(tx: Tx, ports: Ports, agent: Agent, wasAway: boolean): boolean {
  const { countdown, held, request } = autoOf(agent);
  const { handoffAtPercent } = ports.operatorSettings.current();
  const isFull = hasReachedThreshold(agent, handoffAtPercent);
  // Return early for most agents: their context use is below the threshold, and no automatic handoff is counted down,
  // held back or requested.
  if (!isFull && countdown === null && held === null && request === null) return false;
  if (wasAway && countdown !== null) return true;
  return decideAuto(agent, autoContextOf(tx, ports, agent)).do !== 'nothing';
}

async function tend(ports: Ports, agentId: number, wasAway: boolean): Promise<void> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined) return;
  const isChecked = ports.store.read((tx) => decideAuto(agent, autoContextOf(tx, ports, agent)).do) === 'check_work';
  const work = isChecked ? await findWork(ports, agent) : undefined;
  const done = await ports.store.write((tx) => {
    // Read the agent a second time, now inside the transaction, and repeat the decision, because the agent may have
    // changed since the first decision.
    const fresh = tx.agentById(agentId);
    if (fresh === undefined) return 'nothing';
    const world = autoContextOf(tx, ports, fresh);
    const decision = decideAuto(fresh, world);
    const isStanding = decision.do === 'nothing' || decision.do === 'hand_off';
    const isRestarted = wasAway && isStanding && autoOf(fresh).countdown !== null;
    if (isRestarted) recordFact(tx, ports, { type: 'countdown_restarted', agentId, dueAt: restartedDueAt(world) });
    else carryOut(tx, ports, fresh, { decision, work: isChecked ? { seen: work } : undefined });
    const name = isRestarted ? 'restart_countdown' : decision.do;
    ports.checkpoint(`${name}:decided`);
    return name;
  });
  ports.checkpoint(`${done}:committed`);
}

interface Carried {
  readonly decision: AutoDecision;
  /** The work that git shows; undefined if Baton did not check git. */
  readonly work: { readonly seen: WorkSeen | undefined } | undefined;
}

function carryOut(tx: Tx, ports: Ports, agent: Agent, { decision, work }: Carried): void {
  const { id: agentId } = agent;
  if (decision.do === 'hand_off') beginAuto(tx, ports, agent, decision.because);
  const fact = factFor(agentId, { decision, work });
  if (fact !== undefined) recordFact(tx, ports, fact);
}

function factFor(agentId: number, { decision, work }: Carried): AgentFact | undefined {
  switch (decision.do) {
    case 'stop':
      return { type: 'countdown_stopped', agentId, why: decision.why };
    case 'hold':
      return { type: 'auto_handoff_held', agentId, why: decision.why };
    case 'release':
      return { type: 'auto_handoff_released', agentId };
    case 'check_work':
      if (work === undefined) return undefined;
      return work.seen === undefined
        ? { type: 'auto_handoff_held', agentId, why: 'loop' }
        : { type: 'work_seen', agentId, what: work.seen };
    case 'begin_countdown':
      return { type: 'countdown_began', agentId, trigger: decision.trigger, dueAt: decision.dueAt };
    default:
      return undefined;
  }
}

/** Begins the run and, in the same transaction, counts it as one of the persona's automatic handoffs of today. */
function beginAuto(tx: Tx, ports: Ports, agent: Agent, because: string): void {
  const { policy } = policyOf(tx, agent);
  const judged = validateRequest(agent, runsTouching(tx, agent.id), tx.handoffOfAgent(agent.id), {
    reason: usualReason(agent, ports.operatorSettings.current().handoffAtPercent),
    note: undefined,
    review: policy.review,
  });
  if (isRefusal(judged)) return;
  recordFact(tx, ports, { type: 'auto_handoff_begun', agentId: agent.id, because });
  const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
  const day = ports.clock.localDay(ports.clock.now());
  if (persona !== undefined)
    tx.savePersona({ ...persona, autoHandoffs: { day, count: countOn(day, persona.autoHandoffs) + 1 } });
  beginHandoff(tx, ports, agent.id, { ...judged, begunBecause: because });
}
