import { isLive } from '../../../domain/agents/agent.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import { unavailableReason } from '../../agents/unavailable-reason.ts';
import { createAgent } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { notePackage } from '../record-package-fact.ts';

/** A package for a workflow step that has no live receiver, with the data for starting a receiver. */
interface Waiting {
  readonly stored: StoredPackage;
  readonly persona: Persona;
  readonly projectPath: string;
  /** The runtime for the new agent; undefined if Baton does not know which runtime this persona uses. */
  readonly runtime: string | undefined;
}

/**
 * Starts an agent for the next workflow step if the step has no live agent (SPEC P30). One transaction writes the
 * agent's row, the launch effect and a note in the package. So after a crash, either all three exist or none of them
 * does.
 */
export async function startReceivers(ports: Ports): Promise<void> {
  await noteFailedStarts(ports);
  for (const waiting of ports.store.read((tx) => withoutReceiver(tx))) {
    const problem = await whyNot(ports, waiting);
    await ports.store.write((tx) => startIn(tx, ports, waiting, problem));
    ports.checkpoint('receiver:started');
  }
}

/**
 * Returns, for each persona without an agent, the oldest package that waits for an agent with that persona, because one
 * new agent receives all packages of its persona.
 */
function withoutReceiver(tx: Tx): readonly Waiting[] {
  return tx.packageKeys('start').flatMap((key): Waiting[] => {
    const persona = tx.personaBySlug(key.name);
    const project = tx.projectById(key.projectId);
    if (persona === undefined || project === undefined || isThere(tx, persona, project.id)) return [];
    return tx
      .packagesMarked('start', key, 1)
      .map((stored) => ({ stored, persona, projectPath: project.path, runtime: runtimeFor(tx, stored, persona) }));
  });
}

/**
 * True if an agent has this persona in this project, or may soon have it. An agent may soon have it if a run with this
 * persona is in flight or has failed, because such a run may still start a successor.
 */
function isThere(tx: Tx, { id }: Persona, projectId: number): boolean {
  if (tx.liveAgents().some((agent) => agent.personaId === id && agent.projectId === projectId && isLive(agent)))
    return true;
  const last = tx.latestAgentOf({ personaId: id, projectId });
  const run = last === undefined ? undefined : tx.runsOfAgent(last.id).at(-1);
  return run !== undefined && run.step !== 'completed' && run.step !== 'cancelled';
}

/** Returns the sender's runtime or, if a person sent the package, the runtime that the persona used last. */
function runtimeFor(tx: Tx, { senderAgentId }: StoredPackage, { id }: Persona): string | undefined {
  const sender = senderAgentId === null ? undefined : tx.agentById(senderAgentId);
  return (sender ?? tx.latestAgentOf({ personaId: id }))?.runtime;
}

/**
 * Returns the reason why no agent can be started for this package, or null. The checks are the same as for an agent
 * that the operator starts.
 */
async function whyNot(ports: Ports, { persona, runtime: id, projectPath }: Waiting): Promise<string | null> {
  if (persona.status === 'archived') return `persona ${persona.slug} is archived`;
  const runtime = id === undefined ? undefined : ports.runtimes.get(id);
  if (runtime === undefined) return 'Baton does not know which agent program this persona uses';
  return (await unavailableReason(ports, runtime)) ?? (await ports.files.whyNotAProject(projectPath)) ?? null;
}

function startIn(tx: Tx, ports: Ports, wanted: Waiting, problem: string | null): void {
  // Read the store again: in the meantime an agent may have been started or have read the package.
  const now = withoutReceiver(tx).find(({ stored }) => stored.record.id === wanted.stored.record.id);
  if (now === undefined) return;
  const { stored, persona, runtime } = now;
  const { projectId } = stored;
  const request = { projectId, personaId: persona.id, runtime: runtime ?? '', previousAgentId: null };
  const agentId = problem === null ? createAgent(tx, ports, request).id : null;
  note(tx, ports, stored, { agentId, problem });
}

/**
 * Finds agents that Baton started for a package and that ended before their session began. Records each failure with
 * its package, so that Baton starts no further agent for this package.
 */
async function noteFailedStarts(ports: Ports): Promise<void> {
  const failed = ports.store.read((tx) => failedStarts(tx));
  if (failed.length === 0) return;
  await ports.store.write((tx) => {
    for (const { stored, agentId, problem } of failedStarts(tx)) note(tx, ports, stored, { agentId, problem });
  });
}

function failedStarts(tx: Tx) {
  return tx.packageKeys('started').flatMap(({ agentId }) => {
    const agent = tx.agentById(agentId);
    const hasFailed = agent !== undefined && !isLive(agent) && agent.registeredAt === null;
    if (!hasFailed) return [];
    // Baton records the start of an agent with exactly one package, so read only one package.
    const [stored] = tx.packagesMarked('started', { agentId }, 1);
    return stored === undefined ? [] : [{ stored, agentId, problem: `agent ${agent.id} ${agent.stateReason}` }];
  });
}

/** Records the start of a receiver, unless the same start is already recorded. */
function note(tx: Tx, ports: Ports, stored: StoredPackage, start: NonNullable<StoredPackage['start']>): void {
  if (stored.start?.agentId === start.agentId && stored.start.problem === start.problem) return;
  const { record } = stored;
  notePackage(tx, ports, stored, { note: 'receiver_started', agentId: start.agentId, record, changes: { start } });
}
