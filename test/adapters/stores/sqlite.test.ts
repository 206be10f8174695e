import { copyFileSync, mkdtempSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, vi } from 'vitest';
import { firstBrokenEvent } from '../../../prove/memory-store/first-broken-event.ts';
import { type Connection, openConnection, type Query } from '../../../src/adapters/stores/sqlite/connection.ts';
import { MIGRATIONS, migrate } from '../../../src/adapters/stores/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { createSqliteTx } from '../../../src/adapters/stores/sqlite/sqlite-tx.ts';
import { StoreFault } from '../../../src/app/ports/store.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { MARKS } from '../../../src/domain/packages/package-marks.ts';
import { anAgent, aRun } from './store-contract.ts';

const AT = '2026-11-15T08:00:00.000Z' as Instant;
const newPath = (): string => join(mkdtempSync(join(tmpdir(), 'baton-sqlite-')), 'baton.db');
const names = (db: Database.Database): string[] =>
  (
    db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all() as { name: string }[]
  ).map((row) => row.name);

async function withFiftyEvents(beforeClose: (path: string) => void = () => undefined): Promise<string> {
  const path = newPath();
  const store = openSqliteStore(path, () => 'h');
  const event = { at: AT, agentId: null, runId: null, type: 'x', data: { text: 'x'.repeat(500) }, dedupeKey: null };
  for (let n = 0; n < 50; n++) await store.write((tx) => tx.appendEvent(event));
  beforeClose(path);
  store.close();
  return path;
}

describe('the SQLite store', () => {
  it('[003 Table creation via migration] the migration creates the table of handoffs with exactly the six specified columns', () => {
    const db = new Database(newPath());
    migrate(db);
    const columns = db.prepare('PRAGMA table_info(handoffs)').all() as { name: string; notnull: number; pk: number }[];
    expect(columns.map(({ name }) => name)).toEqual([
      'id',
      'agent_id',
      'reason',
      'file_path',
      'injection_prompt',
      'created_at',
    ]);
    expect(columns.find(({ name }) => name === 'id')?.pk).toBe(1);
    expect(columns.filter(({ notnull }) => notnull === 1).map(({ name }) => name)).toEqual([
      'agent_id',
      'reason',
      'created_at',
    ]);
  });

  it('[003 Table creation via migration] [S-15] the table of handoffs refuses an unknown reason and a missing agent', async () => {
    const path = newPath();
    const store = openSqliteStore(path, () => 'h');
    await store.write((tx) => {
      tx.insertProject({ name: 'p', path: '/p', createdAt: AT });
      tx.insertAgent(anAgent());
    });
    store.close();
    const { raw } = openConnection(path);
    const insert = (agentId: number | null, reason: string | null) => () =>
      raw.prepare('INSERT INTO handoffs (agent_id, reason) VALUES (?, ?)').run(agentId, reason);
    expect(insert(1, 'bored')).toThrow(/CHECK constraint failed: reason/);
    expect(insert(1, null)).toThrow(/NOT NULL constraint failed: handoffs\.reason/);
    expect(insert(2, 'context_limit')).toThrow(/FOREIGN KEY constraint failed/);
    expect(insert(null, 'context_limit')).toThrow(/NOT NULL constraint failed: handoffs\.agent_id/);
    expect(raw.prepare('SELECT count(*) AS n FROM handoffs').all()).toEqual([{ n: 0 }]);
    // SQLite must give increasing ids to handoff records and never reuse an id.
    for (const [index, reason] of ['context_limit', 'shift_end', 'task_boundary'].entries()) {
      insert(1, reason)();
      const rows = raw.prepare('SELECT id, agent_id, reason FROM handoffs').all();
      expect(rows).toEqual([{ id: index + 1, agent_id: 1, reason }]);
      raw.exec('DELETE FROM handoffs');
    }
  });

  it('[003 Agent deleted cascades to handoff] purging an agent deletes its handoff record, runs, inbox items and prompts', async () => {
    const path = newPath();
    const store = openSqliteStore(path, () => 'h');
    const { heir, record } = await store.write((tx) => {
      tx.insertProject({ name: 'p', path: '/p', createdAt: AT });
      const { id: agentId } = tx.insertAgent(anAgent());
      const { id: runId } = tx.insertRun(aRun(agentId));
      tx.markRunDirty(runId);
      const open = { openedAt: AT, current: true, resolvedAt: null, resolution: null, notifiedAt: null, notified: {} };
      const cause = { of: 'run', runId, what: 'failed/1' } as const;
      tx.insertInboxItem({ cause, kind: 'failure', sentence: 's', hint: 'h', agentId, runId, ...open });
      tx.savePromptText({ ref: 'r', agentId, runId, purpose: 'instruction', text: 't', outcome: null, at: null });
      const made = { agentId, reason: 'context_limit', filePath: null, injectionPrompt: null } as const;
      return { heir: tx.insertAgent(anAgent({ previousAgentId: agentId })).id, record: tx.insertHandoff(made).id };
    });
    store.close();
    const { raw } = openConnection(path);
    raw.exec('DELETE FROM agents WHERE id = 1');
    raw.close();
    const after = openSqliteStore(path, () => 'h');
    expect(after.read((tx) => tx.agentById(heir))).toMatchObject({ previousAgentId: null });
    expect(after.read((tx) => [tx.handoffById(record), tx.runById(1), tx.promptText('r')])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(after.read((tx) => [...tx.openInboxItems(), ...tx.runsToSync()])).toEqual([]);
  });

  it('frequent queries do not scan the whole history', () => {
    const db = openConnection(newPath());
    migrate(db.raw);
    const plans: string[] = [];
    const all = <Row>(query: Query<Row>): Row[] => {
      const { sql, parameters } = query.compile();
      const steps = db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      plans.push(steps.map(({ detail }) => detail).join(', '));
      return [];
    };
    const explained: Connection = { ...db, all, first: (query) => all(query)[0] };
    const tx = createSqliteTx(explained, 'h');
    tx.liveAgents();
    tx.runsInFlight();
    tx.runsOfAgent(1);
    tx.currentInboxItems({ runId: 1 });
    tx.currentInboxItems({ agentId: 1 });
    tx.openInboxItems();
    tx.pendingEffects();
    tx.effectsClaimedBy('me');
    tx.events({ agentId: 1, limit: 10 });
    tx.events({ agentId: 1, types: ['a'], before: 100, newestFirst: true, limit: 10 });
    tx.events({ runId: 1, limit: 10 });
    tx.events({ runId: 1, after: 5, newestFirst: true, limit: 10 });
    tx.pageSession('hash');
    tx.promptText('ref');
    tx.promptTextsOf({ runId: 1 });
    tx.promptTextsOf({ agentId: 1 });
    tx.handoffsOfLiveAgents();
    tx.packagesInBrief(1, 10);
    tx.packagesInBrief(1, 10, 'HO-2026-001');
    tx.currentInboxItems({ packageId: 'HO-2026-001' });
    tx.currentInboxItems({ of: 'outage' });
    tx.unsentInboxItems();
    tx.packagesDue(AT, 10);
    tx.packagesBehind(1);
    tx.packagesBehind(1, 'HO-2026-001');
    for (const mark of MARKS) tx.packageKeys(mark);
    tx.packagesMarked('sender', { agentId: 1, name: 'con' }, 10);
    tx.packagesMarked('gate', { projectId: 1, name: 'con' }, 10, 'newest');
    tx.packages({ inFlight: true });
    tx.packages({ root: 'HO-2026-001' });
    tx.packages({ projectId: 1, party: ['con'], inFlight: true });
    expect(plans).toHaveLength(30 + MARKS.length);
    for (const mark of MARKS) expect(plans.join('\n')).toContain(`packages_mark_${mark} (`);
    expect(plans.filter((plan) => plan.includes('inbox_by_key (current=? AND key>? AND key<?)'))).toHaveLength(2);
    expect(plans.filter((plan) => !/USING (COVERING )?INDEX/.test(plan))).toEqual([]);
    expect(plans.at(-1)).toContain('packages_in_flight');
    db.close();
  });

  it('[003 Existing functionality preserved] after the migration, every older table can be read and written', () => {
    const db = new Database(newPath());
    const beforeHandoffs = MIGRATIONS.findIndex(({ name }) => name === '0003-handoffs');
    migrate(db, beforeHandoffs);
    const insert = () => {
      db.exec(
        "INSERT INTO projects (name, path, created_at) VALUES ('p', '/p' || (SELECT count(*) FROM projects), '2026-01-01')",
      );
      db.exec("INSERT INTO notes VALUES ('k' || (SELECT count(*) FROM notes), 'v')");
    };
    insert();
    const tables = names(db);
    const definitions = () =>
      db
        .prepare(
          "SELECT name, sql FROM sqlite_master WHERE name <> 'handoffs' AND name <> 'one_handoff_an_agent' ORDER BY name",
        )
        .all();
    const before = definitions();
    const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
    migrate(db, beforeHandoffs + 1);
    expect(definitions()).toEqual(before);
    expect(tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all())).toEqual(rows);
    insert();
    expect(db.prepare('SELECT count(*) AS n FROM projects').all()).toEqual([{ n: 2 }]);
  });

  it('the store keeps all data, including the host id, when it is opened again', async () => {
    const path = newPath();
    const store = openSqliteStore(path, () => 'host-1');
    await store.write((tx) => {
      tx.insertProject({ name: 'p', path: '/p', createdAt: AT });
      tx.insertAgent(anAgent());
      tx.appendEvent({ at: AT, agentId: 1, runId: null, type: 'x', data: {}, dedupeKey: null });
    });
    store.close();
    const again = openSqliteStore(path, () => 'host-2');
    expect(again.read((tx) => [tx.hostId, tx.agents().length, tx.lastSeq()])).toEqual(['host-1', 1, 1]);
  });

  it('reads and writes fail with a StoreFault after the store is closed', async () => {
    const store = openSqliteStore(newPath(), () => 'host-1');
    const late = store.write((tx) => tx.insertProject({ name: 'p', path: '/p', createdAt: AT }));
    store.close();
    await expect(late).rejects.toThrow('Baton is shutting down');
    expect(() => store.read((tx) => tx.agents())).toThrow(StoreFault);
    await expect(store.write((tx) => tx.agents())).rejects.toThrow(StoreFault);
  });

  it('[F4] commits are flushed to disk, not only handed to the kernel', () => {
    const db = openConnection(newPath());
    expect(db.raw.pragma('synchronous', { simple: true })).toMatchObject({ synchronous: 2 });
    expect(db.raw.pragma('journal_mode', { simple: true })).toMatchObject({ journal_mode: 'wal' });
    db.close();
  });

  it.each<[string, (good: Buffer) => Buffer]>([
    ['overwritten pages', (good) => Buffer.from(good).fill(0x55, 4096, 5 * 4096)],
    ['a truncated file', (good) => good.subarray(0, good.length / 2)],
    ['a file that is no database', () => Buffer.from('not a database\n'.repeat(1_000))],
  ])('[F7] a damaged store is refused with an error of one sentence: %s', async (_what, damage) => {
    const path = await withFiftyEvents();
    const db = new Database(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const damaged = damage(readFileSync(path));
    writeFileSync(path, damaged);
    expect(() => openSqliteStore(path, () => 'h')).toThrow(/baton\.db is damaged \(.+\)\. Baton wrote nothing/);
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  it('[F7] the store checks every page of the database when the database is opened, except after a clean close', async () => {
    const path = newPath();
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    const checks = (): number => prepare.mock.calls.filter(([text]) => text.includes('quick_check(')).length;
    openSqliteStore(path, () => 'h').close();
    expect(checks()).toBe(0);
    const running = openSqliteStore(path, () => 'h');
    expect(checks()).toBe(0);
    // The first store is still open, so the database looks like the database of a killed server. The second store must
    // therefore check the database when it opens the database.
    const second = openSqliteStore(path, () => 'h');
    expect(checks()).toBe(1);
    second.close();
    running.close();
    utimesSync(path, 1, 1);
    openSqliteStore(path, () => 'h').close();
    expect(checks()).toBe(2);
    prepare.mockRestore();
  });

  it('[F7] if the write-ahead log was truncated, the store opens in an earlier, consistent state', async () => {
    const path = newPath();
    await withFiftyEvents((running) => {
      for (const ending of ['', '-wal']) copyFileSync(`${running}${ending}`, `${path}${ending}`);
    });
    truncateSync(`${path}-wal`, statSync(`${path}-wal`).size / 2);
    const store = openSqliteStore(path, () => 'h');
    expect(store.read(firstBrokenEvent)).toBeUndefined();
    const left = store.read((tx) => tx.lastSeq());
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(50);
    store.close();
  });

  it('[F7] Baton refuses a store that a newer Baton wrote', () => {
    const path = newPath();
    const db = new Database(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openSqliteStore(path, () => 'h')).toThrow(/newer Baton/);
  });

  it('the database refuses to change or delete an event of the log, and Baton detects a forced change', async () => {
    const path = newPath();
    const store = openSqliteStore(path, () => 'host-1');
    for (const type of ['a', 'b', 'c'])
      await store.write((tx) =>
        tx.appendEvent({ at: AT, agentId: null, runId: null, type, data: {}, dedupeKey: null }),
      );
    const db = new Database(path);
    expect(() => db.exec("UPDATE events SET type = 'z' WHERE seq = 2")).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM events WHERE seq = 2')).toThrow(/append-only/);
    db.exec('DROP TRIGGER events_are_not_changed');
    db.exec("UPDATE events SET type = 'z' WHERE seq = 2");
    db.close();
    expect(store.read(firstBrokenEvent)).toBe(2);
  });

  it('the store commits all writes of one turn of the event loop together', async () => {
    const path = newPath();
    const store = openSqliteStore(path, () => 'host-1');
    let commits = 0;
    store.onCommit(() => commits++);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        store.write((tx) => tx.insertProject({ name: 'p', path: `/p${n}`, createdAt: AT })),
      ),
    );
    expect(commits).toBe(1);
  });
});
