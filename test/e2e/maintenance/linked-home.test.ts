import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realPath } from '../../../src/adapters/home/real-path.ts';
import { BatonProcess } from '../../support/baton-process.ts';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'btl-')));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('[L6] a home behind a symbolic link', () => {
  it('is named by its real path, even if its last part does not exist yet', () => {
    symlinkSync(scratch, join(scratch, 'link'));
    expect(realPath(join(scratch, 'link', 'not', 'yet'))).toBe(join(scratch, 'not', 'yet'));
    expect(realPath('/')).toBe('/');
  });

  it('allows a handoff, whose document is written and accepted under the real path', async () => {
    const baton = new BatonProcess();
    const link = join(scratch, 'home');
    symlinkSync(baton.home, link);
    await baton.start({ BATON_HOME: link });
    try {
      const agent = await baton.agent();
      const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
      const run = await baton.over(body.run_id);
      expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
      expect(run.document?.absolute_path.startsWith(`${baton.home}/`)).toBe(true);
    } finally {
      await baton.cleanUp();
    }
  });
});
