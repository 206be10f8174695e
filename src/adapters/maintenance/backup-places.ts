import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a backup, named by their path in the home. Only `manifest.json` belongs to the backup itself. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'baton.db';
export const CONFIG = 'config.json';
export const SECRETS = ['token', 'secret'] as const;
const FOLDERS = ['data', 'documents'] as const;

/** Pieces that a restore replaces, each as a whole. The database's side files are replaced with it. */
export const PIECES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}.end`, CONFIG, ...FOLDERS] as const;

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._ -]*$/;
const DEEPEST = 12;

/** Accepts only Baton's own paths, because a backup may have come from anybody. */
export function isPlace(path: string): boolean {
  if ([MANIFEST, DATABASE, CONFIG, ...SECRETS].includes(path)) return true;
  const [top = '', ...rest] = path.split('/');
  const inFolder = FOLDERS.some((folder) => folder === top) && rest.length > 0 && rest.length < DEEPEST;
  return inFolder && rest.every((part) => SEGMENT.test(part) && !part.includes('..'));
}

export interface Listed {
  readonly files: readonly string[];
  /** Links, sockets and names that a backup skips. */
  readonly passedOver: readonly string[];
}

/** Lists every file of the two folders without following links. */
export function listFiles(home: string): Listed {
  const files: string[] = [];
  const passedOver: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(home, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      // Skip a temporary file, whose write is in progress or was interrupted.
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
