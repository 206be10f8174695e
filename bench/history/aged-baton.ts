import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { createEngine } from '../../src/app/engine/engine.ts';
import { createHealth } from '../../src/app/engine/health.ts';
import { createReconciler } from '../../src/app/engine/reconcile.ts';
import type { Ports } from '../../src/app/ports/index.ts';
import type { Store } from '../../src/app/ports/store.ts';
import type { Agent } from '../../src/domain/agents/agent.ts';
import type { Fact } from '../../src/domain/facts.ts';
import { SimWorld } from '../../test/app/engine/sim-world.ts';
import { ApiInProcess, OPERATOR } from '../../test/surfaces/http/api-in-process.ts';
import { growHistory, type History } from './grow-history.ts';

/**
 * The lists that the web page and the command line show. Each list has more entries than fit on one page of the list,
 * even in the young store (the store with little history).
 */
export const LISTS = [
  '/api/agents?live=1',
  '/api/agents',
  '/api/agents/restore',
  '/api/runs',
  '/api/handoffs?limit=50',
  '/api/inbox',
  '/api/packages?limit=50',
  '/api/packages?limit=50&open=1',
  '/api/events?limit=50&order=desc',
  '/api/events?limit=50&type=turn_ended,handoff_progress',
  '/api/events?limit=50&package=HO-2024-00003',
  '/api/personas/developer-old-1/lineage?limit=50',
  '/api/personas/developer-old-1/knowledge',
  '/api/search?q=invoice&limit=20',
  '/api/usage?by=persona',
] as const;

/**
 * A Baton with two live agents and some history. Its use cases, routes and reconciler are real and use a real store on
 * disk. Terminal, files and clock are fakes, and no timer runs.
 */
export interface AgedBaton {
  readonly store: Store;
  /** Opens the store, runs the engine until its first reconcile is done, then stops the engine and closes the store. */
  start(): Promise<void>;
  reconcile(): Promise<void>;
  /** Processes one hook of an agent that is not in a handoff. */
  event(): Promise<void>;
  /** Requests a handoff and cancels it. */
  handoff(): Promise<void>;
  list(path: string): Promise<void>;
  end(): Promise<void>;
}

export async function ageBaton(history: History): Promise<AgedBaton> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-aged-'));
  const path = join(folder, 'baton.db');
  const filled = openSqliteStore(path, () => 'aged');
  await growHistory(filled, history);
  filled.close();
  // Measure the start of Baton on a copy of the store, because the store itself stays open during the bench.
  const startPath = join(folder, 'started.db');
  copyFileSync(path, startPath);
  const world = new SimWorld();
  const store = openSqliteStore(path, () => 'aged');
  const { ports } = world;
  Object.assign(ports, { store });
  const other = await world.addAgent();
  const reconciler = createReconciler(ports, createHealth(ports));
  await closeOldOffers(ports);
  const started = openSqliteStore(startPath, () => 'aged');
  await closeOldOffers({ ...ports, store: started });
  started.close();
  const api = new ApiInProcess(ports);
  await api.listen();
  const call = async (method: 'GET' | 'POST', address: string, body?: object): Promise<void> => {
    const answered = await api.call<{ error?: string }>(method, address, body, OPERATOR);
    if (answered.status >= 400) throw new Error(`${address}: ${answered.body.error}`);
  };
  return {
    store,
    start: async () => {
      const own = openSqliteStore(startPath, () => 'aged');
      const engine = createEngine({ ...ports, store: own });
      await engine.start();
      await engine.stop();
      own.close();
    },
    reconcile: () => reconciler.look(),
    event: () => world.record(toolUsed(other)),
    handoff: async () => {
      // Use a new agent for each handoff. If one agent made all handoffs, this agent would collect far more runs than
      // a real agent has.
      const outgoing = await world.addAgent();
      const { id } = await world.handOver(outgoing.id);
      await call('POST', `/api/runs/${id}/cancel`, {});
      await store.write((tx) => tx.saveAgent({ ...outgoing, state: 'ended' }));
    },
    list: (address) => call('GET', address),
    end: async () => {
      await api.remove();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reconciles until Baton no longer offers to restore the agents that were lost long ago. */
async function closeOldOffers(ports: Ports): Promise<void> {
  const reconciler = createReconciler(ports, createHealth(ports));
  do await reconciler.look();
  while (ports.store.read((tx) => tx.agentsToRestore()).length > 0);
}

const toolUsed = ({ id: agentId }: Agent): Fact => ({
  type: 'tool_used',
  agentId,
  tool: 'Read',
  promptId: null,
  phase: 'began',
});
