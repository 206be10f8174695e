import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatonProcess, PROGRAM, run } from '../support/baton-process.ts';

/** If a restore or a purge was killed, the next server must finish it before the server does anything else. */

let baton: BatonProcess;
beforeEach(async () => {
  baton = await new BatonProcess().start();
});
afterEach(() => baton.cleanUp());
const cli = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [PROGRAM, ...argv], { ...process.env, BATON_HOME: baton.home, ...env });

it('[F1] if a restore was killed, the next server finishes it', async () => {
  await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
  const file = join(mkdtempSync(join(tmpdir(), 'bf-')), 'b.tar.gz');
  expect((await cli(['backup', file])).code).toBe(0);
  await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Later' });
  await baton.kill('SIGTERM');
  mkdirSync(join(baton.home, 'data/later'));
  writeFileSync(join(baton.home, 'data/later/note.md'), 'later');
  expect((await cli(['restore', file, '--yes'], { BATON_CRASH_AT: 'restore:placed#1' })).code).toBe(-1);
  expect(existsSync(join(baton.home, 'restore.json'))).toBe(true);
  await baton.start();
  const { personas } = await baton.get<{ personas: { name: string }[] }>('/api/personas');
  expect(personas.map(({ name }) => name)).toEqual(['Con']);
  expect(existsSync(join(baton.home, 'data/later'))).toBe(false);
  expect(readdirSync(baton.home).filter((name) => name.startsWith('restore'))).toEqual([]);
});

it('[F1] if a purge was killed, the next server finishes it', async () => {
  const agent = await baton.agent();
  await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
  await baton.event(({ type, data }) => type === 'agent_state_changed' && data.to === 'ended');
  await baton.kill('SIGTERM');
  expect((await cli(['purge', '--all', '--yes'], { BATON_CRASH_AT: 'purge:after-commit' })).code).toBe(-1);
  expect(existsSync(join(baton.home, `agents/${agent.id}`))).toBe(true);
  await baton.start();
  expect(existsSync(join(baton.home, `agents/${agent.id}`))).toBe(false);
  expect((await baton.get<{ agents: unknown[] }>('/api/agents')).agents).toEqual([]);
  const { events } = await baton.get<{ events: { type: string; data: object }[] }>('/api/events?limit=1000');
  expect(events.filter(({ type }) => type === 'history_purged')).toHaveLength(1);
  expect(events.find(({ type }) => type === 'agent_created')?.data).toEqual({ purged: true });
});
