import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { growHistory, type History } from '../../bench/history/grow-history.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { createEngine } from '../../src/app/engine/engine.ts';
import { createHealth } from '../../src/app/engine/health.ts';
import { createReconciler } from '../../src/app/engine/reconcile.ts';
import { type SqlCount, sqlOf, watchSql } from '../support/count-sql.ts';
import { ApiInProcess, OPERATOR } from '../surfaces/http/api-in-process.ts';
import { SimWorld } from './engine/sim-world.ts';

/** More than one page of every list. */
const FEW: History = { agents: 300, lost: 20, runs: 250, events: 800, packages: 250 };
const MANY: History = { agents: 3_000, lost: 400, runs: 2_500, events: 8_000, packages: 2_500 };

/** Work in the background may finish a moment sooner or later. */
const SLACK = 20;

const LISTS = [
  '/api/agents?live=1',
  '/api/agents',
  '/api/runs',
  '/api/handoffs?limit=50',
  '/api/inbox',
  '/api/packages?limit=50',
  '/api/packages?limit=50&open=1',
  '/api/events?limit=50',
  '/api/events?limit=50&type=turn_ended,handoff_progress',
  '/api/events?limit=50&package=HO-2024-00003',
  '/api/agents/restore',
  '/api/personas/developer-old-1/lineage?limit=50',
] as const;

/** Operations of a Baton with two live agents and this much history behind it, and the SQL that each of them costs. */
async function costsAfter(history: History): Promise<ReadonlyMap<string, SqlCount>> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-growth-'));
  const path = join(folder, 'baton.db');
  const filled = openSqliteStore(path, () => 'growth');
  await growHistory(filled, history);
  filled.close();

  const world = new SimWorld();
  const store = openSqliteStore(path, () => 'growth');
  Object.assign(world.ports, { store });
  const { ports } = world;
  const agent = await world.addAgent();
  const other = await world.addAgent();
  const costs = new Map<string, SqlCount>();
  const measure = async (name: string, work: () => unknown) => costs.set(name, await sqlOf(work));

  const reconciler = createReconciler(ports, createHealth(ports));
  // The first reconciles close the offers to restore agents that were lost long ago, in batches.
  for (let left = 1; left > 0; left = store.read((tx) => tx.agentsToRestore()).length) await reconciler.look();
  await measure('reconcile', () => reconciler.look());
  await measure('event', () => world.record({ type: 'tool_used', agentId: agent.id, tool: 'Read' }));
  await measure('handoff', () => world.handOver(agent.id));
  await measure('event in a handoff', () => world.record({ type: 'tool_used', agentId: agent.id, tool: 'Edit' }));
  await measure('message to another', () => world.record({ type: 'tool_used', agentId: other.id, tool: 'Read' }));

  const api = new ApiInProcess(ports);
  await api.listen();
  for (const list of LISTS) await measure(list, () => api.call('GET', list, undefined, OPERATOR));
  await api.remove();

  const engine = createEngine(ports);
  await measure('start', () => engine.start());
  await engine.stop();
  store.close();
  rmSync(folder, { recursive: true, force: true });
  return costs;
}

/** Speed is measured by benchmarks; this holds on any machine. */
describe('cost after years of history', () => {
  afterEach(() => vi.restoreAllMocks());

  it('[P10] reads as many rows and runs as many statements with ten times the history', async () => {
    watchSql();
    const few = await costsAfter(FEW);
    const many = await costsAfter(MANY);
    const grown = [...many].filter(([name, { statements, rows }]) => {
      const before = few.get(name);
      return before === undefined || statements > before.statements + SLACK || rows > before.rows + SLACK;
    });
    const told = grown.map(([name, { statements, rows }]) => {
      const before = few.get(name);
      return `${name}: ${before?.statements} statements and ${before?.rows} rows before, now ${statements} and ${rows}`;
    });
    expect(told).toEqual([]);
  });
});
