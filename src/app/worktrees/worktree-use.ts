import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { howToWait, takesPart } from '../../domain/handoffs/run.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { isInWorktree, type Worktree } from '../../domain/worktrees/worktree.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { workingDirectoryOf } from './working-directory.ts';

/**
 * Returns the agents that were given this worktree, and all other agents that work in its folder. For example, Baton
 * may have adopted a session that the operator had started in this folder.
 */
const agentsAround = (tx: Tx, worktree: Worktree): readonly Agent[] =>
  tx
    .agents()
    .filter(
      (agent) =>
        agent.worktreeId === worktree.id || isInWorktree(workingDirectoryOf(tx, agent)?.folder ?? '', worktree),
    );

/**
 * Returns all agents that were given the worktree, and all other live agents that work in its folder. Ended agents that
 * were not given the worktree do not count: they may have worked in an earlier worktree with the same path.
 */
export const agentsIn = (tx: Tx, worktree: Worktree): readonly Agent[] =>
  agentsAround(tx, worktree).filter((agent) => agent.worktreeId === worktree.id || isLive(agent));

export function refuseInUse(tx: Tx, worktree: Worktree): Refusal | undefined {
  const agents = agentsAround(tx, worktree);
  const live = agents.find(isLive);
  if (live !== undefined)
    return {
      code: 'worktree_in_use',
      sentence: `Agent ${live.id} works in the worktree ${worktree.name}`,
      hint:
        live.adoption === 'adopted'
          ? `Stop the agent first: baton agent stop ${live.id}; or release the agent and end it yourself: baton agent release ${live.id}`
          : `Stop the agent first: baton agent stop ${live.id}`,
    };
  const run = tx.runsInFlight().find((each) => agents.some(({ id }) => takesPart(each, id)));
  if (run === undefined) return undefined;
  return {
    code: 'worktree_in_use',
    sentence: `Handoff ${run.id} uses the worktree ${worktree.name}`,
    hint: howToWait(run),
    runId: run.id,
    runStep: run.step,
  };
}

/**
 * How many times Baton looks for running processes before it refuses a removal. A process that was told to stop takes a
 * moment to exit, so one look is not enough.
 */
const LOOKS = 4;
const BETWEEN_MS = 250;

/**
 * Refuses to remove a worktree while processes work in it, for example a shell of the operator, an external session or
 * a server that was left running.
 */
export async function refuseProcessesIn(
  ports: Pick<Ports, 'clock' | 'processesIn'>,
  { name, path }: Worktree,
): Promise<Refusal | undefined> {
  for (let look = 1; ; look++) {
    let found: Awaited<ReturnType<Ports['processesIn']>>;
    try {
      found = await ports.processesIn(path);
    } catch (error) {
      const sentence = `Baton cannot tell whether a program uses the worktree ${name}: ${errorMessage(error)}`;
      return { code: 'worktree_in_use', sentence, hint: 'Fix the cause, then try again' };
    }
    if (found.length === 0) return undefined;
    if (look === LOOKS) return programsIn(name, found);
    await new Promise<void>((resolve) => ports.clock.after(BETWEEN_MS, resolve));
  }
}

const MAX_NAMED = 3;

function programsIn(name: string, found: readonly { readonly pid: number; readonly name: string }[]): Refusal {
  const named = found.slice(0, MAX_NAMED).map((each) => `${each.pid} (${each.name})`);
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  return {
    code: 'worktree_in_use',
    sentence: `${found.length === 1 ? 'Process' : 'Processes'} ${named.join(', ')}${more} still ${found.length === 1 ? 'runs' : 'run'} in the worktree ${name}`,
    hint: `End the ${found.length === 1 ? 'process' : 'processes'}, or leave that folder in the terminal (cd), and try again`,
  };
}
