import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { syncHandoffPackages } from '../../../src/app/packages/background/sync-handoff-packages.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { aRun } from '../../adapters/stores/store-contract.ts';
import { type SqlCount, sqlOf, watchSql } from '../../support/count-sql.ts';
import { SimWorld } from './sim-world.ts';

afterEach(() => vi.restoreAllMocks());

const SHA256 = 'a'.repeat(64);
const DOCUMENT = { path: 'data/x.md', absolutePath: '/home/data/x.md', sha256: SHA256, bytes: 3, markerFound: true };

/** Creates `count` agents, each with a handoff at the given step. */
async function inFlight(sim: SimWorld, count: number, step: Run['step']): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { id } = await sim.addAgent();
    const document = { ...DOCUMENT, path: `data/x${n}.md` };
    const delivery = { ref: `r${n}`, submitted: true, submittedPromptId: 'p', accepted: true, lastRefusal: null };
    await sim.ports.store.write((tx) => {
      const record = {
        agentId: id,
        reason: 'context_limit',
        filePath: document.path,
        injectionPrompt: 'go on',
      } as const;
      const handoffId = step === 'shutting_down' ? tx.insertHandoff(record).id : null;
      tx.insertRun({ ...aRun(id, { step, document, delivery, handoffId, createdAt: sim.ports.clock.now() }) });
    });
  }
}

/** Counts the SQL statements that `work` causes while `count` agents are in a handoff. */
async function costWith(count: number, step: Run['step'], work: (sim: SimWorld) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'baton-many-'));
  const store = openSqliteStore(join(folder, 'baton.db'), () => 'many');
  try {
    const sim = new SimWorld();
    Object.assign(sim.ports, { store });
    await inFlight(sim, count, step);
    return await sqlOf(() => work(sim));
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const stopped = { type: 'turn_ended', agentId: 1, promptId: 'p', backgroundTasks: 0 } as const;

it.each<[string, Run['step'], (sim: SimWorld) => Promise<unknown>]>([
  ['the Stop after the document', 'awaiting_document', (sim) => sim.record(stopped)],
  [
    'the end of the process',
    'shutting_down',
    (sim) => sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'its process has ended' }),
  ],
  [
    'the package of a handoff',
    'shutting_down',
    async (sim) => {
      await sim.ports.store.write((tx) => tx.markRunDirty(1));
      await syncHandoffPackages(sim.ports);
      expect(sim.notices('package_sealed')).toHaveLength(1);
    },
  ],
])('"%s" takes as many SQL statements with 50 agents in a handoff as with 5', async (_name, step, work) => {
  watchSql();
  const few = await costWith(5, step, work);
  const many = await costWith(50, step, work);
  expect(many).toEqual<SqlCount>(few);
  expect(few.statements).toBeGreaterThan(5);
});

it('a change notice from tmux costs one tmux call, even with 50 agents', async () => {
  const sim = new SimWorld();
  await inFlight(sim, 50, 'shutting_down');
  const { terminal } = sim.ports;
  const asked = { lists: 0, screens: 0 };
  const { list } = terminal;
  Object.assign(terminal, {
    list: async () => {
      asked.lists++;
      return list();
    },
    capture: async () => void asked.screens++,
  });
  sim.panes = { ...sim.panes, panes: sim.panes.panes.slice(1) };
  await createReconciler(sim.ports, createHealth(sim.ports)).observeEnds();
  expect(sim.agent(1).state).toBe('ended');
  expect(sim.run(1).step).toBe('creating_successor');
  expect(asked).toEqual({ lists: 1, screens: 0 });
});

it('if two concurrent checks find the end of the same process, the end is recorded once', async () => {
  const sim = new SimWorld();
  await sim.addAgent();
  sim.panes = { ...sim.panes, panes: [] };
  const reconciler = createReconciler(sim.ports, createHealth(sim.ports));
  await Promise.all([reconciler.look(), reconciler.observeEnds()]);
  expect(sim.notices('agent_process_gone')).toHaveLength(1);
});
