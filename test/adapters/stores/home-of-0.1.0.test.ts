import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS, schemaVersion } from '../../../src/adapters/stores/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { examineDatabase } from '../../../src/adapters/stores/sqlite/upkeep/examine-database.ts';
import { packagesFromLog } from '../../../src/app/packages/background/rebuild-packages.ts';
import type { Store } from '../../../src/app/ports/store.ts';
import { canonicalJson } from '../../../src/domain/packages/content/canonical-json.ts';

/**
 * The store of a real Baton 0.1.0 that was killed. test/fixtures/home-0.1.0/README.md describes how the store was made.
 */
const DUMP = readFileSync(new URL('../../fixtures/home-0.1.0/store.sql', import.meta.url), 'utf8');
const OLD_SCHEMA = 16;

let path: string;
let store: Store;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'baton-0.1.0-')), 'baton.db');
  const db = new Database(path);
  db.exec(DUMP);
  expect(schemaVersion(db)).toBe(OLD_SCHEMA);
  db.close();
  store = openSqliteStore(path, () => 'another host');
});
afterEach(() => store.close());

describe('[F49] the store of a home that Baton 0.1.0 wrote', () => {
  it('the store of Baton 0.1.0 is backed up before its migration', () => {
    const events = DUMP.match(/^INSERT INTO events /gm)?.length;
    const whole = { exists: true, newestSchema: MIGRATIONS.length, events, lastAt: expect.any(String) };
    expect(examineDatabase(path)).toEqual({ ...whole, schema: MIGRATIONS.length });
    expect(examineDatabase(`${path}.schema-${OLD_SCHEMA}`)).toEqual({ ...whole, schema: OLD_SCHEMA });
  });

  it('the agents of Baton 0.1.0 keep their personas, panes and projects after the migration', () => {
    const agents = store.read((tx) => tx.agents());
    expect(agents.map(({ id, state, personaId, pane }) => [id, state, personaId, pane?.paneId])).toEqual([
      [1, 'idle', 1, '%1'],
      [2, 'idle', 2, '%2'],
      [3, 'awaiting_input', 3, '%3'],
      [4, 'idle', 4, '%4'],
      [5, 'working', 5, '%5'],
    ]);
    expect(agents.filter(({ hostId }) => hostId === 'another host')).toEqual([]);
    const personas = store.read((tx) => tx.personas());
    expect(personas.map(({ slug }) => slug)).toEqual([
      'developer-con-1',
      'reviewer-ann-2',
      'developer-con-3',
      'developer-con-4',
      'developer-con-5',
    ]);
    expect(store.read((tx) => tx.projects())).toHaveLength(4);
  });

  it('the unfinished handoffs of Baton 0.1.0 keep their documents and handoff records after the migration', () => {
    const runs = store.read((tx) => tx.runsInFlight());
    expect(
      runs.map(({ id, agentId, step, reason, handoffId, failure }) => [id, agentId, step, reason, handoffId, failure]),
    ).toEqual([
      [1, 3, 'awaiting_document', 'shift_end', null, null],
      [2, 4, 'recorded', 'shift_end', 1, null],
      [3, 5, 'waiting_safe_point', 'shift_end', null, null],
    ]);
    const { document } = runs[1] ?? {};
    const handoff = store.read((tx) => tx.handoffById(1));
    expect(document).toMatchObject({ path: handoff?.filePath, markerFound: true, sha256: expect.any(String) });
    expect(handoff).toMatchObject({ agentId: 4, reason: 'shift_end' });
  });

  it('the migration gives each package of Baton 0.1.0 one of the eight current states', () => {
    const packages = store.read((tx) => tx.packages({}));
    expect(packages.map(({ record: { id, type, state } }) => `${id} ${type} ${state}`).sort()).toEqual([
      'HO-2026-001 delegation clarifying',
      'HO-2026-002 delegation rejected',
      'HO-2026-003 delegation completed',
      'HO-2026-004 return pending',
      'HO-2026-005 delegation cancelled',
      'HO-2026-006 gate completed',
      'HO-2026-007 delegation accepted',
      'HO-2026-008 delegation pending',
      'HO-2026-009 gate pending',
      'HO-2026-010 delegation draft',
      'HO-2026-011 delegation pending',
      'HO-2026-012 continuation pending',
    ]);
    const inFlight = store.read((tx) => tx.packages({ inFlight: true }));
    expect(inFlight.map(({ record }) => record.id).sort()).toEqual(
      [1, 4, 7, 8, 9, 10, 11, 12].map((number) => `HO-2026-${String(number).padStart(3, '0')}`),
    );
  });

  it('rebuilding the packages of Baton 0.1.0 from the log gives the stored packages', () => {
    store.read((tx) => {
      const rows = tx.packages({});
      const rebuilt = packagesFromLog(tx);
      const records = (all: typeof rows) => all.map(({ record }) => record).sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(records(rebuilt)).toEqual(records(rows));
      const different = rebuilt.filter((each) => !rows.some((row) => canonicalJson(row) === canonicalJson(each)));
      // Only the row of a decided gate may differ after the rebuild from the log: in 0.1.0 it lacked the field
      // `overSeq`, which the rebuild adds.
      expect(different.map(({ record, overSeq }) => [record.id, overSeq])).toEqual([
        ['HO-2026-006', expect.any(Number)],
      ]);
    });
  });
});
