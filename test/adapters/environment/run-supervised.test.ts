import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runSupervised } from '../../../src/adapters/environment/run-supervised.ts';
import { processesIn } from '../../../src/adapters/system/processes-in.ts';

it('runSupervised returns only after all processes in the working directory of the started program have ended', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'btk-')));
  for (let round = 0; round < 40; round++) {
    const run = await runSupervised({
      argv: ['/bin/sh', '-c', 'printf %s here'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: folder,
      patienceMs: 120_000,
      mostBytes: 100,
    });
    expect(run).toMatchObject({ end: 'exit', code: 0, stdout: Buffer.from('here') });
    expect(await processesIn(folder)).toEqual([]);
  }
});
