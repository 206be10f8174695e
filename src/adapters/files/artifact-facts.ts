import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArtifactSeen } from '../../domain/packages/content/artifact-seen.ts';
import { pathProblem } from '../../domain/packages/lint/path-rules.ts';

/** Limits for one check of a package, for all its artifacts together. */
export interface LookBounds {
  bytes: number;
  entries: number;
}

export const LOOK_BOUNDS: Readonly<LookBounds> = { bytes: 256 * 1024 * 1024, entries: 5_000 };
const DEEPEST = 20;

/**
 * Reads facts about exactly this path of the project. Checks every folder on the path, because a symbolic link could
 * lead out of the project. Opens the file once without following links, so that the file cannot be replaced between
 * check and read.
 */
export async function readArtifactFacts(root: string, path: string, left: LookBounds): Promise<ArtifactSeen> {
  if (pathProblem(path) !== undefined) return { kind: 'outside' };
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  try {
    let place = root;
    let found: Stats | undefined;
    for (const part of parts) {
      place = join(place, part);
      found = await lstat(place);
      if (found.isSymbolicLink()) return { kind: 'link' };
    }
    if (found === undefined) return { kind: 'outside' };
    if (found.isDirectory()) return await readFolderFacts(place, left, 0);
    if (path.endsWith('/')) return { kind: 'not_a_folder' };
    return await readFileFacts(place, left);
  } catch (error) {
    return { kind: kindOf(error) };
  }
}

async function readFileFacts(place: string, left: LookBounds): Promise<ArtifactSeen> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    // Detect that a folder on the path was replaced by a symbolic link after the check.
    if ((await realpath(dirname(place))) !== dirname(place)) return { kind: 'link' };
    const stat = await file.stat();
    if (!stat.isFile()) return { kind: 'special' };
    if (stat.size > left.bytes) return { kind: 'too_large' };
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Detect a file that grows while it is read.
      if (bytes > left.bytes) return { kind: 'too_large' };
      hash.update(chunk);
    }
    left.bytes -= bytes;
    return { kind: 'file', sha256: hash.digest('hex'), bytes };
  } finally {
    await file.close();
  }
}

/**
 * Hashes the sorted names of the entries, each with the hash of its content, so that any change inside the folder
 * changes the hash.
 */
async function readFolderFacts(place: string, left: LookBounds, depth: number): Promise<ArtifactSeen> {
  if (depth > DEEPEST) return { kind: 'too_large' };
  const names = (await readdir(place)).sort();
  left.entries -= names.length;
  if (left.entries < 0) return { kind: 'too_large' };
  const hash = createHash('sha256');
  let bytes = 0;
  let entries = names.length;
  for (const name of names) {
    const stat = await lstat(join(place, name));
    // Refuse symbolic links, because an artifact must not include files from outside its folder.
    if (stat.isSymbolicLink()) return { kind: 'link' };
    const inner = stat.isDirectory()
      ? await readFolderFacts(join(place, name), left, depth + 1)
      : await readFileFacts(join(place, name), left);
    if (inner.kind !== 'file' && inner.kind !== 'folder') return inner;
    hash.update(`${inner.kind} ${JSON.stringify(name)} ${inner.sha256}\n`);
    bytes += inner.bytes;
    if (inner.kind === 'folder') entries += inner.entries;
  }
  return { kind: 'folder', sha256: hash.digest('hex'), bytes, entries };
}

function kindOf(error: unknown): 'missing' | 'link' | 'special' | 'unreadable' {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'missing';
    case 'ELOOP':
    case 'EMLINK':
      return 'link';
    case 'ENXIO':
      return 'special';
    default:
      return 'unreadable';
  }
}
