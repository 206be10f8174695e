import type { Agent } from '../../../domain/agents/agent.ts';
import type { GitFacts } from '../../../domain/handoffs/document/git-facts.ts';
import type { WorkSeen } from '../../../domain/handoffs/policy/auto-handoff.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { workingDirectoryOf } from '../../worktrees/working-directory.ts';

/**
 * Returns the run in which this agent took over from its predecessor. If this agent resumes the conversation of an
 * ended agent, returns the run in which the ended agent took over.
 */
export function takeoverOf(tx: Pick<Tx, 'runsOfAgent' | 'agentById'>, agent: Agent): Run | undefined {
  const { id, previousAgentId, resumesSession } = agent;
  if (previousAgentId === null) return undefined;
  if (resumesSession === null) return tx.runsOfAgent(previousAgentId).find((run) => run.successorAgentId === id);
  const resumed = tx.agentById(previousAgentId);
  return resumed && takeoverOf(tx, resumed);
}

/**
 * Compares the state of git now with its state when the predecessor's document was checked. Only a visible change
 * proves that the successor worked (SPEC H62). So returns undefined if nothing changed or git gave no answer.
 */
export async function findWork(ports: Pick<Ports, 'store' | 'projects'>, agent: Agent): Promise<WorkSeen | undefined> {
  const { before, folder } = ports.store.read((tx) => ({
    before: takeoverOf(tx, agent)?.git ?? null,
    folder: workingDirectoryOf(tx, agent)?.folder,
  }));
  if (before?.kind !== 'repository' || folder === undefined) return undefined;
  return changeIn(before, await ports.projects.git(folder));
}

function changeIn(before: GitFacts, now: GitFacts): WorkSeen | undefined {
  if (before.kind !== 'repository' || now.kind !== 'repository') return undefined;
  if (before.head !== now.head) return 'commit';
  if (before.dirty === null || now.dirty === null) return undefined;
  const isSame =
    JSON.stringify(before.dirty) === JSON.stringify(now.dirty) &&
    JSON.stringify(before.diffstat) === JSON.stringify(now.diffstat);
  return isSame ? undefined : 'edit';
}
