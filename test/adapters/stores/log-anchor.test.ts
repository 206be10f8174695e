import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { examineDatabase } from '../../../src/adapters/stores/sqlite/upkeep/examine-database.ts';
import type { Store } from '../../../src/app/ports/store.ts';
import type { Instant } from '../../../src/domain/instant.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bt-anchor-'));
  path = join(folder, 'baton.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openSqliteStore(path, () => 'host-1');
const append = (store: Store, type: string) =>
  store.write((tx) =>
    tx.appendEvent({
      at: '2026-01-01T00:00:00.000Z' as Instant,
      agentId: null,
      runId: null,
      type,
      data: {},
      dedupeKey: null,
    }),
  );

/**
 * Creates the files that a killed server leaves. The store was not closed, so the latest writes are only in the
 * write-ahead log (WAL).
 */
async function killedWith(events: number): Promise<void> {
  const running = mkdtempSync(join(folder, 'running-'));
  const store = openSqliteStore(join(running, 'baton.db'), () => 'host-1');
  for (let n = 0; n < events; n++) await append(store, 'server_started');
  for (const name of ['baton.db', 'baton.db-wal', 'baton.db.end'])
    copyFileSync(join(running, name), join(folder, name));
  store.close();
}

describe('[X-5] the check for lost writes when a store is opened', () => {
  it('the store refuses an empty database that has a write-ahead log with content', async () => {
    await killedWith(3);
    const wal = readFileSync(`${path}-wal`);
    truncateSync(path, 0);
    expect(open).toThrow(/is empty, but the log of its latest writes/);
    expect(examineDatabase(path).lost).toMatch(/is empty, but the log/);
    rmSync(path);
    expect(open).toThrow(/is gone, but the log of its latest writes/);
    expect(readFileSync(`${path}-wal`)).toEqual(wal);
  });

  it('the store refuses a log if the last event named in the file baton.db.end is missing from the log', async () => {
    await killedWith(2);
    for (const name of ['baton.db', 'baton.db-wal', 'baton.db-shm']) rmSync(join(folder, name), { force: true });
    const kept = readFileSync(`${path}.end`);
    const other = open();
    for (let n = 0; n < 2; n++) await append(other, 'baton_trouble');
    other.close();
    writeFileSync(`${path}.end`, kept);
    expect(open).toThrow(/event 2 is not the event that was written/);
    rmSync(`${path}.end`);
    open().close();
    expect(existsSync(`${path}.end`)).toBe(true);
  });

  it('an intact store is accepted after a kill and after a clean shutdown', async () => {
    await killedWith(5);
    const store = open();
    expect(store.read((tx) => tx.lastSeq())).toBe(5);
    await append(store, 'server_started');
    store.close();
    expect(examineDatabase(path)).toMatchObject({ events: 6 });
    expect(examineDatabase(path).lost).toBeUndefined();
  });
});
