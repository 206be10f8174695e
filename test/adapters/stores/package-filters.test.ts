import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MIGRATIONS, migrate } from '../../../src/adapters/stores/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { listPackages } from '../../../src/app/packages/list-packages.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import type { Store } from '../../../src/app/ports/store.ts';
import type { PackageType } from '../../../src/domain/packages/content/package.ts';
import type { PackageState } from '../../../src/domain/packages/record.ts';
import { fresh, NOON } from '../../domain/packages/package-kit.ts';
import { aPackage } from './package-store-contract.ts';

const newPath = (): string => join(mkdtempSync(join(tmpdir(), 'baton-filters-')), 'baton.db');
const MANY = 600;
const idOf = (number: number): string => `HO-2026-${String(number).padStart(3, '0')}`;

/**
 * Creates many packages. Almost all are completed delegations with the same summary. The filters must find the three
 * others, which are among the oldest packages.
 */
async function withMany(): Promise<Store> {
  const store = openSqliteStore(newPath(), () => 'h');
  await store.write((tx) => {
    tx.insertProject({ name: 'p', path: '/p', createdAt: NOON });
    for (let number = 1; number <= MANY; number++) {
      const type: PackageType = number === 3 ? 'gate' : 'delegation';
      const state: PackageState = number === 5 ? 'accepted' : 'completed';
      const record = { ...fresh(), id: idOf(number), type, state, from: 'a', to: 'b' };
      const content = { ...aPackage('x').content, context: { summary: number === 7 ? 'The needle' : 'Hay' } };
      tx.savePackage(aPackage(record.id, { record, content }));
    }
  });
  return store;
}

describe('package filters', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Counts the calls of JSON.parse. The store calls JSON.parse once for each row that it reads. */
  function parsedBy<T>(work: () => T): { readonly found: T; readonly parsed: number } {
    const parse = vi.spyOn(JSON, 'parse');
    const found = work();
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    return { found, parsed };
  }

  it.each([
    [{ type: 'gate' }, 3],
    [{ state: 'accepted' }, 5],
    [{ text: 'NEEDLE' }, 7],
    [{ inFlight: true }, 5],
  ])('the package filter %j uses an index', async (asked, number) => {
    const store = await withMany();
    const wanted = { inbox: false, inFlight: false, ...asked };
    const { found, parsed } = parsedBy(() =>
      listPackages({ store } as Ports, { kind: 'operator', channel: 'cli' }, wanted),
    );
    expect(found).toMatchObject({ packages: [{ record: { id: idOf(number) } }], next: null });
    expect(parsed).toBe(1);
  });

  it('a query with a package filter reads at most one row more than its limit', async () => {
    const store = await withMany();
    const wanted = { inbox: false, inFlight: false, limit: 20 };
    const { parsed } = parsedBy(() => listPackages({ store } as Ports, { kind: 'operator', channel: 'cli' }, wanted));
    expect(parsed).toBe(21);
  });

  it('package filters find packages that an older Baton stored', async () => {
    const path = newPath();
    const db = new Database(path);
    migrate(
      db,
      MIGRATIONS.findIndex(({ name }) => name === '0015-package-filters'),
    );
    db.exec(`INSERT INTO projects (name, path, created_at) VALUES ('p', '/p', '${NOON}')`);
    const record = { ...fresh(), id: idOf(1), type: 'gate' as const, state: 'pending' as const };
    const content = { ...aPackage('x').content, context: { summary: 'ÜBER alles' } };
    const old = aPackage(idOf(1), { record, content });
    db.prepare(
      `INSERT INTO packages (id, project_id, root, from_agent, to_agent, state, seq, detail) VALUES (?, 1, ?, 'a', 'b', 'pending', 1, ?)`,
    ).run(idOf(1), idOf(1), JSON.stringify(old));
    db.close();
    const store = openSqliteStore(path, () => 'h');
    for (const filter of [{ type: 'gate' }, { text: 'über' }])
      expect(store.read((tx) => tx.packages(filter))).toEqual([old]);
    expect(store.read((tx) => tx.packageKeys('tell').flatMap((key) => tx.packagesMarked('tell', key, 10)))).toEqual([
      old,
    ]);
    store.close();
  });
});
