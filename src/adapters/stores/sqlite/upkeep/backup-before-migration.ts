import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { StoreFault } from '../../../../app/ports/store.ts';
import { MIGRATIONS, refuseNewer, schemaVersion } from '../migrate.ts';
import { copyDatabase } from './copy-database.ts';

const MAX_KEPT = 3;

/**
 * Copies the store before a migration, because migrations only go forward, and an older Baton would need the old store.
 */
export function backupBeforeMigration(path: string): void {
  if (!existsSync(path)) return;
  const version = versionOf(path);
  refuseNewer(version);
  if (version === 0 || version === MIGRATIONS.length) return;
  const kept = `${path}.schema-${version}`;
  if (existsSync(kept)) return;
  try {
    // Copy to a temporary name, so that a partial copy is never mistaken for a complete one.
    const unfinished = `${kept}.tmp`;
    rmSync(unfinished, { force: true });
    copyDatabase(path, unfinished);
    renameSync(unfinished, kept);
  } catch (error) {
    throw new StoreFault(
      `The store ${path} must be migrated from schema ${version} to ${MIGRATIONS.length}, but Baton could not back it up first: ${(error as Error).message}. Nothing was changed. Free disk space, then start Baton again.`,
    );
  }
  removeOldest(path);
}

function versionOf(path: string): number {
  const db = new Database(path, { readonly: true });
  try {
    return schemaVersion(db);
  } finally {
    db.close();
  }
}

function removeOldest(path: string): void {
  const prefix = `${basename(path)}.schema-`;
  const versions = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => b - a);
  for (const version of versions.slice(MAX_KEPT)) rmSync(join(dirname(path), `${prefix}${version}`), { force: true });
}
