import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HomeFault } from '../../adapters/home/home-fault.ts';
import { openHome } from '../../adapters/home/open-home.ts';
import { parseConfig, readJson } from '../../adapters/home/read-config.ts';
import { DATABASE, PIECES, SECRETS } from '../../adapters/keep/backup-places.ts';
import { unpackBackup } from '../../adapters/keep/read-backup.ts';
import { removeLeftovers, swapIn } from '../../adapters/keep/swap-in.ts';
import type { Written } from '../../adapters/keep/write-backup.ts';
import { examineDatabase, hasOwnSchema } from '../../adapters/stores/sqlite/examine-database.ts';
import { BackupManifest, type RestoreReport } from '../../contract/keeping.ts';
import { CliFault } from '../../surfaces/cli/cli-fault.ts';
import { alone, fault, isServed, type Keeper } from './keeper.ts';

interface Wanted {
  readonly file: string;
  readonly yes: boolean;
}

/** Everything is unpacked and judged beside what is there, also for a mere look; only then is anything replaced. */
export async function restoreBackup(keeper: Keeper, { file, yes }: Wanted): Promise<RestoreReport> {
  const source = resolve(file);
  if (!existsSync(source)) throw fault(`There is no file ${source}.`, 'not_found');
  const home = openOr(keeper);
  const work = async (): Promise<RestoreReport> => {
    const id = randomBytes(4).toString('hex');
    const staging = `restore-${id}.new`;
    mkdirSync(join(home, staging), { mode: 0o700 });
    try {
      const manifest = await judged(source, join(home, staging));
      const names = [...PIECES, ...SECRETS.filter((name) => existsSync(join(home, staging, name)))];
      const pieces = names.map((name) => ({ name, fresh: existsSync(join(home, staging, name)) }));
      const replaces = names.filter((name) => existsSync(join(home, name)));
      const aside = `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`;
      if (yes) swapIn(home, { staging, aside, pieces }, keeper.checkpoint);
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
      };
    } finally {
      if (!existsSync(join(home, 'restore.json'))) rmSync(join(home, staging), { recursive: true, force: true });
    }
  };
  // A server that runs keeps every other restore out, so what is unpacked for a look stays where it is.
  if (!yes && isServed(keeper)) return work();
  return alone(keeper, 'nothing was restored', () => {
    removeLeftovers(home);
    return work();
  });
}

function openOr({ home }: Keeper): string {
  try {
    return openHome(home.path).path;
  } catch (error) {
    if (error instanceof HomeFault) throw fault(error.message, 'bad_home');
    throw error;
  }
}

/** Throws CliFault with what is wrong with it. */
async function judged(file: string, staging: string): Promise<BackupManifest> {
  try {
    const { files, manifest: found } = await unpackBackup(file, staging);
    const manifest = BackupManifest.safeParse(found);
    if (!manifest.success) throw new Error('its manifest is not one that this Baton understands');
    compare(manifest.data, files);
    judgeStore(staging);
    if (existsSync(join(staging, 'config.json')))
      parseConfig('its config.json', readJson(join(staging, 'config.json')));
    return manifest.data;
  } catch (error) {
    if (error instanceof CliFault) throw error;
    throw fault(`${file} is not restored, and nothing was changed: ${(error as Error).message}.`, 'bad_backup');
  }
}

function compare({ files: named }: BackupManifest, found: readonly Written[]): void {
  const known = new Map(named.map((each) => [each.path, each]));
  for (const { path, bytes, sha256 } of found) {
    const wanted = known.get(path);
    if (wanted === undefined) throw new Error(`${path} in it is not named by its manifest`);
    if (wanted.bytes !== bytes || wanted.sha256 !== sha256) throw new Error(`${path} in it is not what was backed up`);
  }
  const missing = named.find(({ path }) => !found.some((each) => each.path === path));
  if (missing !== undefined) throw new Error(`${missing.path} is missing in it`);
}

function judgeStore(staging: string): void {
  const { exists, schema, newestSchema, damage, closed, firstBroken } = examineDatabase(join(staging, DATABASE));
  if (!exists) throw new Error(`it has no ${DATABASE}`);
  if (closed !== undefined) throw new Error(`its database cannot be opened (${closed})`);
  if (damage !== undefined) throw new Error(`its database is damaged (${damage})`);
  if (schema > newestSchema)
    throw new Error(
      `it was made by a newer Baton (schema ${schema}, this one knows ${newestSchema}); install that one first`,
    );
  if (firstBroken !== undefined) throw new Error(`the log in it was changed: event ${firstBroken} does not follow`);
  if (!hasOwnSchema(join(staging, DATABASE)))
    throw new Error('its database has tables or triggers that are not of Baton');
}
