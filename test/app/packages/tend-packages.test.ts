import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPackageTender } from '../../../src/app/packages/background/tend-packages.ts';
import type { Tx } from '../../../src/app/ports/store.ts';
import { PackageScene } from '../../surfaces/http/packages/package-scene.ts';

let scene: PackageScene;
let look: () => Promise<void>;
let keysRead: number;
let fault: Error | undefined;

beforeEach(async () => {
  scene = await new PackageScene().begin();
  const { ports } = scene.world;
  const { store } = ports;
  const counting = (tx: Tx): Tx => ({
    ...tx,
    packageKeys: (mark) => {
      keysRead++;
      if (fault !== undefined) throw fault;
      return tx.packageKeys(mark);
    },
  });
  Object.assign(ports, {
    store: { ...store, read: <T>(work: (tx: Tx) => T) => store.read((tx) => work(counting(tx))) },
  });
  look = createPackageTender(ports);
  await scene.create();
  // The first call handles all waiting packages, so the second call finds nothing to write.
  await look();
  await look();
  keysRead = 0;
});
afterEach(() => scene.api.remove());

describe('the periodic check of packages', () => {
  it('while the store has not changed, the periodic check reads only the deadlines of packages', async () => {
    for (let times = 0; times < 4; times++) {
      scene.world.pass(2_000);
      await look();
    }
    expect(keysRead).toBe(0);
  });

  it('after a change of the store, the periodic check reads all packages', async () => {
    await scene.create();
    await look();
    expect(keysRead).toBeGreaterThan(0);
  });

  it('the periodic check reads all packages at least every ten seconds', async () => {
    scene.world.pass(10_000);
    await look();
    expect(keysRead).toBeGreaterThan(0);
  });

  it('after a failed check, the next periodic check reads all packages', async () => {
    await scene.create();
    fault = new Error('the disk is gone');
    await expect(look()).rejects.toThrow('the disk is gone');
    fault = undefined;
    keysRead = 0;
    await look();
    expect(keysRead).toBeGreaterThan(0);
  });
});
