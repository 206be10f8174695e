import type { Agent } from '../../../domain/agents/agent.ts';
import type { AutoContext } from '../../../domain/handoffs/policy/decide.ts';
import { countOn } from '../../../domain/handoffs/policy/policy.ts';
import { validateRequest } from '../../../domain/handoffs/request.ts';
import { isQuietAt } from '../../../domain/inbox/quiet-hours.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { runsTouching } from '../request-handoff.ts';
import { policyOf } from './policy-of.ts';
import { takeoverOf } from './seen-work.ts';

/**
 * Returns everything that, in addition to the agent itself, decides whether Baton hands this agent off automatically.
 */
export function autoContextOf(tx: Tx, ports: Pick<Ports, 'operatorSettings' | 'clock'>, agent: Agent): AutoContext {
  const { handoffAtPercent, quietHours } = ports.operatorSettings.current();
  const now = ports.clock.now();
  const runs = runsTouching(tx, agent.id);
  const judged = validateRequest(agent, runs, tx.handoffOfAgent(agent.id), { reason: undefined, note: undefined });
  const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
  return {
    nearest: policyOf(tx, agent),
    handoffAtPercent,
    refusal: isRefusal(judged) ? judged.sentence : null,
    earlierRunId: runs.findLast((run) => run.agentId === agent.id)?.id ?? null,
    isSuccessor: takeoverOf(tx, agent) !== undefined,
    isQuiet: isQuietAt(quietHours, ports.clock.minutesOfDay(now)),
    usedToday: countOn(ports.clock.localDay(now), persona?.autoHandoffs),
    now,
  };
}
