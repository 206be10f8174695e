import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Fleet, until } from './fleet.ts';
import { Machine } from './machine.ts';

/**
 * Starts a second Baton on a copy of a machine's home while the machine itself runs. Returns true if the second Baton
 * sends nothing to the hub and reports the reason.
 */
export async function refusesCopy(machine: Machine, fleet: Fleet, scratch: string): Promise<boolean> {
  const folder = mkdtempSync(join(scratch, 'copy-'));
  cpSync(machine.folder, folder, { recursive: true });
  const copy = new Machine({ ...machine.options, onDisk: { folder } });
  await copy.work();
  await copy.control.start();
  const isRefused = await hasProblem(copy, 'identity_in_use');
  await copy.kill();
  await machine.work();
  await fleet.caughtUp([machine], []);
  return isRefused && machine.control.status().problem === undefined;
}

/**
 * Replaces a machine's home by an older copy. Returns true if the machine notices that its log is older than the hub's
 * copy of the log.
 */
export async function noticesRestored(machine: Machine, fleet: Fleet, scratch: string): Promise<boolean> {
  const folder = mkdtempSync(join(scratch, 'backup-'));
  cpSync(machine.folder, folder, { recursive: true });
  for (let count = 0; count < 5; count++) await machine.work();
  await fleet.caughtUp([machine], []);
  await machine.kill();
  const restored = new Machine({ ...machine.options, onDisk: { folder } });
  await restored.work();
  await restored.control.start();
  const isNoticed = await hasProblem(restored, 'log_went_back');
  // Let the restored log become longer than the copy on the hub. The machine must still notice that the two logs
  // differ.
  await restored.kill();
  for (let count = 0; count < 9; count++) await restored.work();
  await restored.restart();
  const isStillNoticed = await hasProblem(restored, 'log_went_back');
  await restored.kill();
  return isNoticed && isStillNoticed;
}

const hasProblem = (machine: Machine, code: string): Promise<boolean> =>
  until(`the problem ${code} is noticed`, async () => machine.control.status().problem?.code === code, 60_000).then(
    () => true,
    () => false,
  );
