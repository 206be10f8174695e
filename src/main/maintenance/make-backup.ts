import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WORKTREES } from '../../adapters/home/open-home.ts';
import { readJson } from '../../adapters/home/read-config.ts';
import { BACKUPS, CONFIG, DATABASE, listFiles, SECRETS } from '../../adapters/maintenance/backup-places.ts';
import { type BackupFile, type Written, writeBackup } from '../../adapters/maintenance/write-backup.ts';
import { copyDatabase, databaseFacts, forgetPageSessions } from '../../adapters/stores/sqlite/upkeep/copy-database.ts';
import { refuseDamaged } from '../../adapters/stores/sqlite/upkeep/refuse-damaged.ts';
import type { BackupManifest, BackupReport } from '../../contract/maintenance.ts';
import { errnoWordsWithPath } from '../../surfaces/cli/output/errno-words.ts';
import { VERSION } from '../version.ts';
import { fault, type MaintenanceContext, refuseMissingStore, settled } from './maintenance.ts';

interface Wanted {
  readonly file?: string;
  readonly withSecrets: boolean;
}

/**
 * Makes a backup. The database is copied before the documents: documents are only ever added, so all documents listed
 * in the copied database still exist when the documents are copied.
 */
export async function makeBackup(context: MaintenanceContext, { file, withSecrets }: Wanted): Promise<BackupReport> {
  await settled(context);
  refuseMissingStore(context);
  const date = new Date().toISOString().replace(/[:.]/g, '-');
  const target = resolve(file ?? join(ownFolder(context), `baton-backup-${date}.tar.gz`));
  if (existsSync(target))
    throw fault(`${target} already exists, and a backup never overwrites a file. Name another file.`, 'exists');
  if (!existsSync(dirname(target))) throw fault(`The folder ${dirname(target)} does not exist.`, 'not_found');
  // Write the temporary copy into the home, where other users cannot read it.
  const copy = join(context.home.path, `backup-${randomBytes(4).toString('hex')}.tmp`);
  try {
    refuseDamaged(context.home.database);
    copyDatabase(context.home.database, copy);
    if (!withSecrets) forgetPageSessions(copy);
    const { leftOut, files } = collect(context, copy, withSecrets);
    const facts = databaseFacts(copy);
    const manifest = (written: readonly Written[]): BackupManifest => ({
      format: 'baton-backup/1',
      baton_version: VERSION,
      schema: facts.schema,
      host_id: facts.hostId,
      created_at: new Date().toISOString(),
      with_secrets: withSecrets,
      left_out: [...leftOut],
      files: [...written],
    });
    const written = await writeBackup(target, files, manifest);
    const { size: bytes } = statSync(target);
    return { file: target, bytes, files: written.length, with_secrets: withSecrets, left_out: [...leftOut] };
  } catch (error) {
    throw fault(`No backup was made: ${errnoWordsWithPath(error)}`, 'backup_failed');
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${ending}`, { force: true });
  }
}

/** The folder for backups in Baton's home, which a backup itself leaves out. */
function ownFolder({ home }: MaintenanceContext): string {
  const folder = join(home.path, BACKUPS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

interface Collected {
  readonly files: readonly BackupFile[];
  readonly leftOut: readonly string[];
}

function collect({ home }: MaintenanceContext, copy: string, withSecrets: boolean): Collected {
  const { files, passedOver } = listFiles(home.path);
  const config = configFor(home.config, withSecrets);
  const secrets = withSecrets ? SECRETS.filter((name) => existsSync(join(home.path, name))) : [];
  return {
    files: [
      { path: DATABASE, from: copy },
      ...config.files,
      ...[...secrets, ...files].map((path) => ({ path, from: join(home.path, path) })),
    ],
    leftOut: [
      ...(withSecrets ? [] : SECRETS),
      ...(existsSync(join(home.path, WORKTREES)) ? [WORKTREES] : []),
      ...config.leftOut,
      ...passedOver,
    ],
  };
}

/**
 * Removes secrets from the settings: the variables of agents, and the notification addresses, because anybody who knows
 * such an address can send messages to the operator's phone.
 */
function configFor(path: string, withSecrets: boolean): Collected {
  if (!existsSync(path)) return { files: [], leftOut: [] };
  if (withSecrets) return { files: [{ path: CONFIG, from: path }], leftOut: [] };
  const { notifications, env, projects, ...rest } = readJson(path) as Readonly<
    Partial<Record<'notifications' | 'env' | 'projects', Record<string, unknown>>>
  >;
  const addresses = ['ntfy', 'webhook'].filter((name) => notifications?.[name] !== undefined);
  const told = Object.fromEntries(Object.entries(notifications ?? {}).filter(([name]) => !addresses.includes(name)));
  const kept = notifications === undefined ? rest : { ...rest, notifications: told };
  return {
    files: [{ path: CONFIG, from: Buffer.from(`${JSON.stringify(kept, null, 2)}\n`) }],
    leftOut: [
      ...addresses.map((name) => `${CONFIG}: notifications.${name}`),
      ...(env === undefined ? [] : [`${CONFIG}: env`]),
      ...(projects === undefined ? [] : [`${CONFIG}: projects`]),
    ],
  };
}
