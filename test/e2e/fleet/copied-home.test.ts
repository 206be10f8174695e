import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fleet, must, until } from '../../../prove/fleet/fleet.ts';
import { Machine } from '../../../prove/fleet/machine.ts';
import type { MachineList } from '../../../src/contract/fleet.ts';
import { needs } from '../../support/needs.ts';
import { NATS_SERVER } from './fleet-processes.ts';

describe('a copied home that reports before the original', needs(NATS_SERVER), () => {
  const fleet = new Fleet(500);
  let original: Machine;
  let copy: Machine;
  beforeAll(async () => {
    await fleet.found(1);
    const folder = mkdtempSync(join(tmpdir(), 'bt-original-'));
    original = await fleet.join('laptop', 1, { onDisk: { folder } });
    await fleet.caughtUp();
    await original.kill();
    const folderOfCopy = mkdtempSync(join(tmpdir(), 'bt-copy-'));
    cpSync(folder, folderOfCopy, { recursive: true });
    copy = new Machine({ ...original.options, onDisk: { folder: folderOfCopy } });
    await copy.control.start();
    await fleet.caughtUp([copy], []);
    await original.restart();
    await until('the original is told', async () => codeOf(original) === 'identity_in_use');
    await until('the original waits', async () =>
      original.lines.some((line) => line.includes('waiting until no other')),
    );
  }, 300_000);
  afterAll(async () => {
    await copy.kill();
    await fleet.end();
  }, 120_000);

  const codeOf = (machine: Machine) => machine.control.status().problem?.code;
  const members = async (): Promise<readonly string[]> => {
    const { machines } = await fleet.hub.baton.get<MachineList>('/api/machines');
    return machines.map(({ name }) => name).toSorted();
  };

  it('once a copied home leaves the fleet, the machine with the original home can report again as a member', async () => {
    const left = await must(copy.control.leave());
    expect(left).toMatchObject({ membership: undefined, problem: { code: 'identity_in_use' } });
    await until('the original reports again', async () => codeOf(original) === undefined);
    await original.work();
    await fleet.caughtUp([original], []);
    expect(await members()).toEqual(['hub', 'laptop']);
  }, 200_000);

  it('a machine that leaves the fleet is removed from the list of members if no other Baton uses its identity', async () => {
    expect((await must(original.control.leave())).problem).toBeUndefined();
    await until('the hub has removed it', async () => (await members()).join() === 'hub');
  }, 200_000);

  it('if the hub does not answer when a machine leaves the fleet, the hint names the command that removes the machine at the hub', async () => {
    const other = await fleet.join('tablet', 1);
    other.options.proxy?.cut();
    const { problem } = await must(other.control.leave());
    other.options.proxy?.heal();
    expect(problem?.sentence).toMatch(
      /^Baton could not tell the hub at .+ that this machine leaves the fleet, so the hub still lists tablet$/,
    );
    expect(problem?.hint).toBe('To remove tablet from the list, run on the hub: baton fleet revoke tablet');
    expect(await members()).toContain('tablet');
  }, 200_000);
});
