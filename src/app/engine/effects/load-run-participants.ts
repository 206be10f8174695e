import type { Agent } from '../../../domain/agents/agent.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import type { Ports } from '../../ports/index.ts';
import type { Project } from '../../ports/store.ts';
import { workingDirectoryOf } from '../../worktrees/working-directory.ts';

export interface RunParticipants {
  readonly run: Run;
  /** The agent that the run hands off. */
  readonly agent: Agent;
  readonly persona: Persona;
  readonly project: Project;
  /** The agent's working directory: the folder of the project, or a worktree. */
  readonly folder: string;
}

/** Loads the participants of a run. Throws if a participant is missing, because that can only be a bug. */
export function loadRunParticipants(ports: Ports, runId: number): RunParticipants {
  return ports.store.read((tx) => {
    const run = tx.runById(runId);
    const agent = run && tx.agentById(run.agentId);
    const persona = agent && agent.personaId !== null ? tx.personaById(agent.personaId) : undefined;
    const place = agent && workingDirectoryOf(tx, agent);
    if (!run || !agent || !persona || !place) throw new Error(`the stored data of handoff ${runId} is incomplete`);
    return { run, agent, persona, project: place.project, folder: place.folder };
  });
}
