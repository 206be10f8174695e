import type { Project } from '../../../app/ports/store.ts';
import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { wentOnIn } from '../../../domain/agents/resume.ts';
import { type Handoff, type Run, takesPart } from '../../../domain/handoffs/run.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import type { Worktree } from '../../../domain/worktrees/worktree.ts';
import type { HttpDeps } from '../server/route.ts';

/** The related rows needed to show agents. Each is read from the store only when needed, and once for a whole list. */
export interface AgentRelations {
  readonly tmuxSocket: string;
  readonly handoffAtPercent: number;
  readonly now: Instant;
  personaOf(agent: Agent): Persona | undefined;
  projectOf(agent: Agent): Project | undefined;
  worktreeOf(agent: Agent): Worktree | undefined;
  /** The id of the agent that continues an ended agent's conversation; null for a live agent. */
  resumedAs(agent: Agent): number | null;
  runInFlightOf(agent: Agent): Run | undefined;
  /** The runs and record that decide whether a handoff can begin; for an ended agent only its runs in flight. */
  pastOf(agent: Agent): { readonly runs: readonly Run[]; readonly record: Handoff | undefined };
  /** The agent's handoff record (seed 003, `agent.handoff`). */
  recordOf(agent: Agent): Handoff | undefined;
  attachCommand(agent: Agent): string;
}

export function agentRelations({ ports, tmuxSocket }: HttpDeps): AgentRelations {
  const { store, terminal, operatorSettings } = ports;
  const persona = remembered((id) => store.read((tx) => tx.personaById(id)));
  const project = remembered((id) => store.read((tx) => tx.projectById(id)));
  const worktree = remembered((id) => store.read((tx) => tx.worktreeById(id)));
  let inFlight: readonly Run[] | undefined;
  let records: readonly Handoff[] | undefined;
  const touching = ({ id }: Agent): readonly Run[] => {
    inFlight ??= store.read((tx) => tx.runsInFlight());
    return inFlight.filter((run) => takesPart(run, id));
  };
  const recordOf = (agent: Agent): Handoff | undefined => {
    if (!isLive(agent)) return store.read((tx) => tx.handoffOfAgent(agent.id));
    records ??= store.read((tx) => tx.handoffsOfLiveAgents());
    return records.find(({ agentId }) => agentId === agent.id);
  };
  return {
    tmuxSocket,
    handoffAtPercent: operatorSettings.current().handoffAtPercent,
    now: ports.clock.now(),
    personaOf: ({ personaId }) => (personaId === null ? undefined : persona(personaId)),
    worktreeOf: ({ worktreeId = null }) => (worktreeId === null ? undefined : worktree(worktreeId)),
    resumedAs: (agent) =>
      isLive(agent) ? null : (wentOnIn(store.read((tx) => tx.successorsOf(agent.id)))?.id ?? null),
    projectOf: ({ projectId }) => project(projectId),
    runInFlightOf: (agent) => touching(agent)[0],
    pastOf: (agent) => {
      const runs = touching(agent);
      if (runs.length > 0 || !isLive(agent)) return { runs, record: undefined };
      const record = recordOf(agent);
      // Finished runs block the next handoff only if the agent has a record, so they are loaded only then.
      return record === undefined ? { runs, record } : { runs: store.read((tx) => tx.runsOfAgent(agent.id)), record };
    },
    recordOf,
    attachCommand: ({ tmuxSession, pane }) => terminal.attachCommand(tmuxSession, pane),
  };
}

function remembered<T>(ask: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    if (!known.has(id)) known.set(id, ask(id));
    return known.get(id) as T;
  };
}
