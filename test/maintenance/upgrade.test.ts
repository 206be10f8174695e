import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, expect, it } from 'vitest';
import { MIGRATIONS, migrate } from '../../src/adapters/stores/sqlite/migrate.ts';
import type { Run } from '../../src/contract/resources.ts';
import { BatonProcess, run as shell } from '../support/baton-process.ts';

/** The oldest schema with an inbox. The tests in adapters/stores/upgrade.test.ts cover older schemas. */
const OLD_SCHEMA = 5;
const TABLES = ['notes', 'events', 'personas', 'projects', 'agents', 'effects', 'handoff_runs', 'handoffs', 'inbox'];
/** Fields that a Baton of the old schema did not write. */
const LATER = {
  agents: ['messages', 'question', 'answers', 'resumesSession', 'clientPid', 'tool'],
  handoff_runs: ['compactSummary', 'findings', 'git', 'lateDocument', 'lostCountsAsGone', 'broughtBackAgentId'],
};

let baton: BatonProcess;
afterEach(() => baton.cleanUp());

/** Rewrites the store as a Baton of the old schema would have written it. */
function backInTime(path: string): void {
  const old = `${path}.old`;
  const db = new Database(old);
  migrate(db, OLD_SCHEMA);
  db.exec(`ATTACH '${path}' AS today`);
  for (const table of TABLES) {
    const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(({ name }) => name);
    db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM today.${table}`);
  }
  for (const [table, keys] of Object.entries(LATER))
    db.exec(`UPDATE ${table} SET detail = json_remove(detail, ${keys.map((key) => `'$.${key}'`)})`);
  db.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  renameSync(old, path);
}

const rowsOf = (path: string, sql: string) => {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows as Record<string, unknown>[];
};

it('[F49] after the migration of an old home, a waiting run completes', async () => {
  baton = await new BatonProcess().start();
  const agent = await baton.agent();
  const text = '[[practice:say I begin.]] [[practice:slow 600000]]';
  await baton.call('POST', `/api/agents/${agent.id}/messages`, { text });
  await baton.event(({ type, data }) => type === 'agent_state_changed' && data.to === 'working');
  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {
    reason: 'shift_end',
  });
  await baton.step(body.run_id, 'waiting_safe_point');
  await baton.kill();
  const store = join(baton.home, 'baton.db');
  backInTime(store);
  const events = rowsOf(store, 'SELECT count(*) AS n FROM events')[0]?.n;

  await baton.start();
  const kept = `${store}.schema-${OLD_SCHEMA}`;
  expect(rowsOf(kept, 'PRAGMA user_version')[0]?.user_version).toBe(OLD_SCHEMA);
  expect(rowsOf(kept, 'SELECT count(*) AS n FROM events')[0]?.n).toBe(events);
  expect(rowsOf(kept, 'SELECT step FROM handoff_runs')).toEqual([{ step: 'waiting_safe_point' }]);
  expect(rowsOf(store, 'PRAGMA user_version')[0]?.user_version).toBe(MIGRATIONS.length);
  expect((await baton.get<Run>(`/api/runs/${body.run_id}`)).step).toBe('waiting_safe_point');
  await baton.call('POST', `/api/runs/${body.run_id}/interrupt`, {});
  expect((await baton.over(body.run_id)).step).toBe('completed');
});

it('[F49] if the agent of a waiting run ended during the upgrade, the run halts', async () => {
  baton = await new BatonProcess().start();
  const agent = await baton.agent();
  await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: '[[practice:slow 600000]]' });
  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {
    reason: 'shift_end',
  });
  await baton.step(body.run_id, 'waiting_safe_point');
  await baton.kill();
  backInTime(join(baton.home, 'baton.db'));
  const socket = join(baton.home, 'tmux.sock');
  await shell('tmux', ['-S', socket, 'kill-session', '-t', agent.tmux.session]);
  await baton.start();
  const run = await baton.over(body.run_id);
  expect([run.step, run.failure?.sentence]).toEqual(['failed', expect.stringMatching(/./)]);
});

it('[F7] Baton refuses the store of a newer Baton and does not change it', async () => {
  baton = await new BatonProcess().start();
  await baton.kill('SIGTERM');
  const db = new Database(join(baton.home, 'baton.db'));
  db.exec('PRAGMA user_version = 99');
  db.close();
  await expect(baton.start()).rejects.toThrow(
    /written by a newer Baton \(schema 99, this one supports up to \d+\)\. Start the newer Baton, or restore a backup/,
  );
  expect(existsSync(join(baton.home, 'baton.db.schema-99'))).toBe(false);
  expect(rowsOf(join(baton.home, 'baton.db'), 'PRAGMA user_version')[0]?.user_version).toBe(99);
});
