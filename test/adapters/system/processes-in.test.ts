import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fromLsof, processesIn } from '../../../src/adapters/system/processes-in.ts';

it('processesIn finds the running processes in a folder and its subfolders', async () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'baton-in-')));
  for (const name of ['con/deep', 'con-2']) mkdirSync(join(top, name), { recursive: true });
  const sleeping = (folder: string) => spawn('sleep', ['60'], { cwd: join(top, folder), stdio: 'ignore' });
  const [inside, below, beside] = [sleeping('con'), sleeping('con/deep'), sleeping('con-2')];
  try {
    await Promise.all([inside, below, beside].map((child) => once(child, 'spawn')));
    const seen = await processesIn(join(top, 'con'));
    expect(seen.map(({ pid }) => pid).sort()).toEqual([inside.pid, below.pid].sort());
    expect(seen.map(({ name }) => name)).toEqual(['sleep', 'sleep']);
    inside.kill('SIGKILL');
    await once(inside, 'exit');
    expect((await processesIn(join(top, 'con'))).map(({ pid }) => pid)).toEqual([below.pid]);
  } finally {
    for (const child of [inside, below, beside]) child.kill('SIGKILL');
    rmSync(top, { recursive: true, force: true });
  }
});

it('fromLsof reads process ids, names and folders from the output of lsof', () => {
  expect(fromLsof('p7\ncnode\nfcwd\nn/w/x y\np8\ncsh\nfcwd\nn/\n')).toEqual([
    { pid: 7, name: 'node', folder: '/w/x y' },
    { pid: 8, name: 'sh', folder: '/' },
  ]);
});
