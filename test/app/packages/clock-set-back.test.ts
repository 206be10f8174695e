import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { packagesFromLog } from '../../../src/app/packages/background/rebuild-packages.ts';
import { createPackageTender } from '../../../src/app/packages/background/tend-packages.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import { delegation, gatePackage, PackageScene } from '../../surfaces/http/packages/package-scene.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let scene: PackageScene;
let tend: () => Promise<void>;
beforeEach(async () => {
  scene = await new PackageScene().begin();
  tend = createPackageTender(scene.world.ports);
});
/** Checks after each test that the package rows can be rebuilt from the log. */
afterEach(async () => {
  const { store } = scene.world.ports;
  expect(store.read(packagesFromLog)).toEqual(store.read((tx) => tx.packages({})));
  await scene.api.remove();
});

const look = async (): Promise<void> => {
  await tend();
  const runner = createEffectRunner(scene.world.ports);
  runner.wake();
  await runner.stop();
};
const pass = async (ms: number): Promise<void> => {
  scene.world.pass(ms);
  await look();
};
/** Sets the wall clock back. The monotonic clock continues. */
const setBack = async (ms: number): Promise<void> => {
  scene.world.nowMs -= ms;
  await look();
};
const stored = (id: string): StoredPackage => {
  const found = scene.world.ports.store.read((tx) => tx.packageById(id));
  if (found === undefined) throw new Error(`${id} does not exist`);
  return found;
};
const restarts = () => scene.events().filter(({ type }) => type === 'package_deadline_restarted').length;
const refuseTyping = async (): Promise<void> => {
  scene.world.outcome = { verdict: 'refused', reason: 'draft', detail: 'somebody types' };
  await look();
  scene.world.outcome = { verdict: 'typed', enters: 1 };
};

describe('[F35] packages after the clock was set back by a day', () => {
  it('[package P19] [F35] if Baton could not notify an agent of a package, Baton tries again after ten minutes, although the clock was set back by a day', async () => {
    const { body } = await scene.create();
    await refuseTyping();
    await setBack(DAY);
    await pass(11 * MINUTE);
    expect(stored(body.id).record.reminders).toBe(1);
    expect(scene.world.typed.map(({ text }) => text).join()).toContain(`package ${body.id}`);
  });

  it('[package P19] [F35] if the clock is set back while Baton is not running, Baton sets a new deadline for a package afterwards', async () => {
    const { body } = await scene.create();
    await look();
    scene.world.nowMs -= DAY;
    tend = createPackageTender(scene.world.ports);
    await look();
    await pass(11 * MINUTE);
    expect(stored(body.id).record.reminders).toBe(1);
  });

  it('[package P19] [F35] if the clock is set back twice, Baton sets a new deadline for a package exactly twice', async () => {
    await scene.create();
    await look();
    expect(restarts()).toBe(0);
    await setBack(DAY);
    for (let times = 0; times < 3; times++) await pass(MINUTE);
    expect(restarts()).toBe(1);
    await setBack(DAY);
    for (let times = 0; times < 3; times++) await pass(MINUTE);
    expect(restarts()).toBe(2);
  });

  it('[package P19] [F35] the deadline that is written in a gate does not change when the clock is set back', async () => {
    const gate = gatePackage();
    const deadline = '2026-11-16T09:00:00.000Z';
    const { body } = await scene.create(scene.con, { ...gate, gate: { ...gate.gate, deadline } });
    await look();
    await setBack(DAY);
    expect([stored(body.id).record.deadlineAt, restarts()]).toEqual([deadline, 0]);
  });

  it('[package P35] [F35] an announcement that was refused is repeated within minutes, although the clock was set back by a day', async () => {
    const { body } = await scene.create();
    await look();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/decline`, { code: 'overload' });
    await refuseTyping();
    await setBack(DAY);
    await pass(3 * MINUTE);
    expect(scene.world.typed.at(-1)?.text).toContain(`has declined your package ${body.id}`);
  });

  it('[package P15] [F35] the package of an ended receiver fails although the clock was set back by a day', async () => {
    const { body } = await scene.create(scene.con, delegation());
    await look();
    await scene.accept(scene.ann, body.id);
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    await look();
    expect(stored(body.id).record.state).toBe('accepted');
    await setBack(DAY);
    await pass(4 * MINUTE);
    expect(stored(body.id).record.state).toBe('failed');
  });
});
