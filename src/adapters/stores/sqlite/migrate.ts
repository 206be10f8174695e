import type Database from 'libsql';
import { base } from './migrations/0001-base.ts';
import { handoffRuns } from './migrations/0002-handoff-runs.ts';
import { handoffs } from './migrations/0003-handoffs.ts';
import { eventsOfAgent } from './migrations/0004-events-of-agent.ts';
import { inbox } from './migrations/0005-inbox.ts';
import { sessionCandidates } from './migrations/0006-session-candidates.ts';
import { reconcileIndexes } from './migrations/0007-reconcile-indexes.ts';
import { pageSessions } from './migrations/0008-page-sessions.ts';
import { eventsOfRun } from './migrations/0009-events-of-run.ts';
import { promptTexts } from './migrations/0010-prompt-texts.ts';
import { packages } from './migrations/0011-packages.ts';
import { runsToSync } from './migrations/0012-runs-to-sync.ts';
import { defaultPersonas } from './migrations/0013-default-personas.ts';
import { worktrees } from './migrations/0014-worktrees.ts';
import { packageFilters } from './migrations/0015-package-filters.ts';
import { packageListColumns } from './migrations/0016-backfill-package-words.ts';
import { packageMarks } from './migrations/0017-package-marks.ts';
import { historyIndexes } from './migrations/0018-history-indexes.ts';
import { deviceNames } from './migrations/0019-device-names.ts';
import { runsOn } from './migrations/0020-runs-on.ts';
import { fleet } from './migrations/0021-fleet.ts';
import { handoffPolicies } from './migrations/0022-handoff-policies.ts';
import { search } from './migrations/0024-search.ts';
import { knowledge } from './migrations/0025-knowledge.ts';
import { usage } from './migrations/0026-usage.ts';

/** Migrations only go forward. Never edit a migration that may have run on any store; write a new one instead. */
export const MIGRATIONS: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
  { name: '0001-base', statements: base },
  { name: '0002-handoff-runs', statements: handoffRuns },
  { name: '0003-handoffs', statements: handoffs },
  { name: '0004-events-of-agent', statements: eventsOfAgent },
  { name: '0005-inbox', statements: inbox },
  { name: '0006-session-candidates', statements: sessionCandidates },
  { name: '0007-asked-at-every-look', statements: reconcileIndexes },
  { name: '0008-page-sessions', statements: pageSessions },
  { name: '0009-events-of-run', statements: eventsOfRun },
  { name: '0010-prompt-texts', statements: promptTexts },
  { name: '0011-packages', statements: packages },
  { name: '0012-runs-to-tell', statements: runsToSync },
  { name: '0013-default-personas', statements: defaultPersonas },
  { name: '0014-worktrees', statements: worktrees },
  { name: '0015-package-filters', statements: packageFilters },
  { name: '0016-packages-of-the-past', statements: packageListColumns },
  { name: '0017-package-marks', statements: packageMarks },
  { name: '0018-history-indexes', statements: historyIndexes },
  { name: '0019-device-names', statements: deviceNames },
  { name: '0020-runs-on', statements: runsOn },
  { name: '0021-fleet', statements: fleet },
  { name: '0022-handoff-policies', statements: handoffPolicies },
  { name: '0024-search', statements: search },
  { name: '0025-knowledge', statements: knowledge },
  { name: '0026-usage', statements: usage },
];

/** Migrates the database to the newest schema or, for tests, only to the schema version `upTo`. */
export function migrate(db: Database.Database, upTo = MIGRATIONS.length): void {
  const version = schemaVersion(db);
  refuseNewer(version);
  for (let next = version; next < upTo; next++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const statement of MIGRATIONS[next]?.statements ?? []) db.exec(statement);
      db.exec(`PRAGMA user_version = ${next + 1}`);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Throws if a newer version of Baton wrote the store, because this version could misread it. */
export function refuseNewer(version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new Error(
    `The store was written by a newer Baton (schema ${version}, this one supports up to ${MIGRATIONS.length}). Start the newer Baton, or restore a backup.`,
  );
}

export function schemaVersion(db: Database.Database): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
