import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realPath } from '../../../src/adapters/home/real-path.ts';
import { BatonProcess } from '../../support/baton-process.ts';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'btl-')));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('[L6] a home that is reached through a symbolic link', () => {
  it("if Baton's home is a symbolic link, Baton uses the real path of the home", () => {
    symlinkSync(scratch, join(scratch, 'link'));
    expect(realPath(join(scratch, 'link', 'not', 'yet'))).toBe(join(scratch, 'not', 'yet'));
    expect(realPath('/')).toBe('/');
  });

  it("a handoff completes if Baton's home is a symbolic link", async () => {
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
