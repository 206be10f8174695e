import type { Store, Tx } from '../../src/app/ports/store.ts';
import type { Agent } from '../../src/domain/agents/agent.ts';
import { type Instant, instantFromMs } from '../../src/domain/instant.ts';
import { distinctWords } from '../../src/domain/search/search-words.ts';
import { aPackage } from '../../test/adapters/stores/package-store-contract.ts';
import { anAgent, aRun } from '../../test/adapters/stores/store-contract.ts';
import { fresh } from '../../test/domain/packages/package-kit.ts';

/** The number of entries of each kind in the history. */
export interface History {
  readonly agents: number;
  /** The number of agents that were lost when a tmux server ended, and that were never restored. */
  readonly lost: number;
  /**
   * The number of completed handoff runs. For each run, the history has a record, a successor, a closed point, a
   * decided lesson and a text that the search finds. An agent has at most one run. A lost agent has no run.
   */
  readonly runs: number;
  readonly events: number;
  readonly packages: number;
}

export interface Grown {
  readonly projectId: number;
  readonly personaId: number;
  readonly otherPersonaId: number;
}

const IN_ONE_WRITE = 500;
const DAY_MS = 86_400_000;
const BEGAN_MS = Date.parse('2023-11-15T08:00:00.000Z');
/** The number of agents that are lost together when one tmux server ends. */
const LOST_TOGETHER = 8;
/**
 * The history has two personas. The second one has this many closed points and as many decided lessons, whatever the
 * size of the history.
 */
const FEW = 5;

/** Fills a store with years of history through the store's own code: ended agents, completed runs, finished packages. */
export async function growHistory(store: Store, history: History): Promise<Grown> {
  const grown = await store.write((tx) => {
    const createdAt = instantFromMs(BEGAN_MS);
    const project = tx.insertProject({ name: 'history', path: '/history', createdAt });
    const persona = tx.insertPersona(
      { role: 'developer', name: 'Old', status: 'active', createdAt },
      (id) => `developer-old-${id}`,
    );
    const other = tx.insertPersona(
      { role: 'reviewer', name: 'Few', status: 'active', createdAt },
      (id) => `reviewer-few-${id}`,
    );
    return { projectId: project.id, personaId: persona.id, otherPersonaId: other.id };
  });
  await inPieces(store, history.agents, (tx, index) => addAgent(tx, history, grown, index));
  await inPieces(store, history.runs, (tx, index) => addRun(tx, history, grown, index));
  const ofOther = { personaId: grown.otherPersonaId, runId: 1, at: instantFromMs(BEGAN_MS) };
  await inPieces(store, FEW, (tx, index) => addKnowledge(tx, { ...ofOther, index }));
  await inPieces(store, history.packages, (tx, index) => addPackage(tx, grown, index));
  await inPieces(store, history.events, (tx, index) => addEvent(tx, history, index));
  return grown;
}

async function inPieces(store: Store, count: number, add: (tx: Tx, index: number) => void): Promise<void> {
  for (let from = 0; from < count; from += IN_ONE_WRITE)
    await store.write((tx) => {
      for (let index = from; index < Math.min(count, from + IN_ONE_WRITE); index++) add(tx, index);
    });
}

/** Returns the time of one entry of the history. The entries are spread evenly over the two years after BEGAN_MS. */
const momentOf = (index: number, count: number): Instant =>
  instantFromMs(BEGAN_MS + Math.floor((index / Math.max(1, count)) * 2 * 365 * DAY_MS));

function addAgent(tx: Tx, { agents, lost }: History, { projectId, personaId }: Grown, index: number): void {
  const at = momentOf(index, agents);
  const outage = Math.floor(index / LOST_TOGETHER) + 1;
  const pane = { serverPid: outage, serverStartedAt: outage, paneId: `%${index}`, panePid: 9, tag: `old-${index}` };
  const over: Partial<Agent> = {
    sessionUuid: `h${index}`,
    tokenHash: `h${index}`,
    projectId,
    personaId,
    // Mark the last agents as lost, not the first ones. The first agents have handoff runs, so they must be ended.
    ...(index >= agents - lost ? { state: 'lost', pane } : { state: 'ended' }),
    startedAt: at,
    registeredAt: at,
    lastSeenAt: at,
    endedAt: at,
  };
  const { id: agentId, runtime } = tx.insertAgent(anAgent(over));
  const tokens = { input: 10, output: 20, cacheRead: 3_000, cacheWrite: 40 };
  tx.addUsage({ day: at.slice(0, 10), agentId, personaId, projectId, runtime }, { tokens, costMicros: null });
}

function addRun(tx: Tx, { runs }: History, { personaId, projectId }: Grown, index: number): void {
  const [agentId, successorAgentId] = [index + 1, index + 2];
  const at = momentOf(index, runs);
  const { id: handoffId } = tx.insertHandoff({
    agentId,
    reason: 'context_limit',
    filePath: `data/h${agentId}.md`,
    injectionPrompt: 'Read it.',
    createdAt: at,
  });
  const over = { successorAgentId, handoffId, step: 'completed' as const, createdAt: at, updatedAt: at };
  const { id: runId } = tx.insertRun(aRun(agentId, over));
  addKnowledge(tx, { personaId, index, runId, at });
  const text = `The history of run ${runId}: decide between the two ways to store an invoice.`;
  const place = { agentId, personaIds: [personaId], projectId, runId, packageId: null, line: null, sha256: null };
  tx.indexText({ kind: 'prompt', key: `history/${runId}`, at, text, ...place }, distinctWords(text));
}

interface Learned {
  readonly personaId: number;
  readonly index: number;
  readonly runId: number;
  readonly at: Instant;
}

/** Adds a closed point and a decided lesson, as if a handoff document had contained them long ago. */
function addKnowledge(tx: Tx, { personaId, index, runId, at }: Learned): void {
  const closed = { by: 'agent', runId, at } as const;
  const text = `Step ${index} of the invoices`;
  const lineage = personaId * 1_000_000 + index;
  tx.insertPoint({
    kind: 'next_step',
    text,
    personaId,
    lineage,
    runId,
    namedByRunId: runId,
    createdAt: at,
    closed,
  });
  const state = index % 2 === 0 ? 'accepted' : 'discarded';
  tx.insertLesson({ personaId, text, state, runId, createdAt: at, decidedAt: at, isAutomatic: false });
}

function addPackage(tx: Tx, { projectId }: Grown, index: number): void {
  const id = `HO-2024-${String(index + 1).padStart(5, '0')}`;
  const record = { ...fresh(), id, state: 'completed' as const };
  tx.savePackage(aPackage(id, { projectId, record }));
  tx.packageWritten(id, 1);
}

const TYPES = ['tool_used', 'turn_ended', 'prompt_submitted', 'context_measured'];

function addEvent(tx: Tx, { agents, runs, packages, events }: History, index: number): void {
  const isOfPackage = packages > 0 && index % 20 === 0;
  const isOfRun = runs > 0 && index % 10 === 1;
  tx.appendEvent({
    at: momentOf(index, events),
    agentId: agents === 0 || isOfPackage ? null : (index % agents) + 1,
    runId: isOfRun ? (index % runs) + 1 : null,
    type: isOfPackage ? 'package_completed' : (TYPES[index % TYPES.length] ?? 'tool_used'),
    data: isOfPackage
      ? { packageId: `HO-2024-${String((index % packages) + 1).padStart(5, '0')}` }
      : { detail: 'an event of long ago' },
    dedupeKey: null,
  });
}
