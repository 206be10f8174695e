import { remembered } from '../../../app/engine/remember-reads.ts';
import type { Project, Tx } from '../../../app/ports/store.ts';
import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { wentOnIn } from '../../../domain/agents/resume.ts';
import { type Handoff, type Run, takesPart } from '../../../domain/handoffs/run.ts';
import type { InboxItem } from '../../../domain/inbox/inbox.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import type { Worktree } from '../../../domain/worktrees/worktree.ts';
import type { HttpDeps } from '../server/route.ts';

/**
 * Reads the rows that belong to an agent, such as its persona and its project. Reads a row only when the answer needs
 * it, and reads it only once even if many agents share it.
 */
export interface AgentRelations {
  readonly tmuxSocket: string;
  readonly handoffAtPercent: number;
  readonly now: Instant;
  personaOf(agent: Agent): Persona | undefined;
  projectOf(agent: Agent): Project | undefined;
  worktreeOf(agent: Agent): Worktree | undefined;
  /** The id of the new agent that continues the conversation of this ended agent; null if there is no such agent. */
  resumedAs(agent: Agent): number | null;
  runInFlightOf(agent: Agent): Run | undefined;
  /**
   * The runs and the handoff record from which the server computes whether a handoff of the agent can begin. If the
   * agent has ended or a run is in flight, `runs` has only the runs in flight, and `record` is undefined.
   */
  pastOf(agent: Agent): { readonly runs: readonly Run[]; readonly record: Handoff | undefined };
  /** The handoff record of the agent; undefined if it has none (specification 003, `agent.handoff`). */
  recordOf(agent: Agent): Handoff | undefined;
  attachCommand(agent: Agent): string;
  /** Masks the secrets in a text. */
  redact(text: string): string;
  /** The open inbox items about the agent, about a run of the agent, or about a package that the agent sent. */
  itemsOf(agent: Agent): readonly InboxItem[];
}

export function agentRelations({ ports, tmuxSocket }: HttpDeps): AgentRelations {
  const { store, terminal, operatorSettings } = ports;
  const persona = remembered((id) => store.read((tx) => tx.personaById(id)));
  const project = remembered((id) => store.read((tx) => tx.projectById(id)));
  const worktree = remembered((id) => store.read((tx) => tx.worktreeById(id)));
  let inFlight: readonly Run[] | undefined;
  let records: readonly Handoff[] | undefined;
  let items: ReadonlyMap<number, readonly InboxItem[]> | undefined;
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
    redact: ports.secrets.redact,
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
      // Load finished runs only if the agent has a handoff record. Without a record they do not affect whether a
      // handoff can begin.
      return record === undefined ? { runs, record } : { runs: store.read((tx) => tx.runsOfAgent(agent.id)), record };
    },
    recordOf,
    itemsOf: ({ id }) => {
      items ??= store.read(openItemsByAgent);
      return items.get(id) ?? [];
    },
    attachCommand: ({ tmuxSession, pane }) => terminal.attachCommand(tmuxSession, pane),
  };
}

/** Returns the open inbox items of each agent, by the agent's id. One item can concern several agents. */
function openItemsByAgent(tx: Tx): ReadonlyMap<number, readonly InboxItem[]> {
  const byAgent = new Map<number, InboxItem[]>();
  for (const item of tx.openInboxItems())
    for (const id of agentsIn(tx, item)) byAgent.set(id, [...(byAgent.get(id) ?? []), item]);
  return byAgent;
}

function agentsIn(tx: Tx, { agentId, runId, cause }: InboxItem): ReadonlySet<number> {
  const run = runId === null ? undefined : tx.runById(runId);
  const sender = cause.of === 'package' ? tx.packageById(cause.packageId)?.senderAgentId : null;
  return new Set([agentId, run?.successorAgentId, sender].filter((id) => typeof id === 'number'));
}
