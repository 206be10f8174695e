import { existsSync, renameSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Health } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

const baton = new BatonProcess();
const away = `${baton.home}-moved`;
beforeAll(async () => void (await baton.start()));
afterAll(async () => {
  if (existsSync(away)) {
    rmSync(baton.home, { recursive: true, force: true });
    renameSync(away, baton.home);
  }
  await baton.cleanUp();
});

it("[X-10] if Baton's home was moved away, /api/health says so", async () => {
  const { port, token } = baton;
  const health = async (): Promise<Health> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`http://127.0.0.1:${port}/api/health`, { headers })).json() as Promise<Health>;
  };
  expect(await health()).toMatchObject({ status: 'ok', trouble: [] });
  renameSync(baton.home, away);
  await expect
    .poll(async () => (await health()).trouble.join(' '), { timeout: 120_000 })
    .toContain('could not find its home');
  expect((await health()).status).toBe('trouble');
  const second = await run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: baton.home });
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('Another Baton still runs on')]);
  expect(existsSync(baton.home)).toBe(false);
  const moved = await run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: away });
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('Baton is already running')]);
});
