import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { MANIFEST } from './backup-places.ts';
import { END, headerOf, paddingFor } from './tar.ts';

export interface BackupFile {
  readonly path: string;
  /** The path of the file to copy, or the bytes to write. */
  readonly from: string | Buffer;
}

export interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes the backup file atomically, readable by its owner only. The manifest is written last, because it lists the
 * files that were really written.
 */
export async function writeBackup(
  target: string,
  files: readonly BackupFile[],
  manifestOf: (written: readonly Written[]) => unknown,
): Promise<readonly Written[]> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
  const gzip = createGzip();
  gzip.pipe(output);
  try {
    const written: Written[] = [];
    for (const file of files) {
      const done = await writeFile(gzip, file);
      if (done !== undefined) written.push(done);
    }
    await writeFile(gzip, { path: MANIFEST, from: Buffer.from(`${JSON.stringify(manifestOf(written), null, 2)}\n`) });
    gzip.end(END);
    await finished(output);
    await rename(unfinished, target);
    return written;
  } catch (error) {
    gzip.destroy();
    output.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Adds one file to the backup. Returns undefined if the file was deleted or replaced by something else after the files
 * were listed.
 */
async function writeFile(gzip: Gzip, { path, from }: BackupFile): Promise<Written | undefined> {
  const bytes = typeof from === 'string' ? await readPlain(from) : from;
  if (bytes === undefined) return undefined;
  if (gzip.destroyed) throw new Error('the file cannot be written');
  for (const chunk of [headerOf({ path, bytes: bytes.length }), bytes, paddingFor(bytes.length)])
    if (!gzip.write(chunk)) await once(gzip, 'drain');
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function readPlain(path: string): Promise<Buffer | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    return (await file.stat()).isFile() ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}
