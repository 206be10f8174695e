import { copyFileSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

let baton: BatonProcess;
let database = '';
beforeEach(async () => {
  baton = await new BatonProcess().start();
  database = join(baton.home, 'baton.db');
});
afterEach(() => baton.cleanUp());

const register = (name: string) => baton.call('POST', '/api/personas/register', { role: 'developer', name });

/** Kills the server right after some writes, so that these writes are only in the write-ahead log (WAL). */
async function killed(): Promise<void> {
  for (const name of ['Con', 'Ann', 'Eve']) await register(name);
  await baton.kill('SIGKILL');
}

/** Moves all writes so far from the write-ahead log into the database file, as SQLite does from time to time. */
async function checkpointed(): Promise<void> {
  await baton.kill('SIGKILL');
  const script = `const D=require('libsql');const d=new D(process.argv[1]);d.pragma('wal_checkpoint(TRUNCATE)')`;
  await run(process.execPath, ['-e', script, database]);
  await baton.start();
}

const refused = async (): Promise<string> =>
  baton.start().then(
    () => 'it started',
    (error: Error) => error.message,
  );
const doctor = async () =>
  (await run(process.execPath, [PROGRAM, 'doctor'], { ...process.env, BATON_HOME: baton.home })).stdout;

describe('[X-5] the log of the latest writes (baton.db-wal)', () => {
  it('if the write-ahead log is missing, `baton doctor` says so', async () => {
    await register('First');
    await checkpointed();
    await killed();
    copyFileSync(`${database}-wal`, join(baton.home, 'wal.copy'));
    for (const ending of ['-wal', '-shm']) rmSync(`${database}${ending}`, { force: true });
    expect(await refused()).toMatch(
      /has lost its latest writes: its log ends at event \d+, but had reached event \d+\./,
    );
    expect(await doctor()).toMatch(/has lost its latest writes: its log ends at event/);
    for (const ending of ['-wal', '-shm']) rmSync(`${database}${ending}`, { force: true });
    copyFileSync(join(baton.home, 'wal.copy'), `${database}-wal`);
    await baton.start();
    expect((await baton.get<{ personas: unknown[] }>('/api/personas')).personas).toHaveLength(4);
  });

  it('if the write-ahead log was truncated, `baton start` says so', async () => {
    await register('First');
    await checkpointed();
    await killed();
    truncateSync(`${database}-wal`, Math.floor(statSync(`${database}-wal`).size / 3));
    rmSync(`${database}-shm`, { force: true });
    expect(await refused()).toContain('has lost its latest writes');
  });

  it('Baton refuses to start with an empty database', async () => {
    await killed();
    const wal = readFileSync(`${database}-wal`);
    truncateSync(database, 0);
    expect(await refused()).toContain('is empty, but the log of its latest writes');
    expect(await doctor()).toContain('is empty, but the log of its latest writes');
    expect(readFileSync(`${database}-wal`)).toEqual(wal);
  });
});
