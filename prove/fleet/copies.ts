import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
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
  if (!isRefused) return false;
  await machine.work();
  // If the copy did send something, the machine cannot continue its log on the hub.
  const hasContinued = await fleet.caughtUp([machine], []).then(
    () => true,
    () => false,
  );
  return hasContinued && machine.control.status().problem === undefined;
}

/**
 * Replaces a machine's home by an older copy while the hub has a command for the machine. The machine must notice that
 * its log is older than the hub's copy of the log, and must not take the command. Returns whether it noticed this, and
 * whether it took the command.
 */
export async function restoreHome(
  machine: Machine,
  sender: Machine,
  fleet: Fleet,
  broker: NatsConnection,
  scratch: string,
) {
  const { name } = machine.options;
  const folder = mkdtempSync(join(scratch, 'backup-'));
  cpSync(machine.folder, folder, { recursive: true });
  for (let count = 0; count < 5; count++) await machine.work();
  await fleet.caughtUp([machine], []);
  await machine.kill();
  void sender.control.send(name, COMMAND).catch(() => undefined);
  await until(`the hub has a command for ${name}`, async () => (await fleet.waitingCommands(name, broker)) === 1);
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
  const hasTaken = (await fleet.waitingCommands(name, broker)) !== 1;
  return { isNoticed: isNoticed && isStillNoticed, hasTaken };
}

const COMMAND = { method: 'POST', route: '/api/agents/1/stop', query: '', body: {}, operator: 'cli' } as const;

const hasProblem = (machine: Machine, code: string): Promise<boolean> =>
  until(`the problem ${code} is noticed`, async () => machine.control.status().problem?.code === code, 60_000).then(
    () => true,
    () => false,
  );
