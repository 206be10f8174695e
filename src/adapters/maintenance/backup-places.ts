import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files in a backup. Each has the same path as in the home, except `manifest.json`, which exists only in the
 * backup.
 */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'baton.db';
export const CONFIG = 'config.json';
export const SECRETS = ['token', 'secret'] as const;
/**
 * The folder in which Baton stores a backup if the operator gives no path. The folder is in the home, but no backup
 * contains this folder.
 */
export const BACKUPS = 'backups';
const FOLDERS = ['data', 'documents'] as const;

/** The files and folders that a restore replaces as a whole. The database is replaced together with its side files. */
export const PIECES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}.end`, CONFIG, ...FOLDERS] as const;

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._ -]*$/;
const DEEPEST = 12;

/**
 * Returns whether Baton itself uses this path. A restore must not write to other paths, because anybody may have made
 * the backup file.
 */
export function isPlace(path: string): boolean {
  if ([MANIFEST, DATABASE, CONFIG, ...SECRETS].includes(path)) return true;
  const [top = '', ...rest] = path.split('/');
  const inFolder = FOLDERS.some((folder) => folder === top) && rest.length > 0 && rest.length < DEEPEST;
  return inFolder && rest.every((part) => SEGMENT.test(part) && !part.includes('..'));
}

export interface Listed {
  readonly files: readonly string[];
  /** Paths that the backup skips: symbolic links, sockets and files whose names are not allowed. */
  readonly passedOver: readonly string[];
}

/** Lists every file in the folders `data` and `documents` without following symbolic links. */
export function listFiles(home: string): Listed {
  const files: string[] = [];
  const passedOver: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(home, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      // Skip a temporary file, because it is being written or its write was interrupted.
      if (/\.[0-9]+-[0-9a-f]{8}\.tmp$/.test(entry.name)) continue;
      if (entry.isDirectory() && isPlace(`${path}/x`)) walk(path);
      else if (entry.isFile() && isPlace(path)) files.push(path);
      else passedOver.push(path);
    }
  };
  for (const folder of FOLDERS)
    if (lstatSync(join(home, folder), { throwIfNoEntry: false })?.isDirectory()) walk(folder);
  return { files: files.sort(), passedOver: passedOver.sort() };
}
