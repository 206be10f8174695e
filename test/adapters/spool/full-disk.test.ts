import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSpool } from '../../../src/adapters/spool/spool-folder.ts';
import { diskRoom } from '../../../src/adapters/system/disk-room.ts';
import type { Overflow, Spool } from '../../../src/app/ports/spool.ts';
import { assessDiskRoom, roomInWords } from '../../../src/domain/maintenance/disk-room.ts';
import { needs } from '../../support/needs.ts';
import { waitingIn } from './waiting-in.ts';

/** A small disk of 256 kB and 40 inodes, so that the tests can fill it. */
const disk = mkdtempSync(join(tmpdir(), 'bt-disk-'));
const mount = (): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,nr_inodes=40', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const unmount = (): void => void execFileSync('umount', [disk], { stdio: 'ignore' });
const CAN_MOUNT = { what: 'the right to mount a tmpfs', isThere: mount() };
if (CAN_MOUNT.isThere) unmount();
afterAll(() => rmSync(disk, { recursive: true }));

describe('[X-7] the spool on a full disk', needs(CAN_MOUNT), () => {
  let spool: Spool;
  beforeEach(() => {
    mount();
    mkdirSync(join(disk, 'spool'));
    spool = openSpool({
      folder: join(disk, 'spool'),
      scriptPath: join(disk, 'baton-hook'),
      externalSessionScriptPath: join(disk, 'baton-candidate'),
      adoptedScriptPath: join(disk, 'baton-adopted'),
      adoptedFolder: join(disk, 'adopted'),
      onProblem: () => undefined,
    });
  });
  afterEach(unmount);

  const fire = (n: number): void =>
    void execFileSync('/bin/sh', ['-c', spool.hookCommand('Stop')], {
      input: JSON.stringify({ n, text: 'x'.repeat(9_000) }),
      env: { PATH: process.env.PATH, BATON_AGENT_ID: '7', BATON_AGENT_TOKEN: 'tok' },
    });
  const numbers = async () => (await waitingIn(spool)).map(({ payload }) => (payload as { n: number }).n);
  const fill = (make: (n: number) => void): (() => void) => {
    let made = 0;
    try {
      for (; ; made++) make(made);
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
    return () => {
      for (let n = 0; n <= made; n++) rmSync(join(disk, `filler-${n}`), { force: true });
    };
  };
  const fillBlocks = () => fill((n) => writeFileSync(join(disk, `filler-${n}`), Buffer.alloc(16_384)));
  const fillInodes = () => fill((n) => writeFileSync(join(disk, `filler-${n}`), ''));

  it.each([
    ['without a free block', fillBlocks],
    ['without a free inode', fillInodes],
  ])('if the disk is %s, the spool counts the hooks that could not be written', async (_name, takeAll) => {
    fire(1);
    const makeRoom = takeAll();
    for (const n of [2, 3, 4]) fire(n);
    const lost = (await spool.overflow()) as Overflow;
    expect(lost).toMatchObject({ count: 3, couldNotBeWritten: true });
    // Until the caller acknowledges the report with `overflowTold`, `overflow` must report the same lost hooks, even
    // while the disk is full.
    expect(await spool.overflow()).toEqual(lost);
    await spool.overflowTold(lost);
    expect(await spool.overflow()).toBeUndefined();
    fire(5);
    expect(await spool.overflow()).toMatchObject({ count: 1, couldNotBeWritten: true });
    makeRoom();
    fire(6);
    expect(await numbers()).toEqual([1, 6]);
  });

  it('the sentence about a full disk gives the free megabytes and inodes', async () => {
    expect(assessDiskRoom(await diskRoom(disk))).toBe('too_little');
    fillInodes();
    const room = await diskRoom(disk);
    expect(room.freeInodes).toBe(0);
    expect(roomInWords(room)).toBe(`0 MB and 0 inodes are free on the disk of ${disk}`);
  });
});

describe('[X-7] the free space of a disk', () => {
  it.each([
    [{ freeBytes: 5e9, freeInodes: null }, 'plenty'],
    [{ freeBytes: 5e8, freeInodes: 5_000 }, 'little'],
    [{ freeBytes: 5e7, freeInodes: 5_000 }, 'too_little'],
    [{ freeBytes: 5e9, freeInodes: 12 }, 'too_little'],
  ] as const)('the free disk space %j counts as "%s"', (room, verdict) =>
    expect(assessDiskRoom({ path: '/', ...room })).toBe(verdict),
  );
});
