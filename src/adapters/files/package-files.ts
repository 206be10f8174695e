import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { PackageFiles } from '../../app/ports/files/package-files.ts';
import type { ArtifactSeen } from '../../domain/packages/content/artifact-seen.ts';
import { pathProblem } from '../../domain/packages/lint/path-rules.ts';
import { LOOK_BOUNDS, readArtifactFacts } from './artifact-facts.ts';
import { readInside } from './read-inside.ts';
import { flushFolder, replaceFile } from './write-whole-file.ts';

/** The folder of the package archive in a project, as specification 004 specifies it. */
const ARCHIVE = ['.project', '07-audit', 'sessions'] as const;

/** The maximum size of a text file whose content is kept and shown. */
const MAX_TEXT = 128 * 1024;
const NOT_TEXT = 'the file is not UTF-8 text';

export function createPackageFiles(
  homePath: string,
  checkpoint: (name: string) => void = () => undefined,
): PackageFiles {
  /**
   * Folders from which this server has already removed the temporary files that a killed server left. One removal per
   * folder is enough. Only Baton writes to these folders, so all such files are older than this server.
   */
  const cleaned = new Map<string, Promise<void>>();
  const clean = (folder: string): Promise<void> => {
    const known = cleaned.get(folder);
    if (known !== undefined) return known;
    const done = removeLeftovers(folder);
    cleaned.set(folder, done);
    done.catch(() => cleaned.delete(folder));
    return done;
  };
  const keptPath = (sha256: string): string => join(homePath, 'data', 'artifacts', nameOf(sha256));
  const writeIfOther = async (path: string, text: string): Promise<boolean> => {
    if ((await readAtMost(path, Buffer.byteLength(text) + 1)) === text) return false;
    await clean(dirname(path));
    await replaceFile(path, text, 0o600, checkpoint);
    return true;
  };
  return {
    look: async (root, paths) => {
      const left = { ...LOOK_BOUNDS };
      const seen: Record<string, ArtifactSeen> = {};
      for (const path of paths) seen[path] = await readArtifactFacts(root, path, left);
      return seen;
    },
    usesPackages: (root) => lstatSync(join(root, ARCHIVE[0]), { throwIfNoEntry: false })?.isDirectory() === true,
    readText: async (root, path) => {
      if (pathProblem(path) !== undefined) return { whyNot: 'the path of the file leads out of the project' };
      try {
        const text = await readInside(root, path, MAX_TEXT);
        if (text === undefined) return { whyNot: 'the file does not exist' };
        if (text.includes('\0')) return { whyNot: NOT_TEXT };
        return { text, sha256: createHash('sha256').update(text).digest('hex') };
      } catch (error) {
        return { whyNot: error instanceof TypeError ? NOT_TEXT : (error as Error).message };
      }
    },
    keptText: (sha256) => readAtMost(keptPath(sha256), 2 * MAX_TEXT),
    keepText: async (sha256, text) => {
      await mkdir(dirname(keptPath(sha256)), { recursive: true, mode: 0o700 });
      await writeIfOther(keptPath(sha256), text);
    },
    writeState: async ({ id, name }, state) => {
      const folder = join(homePath, 'data', 'projects', `${slugOf(name)}-${id}`, 'state');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const isOther = await writeIfOther(join(folder, 'current.json'), `${JSON.stringify(state, undefined, 2)}\n`);
      if (isOther) await flushFolder(folder);
      return isOther;
    },
    writeArchive: async ({ root, session, id, uid, files }) => {
      const folder = await folderIn(root, [...ARCHIVE, nameOf(session), 'handoffs']);
      await setAside(folder, nameOf(id), uid);
      let written = 0;
      for (const { name, value } of files) {
        const path = join(folder, nameOf(name));
        if (value === undefined ? await removeFile(path) : await writeIfOther(path, yamlOf(value))) written += 1;
      }
      if (written > 0) await flushFolder(folder);
      return written;
    },
  };
}

/** Converts a value to YAML. Equal values always give the same text. */
const yamlOf = (value: unknown): string =>
  stringify(value, { version: '1.2', aliasDuplicateObjects: false, lineWidth: 100, singleQuote: false });

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'project';

/** Returns a file name that cannot lead out of its folder. */
const nameOf = (text: string): string => text.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_');

/**
 * Creates the folders one by one and refuses symbolic links, because through a link that an agent made, Baton would
 * write files outside the project.
 */
async function folderIn(root: string, parts: readonly string[]): Promise<string> {
  let place = root;
  for (const part of parts) {
    place = join(place, part);
    await mkdir(place, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const found = await lstat(place);
    if (!found.isDirectory())
      throw new Error(`${place} is a symbolic link or a file, not a folder, so Baton writes nothing there`);
  }
  if ((await realpath(place)) !== place)
    throw new Error(`the path ${place} leads through a symbolic link, so Baton writes nothing there`);
  return place;
}

/** The line of an archived package with its `uid`, a ULID. */
const UID = /^ {2}uid: ([0-9A-HJKMNP-TV-Z]{26})$/m;
/** More than an archived package can have, because a package has at most 128 KiB when it is submitted. */
const MAX_ARCHIVED = 4 * MAX_TEXT;

/**
 * Renames the archived files of another package with the same id, such as `HO-2026-001.yaml`, to
 * `HO-2026-001.UID.yaml`. Two Batons count from `HO-2026-001`, and an id can be given again after a purge; the log of
 * this Baton does not have the other package, so its files could not be written again.
 */
async function setAside(folder: string, id: string, uid: string): Promise<void> {
  const newest = `${id}.yaml`;
  const other = UID.exec((await readAtMost(join(folder, newest), MAX_ARCHIVED)) ?? '')?.[1];
  if (other === undefined || other === uid) return;
  const isOfOther = (name: string): boolean => /^(?:r\d+|record|ack)\.yaml$/.test(name.slice(id.length + 1));
  const parts = (await readdir(folder)).filter((name) => name.startsWith(`${id}.`) && isOfOther(name));
  // The file with the `uid` goes last: after a crash in between, the next write sees that the rest is of another package.
  for (const name of [...parts, newest])
    await rename(join(folder, name), join(folder, `${id}.${other}${name.slice(id.length)}`));
}

/** Removes a file; false if it was not there. */
async function removeFile(path: string): Promise<boolean> {
  const isThere = (await lstat(path).catch(() => undefined))?.isFile() === true;
  if (isThere) await rm(path, { force: true });
  return isThere;
}

/** Removes the temporary files that a killed server left in this folder, because no other code removes them. */
async function removeLeftovers(folder: string): Promise<void> {
  const isLeft = (name: string): boolean => /^(?:HO-[\w.-]+\.yaml|current\.json)\.\d+-[0-9a-f]{8}\.tmp$/.test(name);
  for (const name of (await readdir(folder)).filter(isLeft)) await rm(join(folder, name), { force: true });
}

/** Returns the text of a regular file of at most this size; undefined for anything else, such as a symbolic link. */
async function readAtMost(path: string, most: number): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size > most) return undefined;
  const file = await open(path, 'r');
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
