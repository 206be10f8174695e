import { expect, it } from 'vitest';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { SimWorld } from './sim-world.ts';

const inbox = (sim: SimWorld) => sim.ports.store.read((tx) => tx.openInboxItems().map(({ sentence }) => sentence));

it('[X-7] Baton warns before the disk is full, and withdraws the warning when space is free again', async () => {
  const sim = new SimWorld();
  const health = createHealth(sim.ports);
  const { look } = createReconciler(sim.ports, health);
  sim.room = { path: '/home', freeBytes: 3 * 1_048_576, freeInodes: 12 };
  for (let times = 0; times < 3; times++) await look();
  const sentence = expect.stringContaining(
    '3 MB and 12 inodes are free on the disk of /home. Free some space on that disk',
  );
  expect(inbox(sim)).toEqual([sentence]);
  expect(health.current()).toEqual([sentence]);
  sim.room = { path: '/home', freeBytes: 1e12, freeInodes: null };
  await look();
  expect([inbox(sim), health.current()]).toEqual([[], []]);
});

it('the inbox item about exactly one lost hook event uses the singular', async () => {
  const sim = new SimWorld();
  const overflow = async () => ({ key: 'dropped@1', count: 1, couldNotBeWritten: false });
  Object.assign(sim.ports.spool, { overflow, overflowTold: async () => undefined });
  await drainSpool(sim.ports);
  expect(inbox(sim)).toEqual([expect.stringMatching(/^1 hook event \(a report from an agent\) was dropped, because/)]);
});

it('[X-7] Baton reports, once and with the cause, that hooks could not be written', async () => {
  const sim = new SimWorld();
  const lost = { key: 'unwritten@1', count: 3, couldNotBeWritten: true };
  const told: string[] = [];
  Object.assign(sim.ports.spool, {
    overflow: async () => lost,
    overflowTold: async ({ key }: { key: string }) => void told.push(key),
  });
  await drainSpool(sim.ports);
  await drainSpool(sim.ports);
  expect(inbox(sim)).toEqual([
    expect.stringContaining('At least 3 hook events (reports from agents) could not be written, because the disk'),
  ]);
  expect(told).toEqual([lost.key, lost.key]);
});
