import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HomeFault } from '../../adapters/home/home-fault.ts';
import { openHome } from '../../adapters/home/open-home.ts';
import { problemInConfig, readJson } from '../../adapters/home/read-config.ts';
import { CONFIG, DATABASE, PIECES, SECRETS } from '../../adapters/maintenance/backup-places.ts';
import { unpackBackup } from '../../adapters/maintenance/read-backup.ts';
import { removeLeftovers, swapIn } from '../../adapters/maintenance/swap-in.ts';
import type { Written } from '../../adapters/maintenance/write-backup.ts';
import { forgetPageSessions } from '../../adapters/stores/sqlite/upkeep/copy-database.ts';
import { examineDatabase, hasOwnSchema, hostileName } from '../../adapters/stores/sqlite/upkeep/examine-database.ts';
import { BackupManifest, type RestoreReport } from '../../contract/maintenance.ts';
import { CliFault } from '../../surfaces/cli/cli-fault.ts';
import { alone, fault, isServed, type MaintenanceContext } from './maintenance.ts';

interface Wanted {
  readonly file: string;
  readonly yes: boolean;
  readonly withSecrets: boolean;
}

/**
 * Restores a backup. The whole backup is unpacked and validated before anything is replaced. A dry run only validates.
 */
export async function restoreBackup(
  context: MaintenanceContext,
  { file, yes, withSecrets }: Wanted,
): Promise<RestoreReport> {
  const source = resolve(file);
  if (!existsSync(source)) throw fault(`There is no file ${source}.`, 'not_found');
  const home = openOr(context);
  const work = async (): Promise<RestoreReport> => {
    const id = randomBytes(4).toString('hex');
    const staging = `restore-${id}.new`;
    mkdirSync(join(home, staging), { mode: 0o700 });
    try {
      const manifest = await judged(source, join(home, staging));
      const notTaken = withSecrets ? [] : takeOut(join(home, staging), home);
      const names = [...PIECES, ...SECRETS.filter((name) => existsSync(join(home, staging, name)))];
      const pieces = names.map((name) => ({ name, fresh: existsSync(join(home, staging, name)) }));
      const replaces = names.filter((name) => existsSync(join(home, name)));
      const aside = `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`;
      if (yes) swapIn(home, { staging, aside, pieces }, context.checkpoint);
      return {
        file: source,
        home,
        done: yes,
        created_at: manifest.created_at,
        baton_version: manifest.baton_version,
        schema: manifest.schema,
        files: manifest.files.length,
        replaces,
        aside: yes && replaces.length > 0 ? join(home, aside) : null,
        left_out: manifest.left_out,
        not_taken: [...notTaken],
      };
    } finally {
      if (!existsSync(join(home, 'restore.json'))) rmSync(join(home, staging), { recursive: true, force: true });
    }
  };
  // A dry run beside a running server needs no exclusive access to the home. The server prevents other restores, so no
  // other process removes the files that this dry run unpacks.
  if (!yes && isServed(context)) return work();
  return alone(context, 'nothing was restored', () => {
    removeLeftovers(home);
    return work();
  });
}

/**
 * Removes from an unpacked backup everything that would let other people log in, or that would run their programs in
 * every agent. The affected settings keep the values of the current home. Returns a list of what was removed.
 */
function takeOut(staging: string, home: string): readonly string[] {
  const secrets = SECRETS.filter((name) => existsSync(join(staging, name)));
  for (const name of secrets) rmSync(join(staging, name));
  const hadSessions = forgetPageSessions(join(staging, DATABASE));
  return [...secrets, ...(hadSessions ? ['page sessions'] : []), ...keepOwnSettings(staging, home)];
}

type Json = Readonly<Record<string, unknown>>;

/** The keys of config.json that hold variables, hosts and addresses. A restore does not change these keys. */
const OWN_SETTINGS = [
  ['env'],
  ['projects'],
  ['allowed_hosts'],
  ['notifications', 'ntfy'],
  ['notifications', 'webhook'],
];

function keepOwnSettings(staging: string, home: string): readonly string[] {
  const path = join(staging, CONFIG);
  if (!existsSync(path)) return [];
  const own = existsSync(join(home, CONFIG)) ? readJson(join(home, CONFIG)) : {};
  let settings = readJson(path) as Json;
  const notTaken: string[] = [];
  for (const keys of OWN_SETTINGS) {
    const [theirs, ours] = [valueAt(settings, keys), valueAt(own, keys)];
    if (JSON.stringify(theirs) === JSON.stringify(ours)) continue;
    if (theirs !== undefined) notTaken.push(`${CONFIG}: ${keys.join('.')}`);
    settings = withValue(settings, keys, ours);
  }
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return notTaken;
}

const valueAt = (json: unknown, [first = '', ...rest]: readonly string[]): unknown => {
  const value = typeof json === 'object' && json !== null ? (json as Json)[first] : undefined;
  return rest.length === 0 ? value : valueAt(value, rest);
};

function withValue(json: Json, [first = '', ...rest]: readonly string[], value: unknown): Json {
  const { [first]: before, ...others } = json;
  const after = rest.length === 0 ? value : withValue((before ?? {}) as Json, rest, value);
  const isEmpty = after === undefined || (rest.length > 0 && Object.keys(after as Json).length === 0);
  return isEmpty ? others : { ...others, [first]: after };
}

function openOr({ home }: MaintenanceContext): string {
  try {
    return openHome(home.path).path;
  } catch (error) {
    if (error instanceof HomeFault) throw fault(error.message, 'bad_home');
    throw error;
  }
}

/** Unpacks and validates the backup. Throws CliFault with the reason if the backup is not valid. */
async function judged(file: string, staging: string): Promise<BackupManifest> {
  try {
    const { files, manifest: found } = await unpackBackup(file, staging);
    const manifest = BackupManifest.safeParse(found);
    if (!manifest.success) throw new Error('this version of Baton cannot read the manifest of the backup');
    compare(manifest.data, files);
    checkStore(staging);
    checkConfig(staging);
    return manifest.data;
  } catch (error) {
    if (error instanceof CliFault) throw error;
    throw fault(`${file} was not restored, and nothing was changed: ${(error as Error).message}.`, 'bad_backup');
  }
}

function checkConfig(staging: string): void {
  const path = join(staging, CONFIG);
  const problem = existsSync(path) ? problemInConfig(readFileSync(path, 'utf8')) : undefined;
  if (problem !== undefined)
    throw new Error(`the ${CONFIG} in the backup cannot be used. ${problem} Restore another backup`);
}

function compare({ files: named }: BackupManifest, found: readonly Written[]): void {
  const known = new Map(named.map((each) => [each.path, each]));
  for (const { path, bytes, sha256 } of found) {
    const wanted = known.get(path);
    if (wanted === undefined) throw new Error(`the backup contains ${path}, which its manifest does not list`);
    if (wanted.bytes !== bytes || wanted.sha256 !== sha256)
      throw new Error(`the backup contains ${path}, which does not match its manifest`);
  }
  const missing = named.find(({ path }) => !found.some((each) => each.path === path));
  if (missing !== undefined) throw new Error(`the backup lacks ${missing.path}`);
}

function checkStore(staging: string): void {
  const { exists, schema, newestSchema, damage, closed, firstBroken } = examineDatabase(join(staging, DATABASE));
  if (!exists) throw new Error(`the backup has no ${DATABASE}`);
  if (closed !== undefined) throw new Error(`the database of the backup cannot be opened (${closed})`);
  if (damage !== undefined) throw new Error(`the database of the backup is damaged (${damage})`);
  if (schema > newestSchema)
    throw new Error(
      `the backup was made by a newer Baton (schema ${schema}, this one supports up to ${newestSchema}); install that version first`,
    );
  if (firstBroken !== undefined)
    throw new Error(`the log in the backup was changed: event ${firstBroken} does not match the hash chain`);
  if (!hasOwnSchema(join(staging, DATABASE)))
    throw new Error("the database of the backup has tables or triggers that are not Baton's");
  const hostile = hostileName(join(staging, DATABASE));
  if (hostile !== undefined) throw new Error(hostile);
}
