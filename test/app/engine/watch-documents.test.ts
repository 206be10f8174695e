import { expect, it } from 'vitest';
import { createDocumentWatch } from '../../../src/app/engine/watch-documents.ts';
import { aRun } from '../../adapters/stores/store-contract.ts';
import { SimWorld } from './sim-world.ts';

const DOCUMENT = { path: 'data/x.md', absolutePath: '/home/data/x.md', sha256: null, bytes: null, markerFound: null };
const COMPLETE = { fingerprint: 'f', markerFound: true };

/** Creates an agent that still counts as working although its document is complete, because its Stop hook was lost. */
async function withoutStop(state: 'working' | 'unknown' = 'working'): Promise<SimWorld> {
  const sim = new SimWorld();
  const { id } = await sim.addAgent({ state, rested: false });
  await sim.ports.store.write((tx) =>
    tx.insertRun({ ...aRun(id, { step: 'awaiting_document', document: DOCUMENT, createdAt: sim.ports.clock.now() }) }),
  );
  sim.evidence = COMPLETE;
  return sim;
}

/** Resolves when the run has left the step in which it waits for the document. */
function verified(sim: SimWorld): Promise<void> {
  return new Promise((resolve) => {
    sim.ports.store.onCommit(() => {
      if (sim.run().step !== 'awaiting_document') resolve();
    });
  });
}

it('[H13] an agent counts as idle if its document is finished and its client has reported idle for half a second', async () => {
  const sim = await withoutStop();
  sim.status = { status: 'idle' };
  const beganMs = sim.monotonic;
  const found = verified(sim);
  createDocumentWatch(sim.ports).follow();
  await found;
  expect(sim.monotonic - beganMs).toBeGreaterThanOrEqual(500);
  expect(sim.run().step).toBe('verifying');
  expect(sim.agent(1)).toMatchObject({ state: 'idle' });
  expect(sim.notices('agent_seen_idle')).toEqual([{ agentId: 1, by: 'status' }]);
});

it.each(['working', 'unknown'] as const)(
  '[H13] [H6] if the composer of an agent in the state "%s" is free for two seconds, Baton accepts the document but does not call the agent idle',
  async (state) => {
    const sim = await withoutStop(state);
    const beganMs = sim.monotonic;
    const found = verified(sim);
    createDocumentWatch(sim.ports).follow();
    await found;
    expect(sim.monotonic - beganMs).toBeGreaterThanOrEqual(2_000);
    expect(sim.agent(1).state).toBe(state);
  },
);

it.each(['a client that reports work', 'a tool that has not ended'] as const)(
  "[H13] a complete document is not accepted while there is %s, even if the agent's composer is free",
  async (beside) => {
    const sim = await withoutStop();
    if (beside === 'a client that reports work') sim.status = { status: 'busy' };
    else await sim.record({ type: 'tool_used', agentId: 1, tool: 'Read', promptId: null, phase: 'began' });
    const watch = createDocumentWatch(sim.ports);
    watch.follow();
    const beganMs = sim.monotonic;
    while (sim.monotonic - beganMs < 5_000) await new Promise((resolve) => setImmediate(resolve));
    expect(sim.run().step).toBe('awaiting_document');
    watch.stop();
  },
);

it('[H6] after a hook event, Baton accepts the document only when the client has reported idle for another half second', async () => {
  const sim = await withoutStop();
  sim.status = { status: 'idle' };
  const beganMs = sim.monotonic;
  let hookMs = 0;
  const { readDocumentFacts } = sim.ports.files;
  sim.ports.files.readDocumentFacts = async (...args) => {
    if (hookMs === 0 && sim.monotonic - beganMs >= 300) {
      hookMs = sim.monotonic;
      await sim.record({ type: 'tool_used', agentId: 1, tool: 'Read', promptId: null, phase: 'ended' });
    }
    return readDocumentFacts(...args);
  };
  const found = verified(sim);
  createDocumentWatch(sim.ports).follow();
  await found;
  expect(hookMs).toBeGreaterThan(0);
  expect(sim.monotonic - hookMs).toBeGreaterThanOrEqual(500);
});

it('[H13] if a document changes while Baton reads the document, Baton reads the document again', async () => {
  const sim = await withoutStop();
  let change = (): void => undefined;
  sim.ports.files.watchDocument = (_path, listener) => {
    change = listener;
    return () => undefined;
  };
  let reads = 0;
  sim.ports.files.readDocumentFacts = async () => {
    // Simulate an agent that writes the end of its document just after Baton has read the beginning.
    if (++reads > 1) return COMPLETE;
    change();
    return { fingerprint: 'half', markerFound: false };
  };
  const found = verified(sim);
  createDocumentWatch(sim.ports).follow();
  await found;
  expect(sim.run().step).toBe('verifying');
});
