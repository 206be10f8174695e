import { type Agent, isLive, lineageOf } from '../../domain/agents/agent.ts';
import { wentOnIn } from '../../domain/agents/resume.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import type { RunContext } from '../../domain/handoffs/step-rule.ts';
import type { Ports } from '../ports/index.ts';
import type { RunReads } from './remember-reads.ts';

/** Reads the data that the rules for runs need in addition to the run itself. */
export function loadRunContext(
  tx: RunReads,
  ports: Pick<Ports, 'runtimes' | 'wording' | 'clock' | 'settings'>,
  run: Run,
): RunContext {
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
    resumedAs: resumedAs(tx, run, agent),
    openPoints: () => tx.openPoints(lineageOf(agent)),
    canBringBack: ports.runtimes.get(agent.runtime)?.canResume === true,
  };
}

export function agentOf(tx: Pick<RunReads, 'agentById'>, run: Run): Agent {
  const agent = tx.agentById(run.agentId);
  if (agent === undefined) throw new Error(`run ${run.id} has no agent`);
  return agent;
}

/**
 * Returns the task of an agent (specification 002, FR12): the last prompt from a person, together with the task that
 * the agent acknowledged. If only one of these exists, returns that one. If none exists, returns the task of the
 * predecessor.
 */
export function taskOf(tx: RunReads, agent: Agent): string | null {
  for (let each: Agent | undefined = agent; each !== undefined; each = predecessorOf(tx, each)) {
    const { id, lastPrompt, previousAgentId } = each;
    const made = previousAgentId === null ? [] : tx.runsOfAgent(previousAgentId);
    const taken = made.find((run) => run.successorAgentId === id)?.acknowledgement?.task ?? null;
    if (lastPrompt !== null) return taken === null ? lastPrompt : `${lastPrompt} (continuing the task: ${taken})`;
    if (taken !== null) return taken;
  }
  return null;
}

const predecessorOf = (tx: RunReads, { previousAgentId }: Agent): Agent | undefined =>
  previousAgentId === null ? undefined : tx.agentById(previousAgentId);

/**
 * If the outgoing agent of the run has ended and another agent resumed its conversation, returns the id of that other
 * agent. Otherwise returns null. An agent that was created to undo this run does not count.
 */
function resumedAs(tx: RunReads, run: Run, agent: Agent): number | null {
  if (isLive(agent)) return null;
  return wentOnIn(tx.successorsOf(run.agentId).filter(({ id }) => id !== run.broughtBackAgentId))?.id ?? null;
}
