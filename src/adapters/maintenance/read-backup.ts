import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isPlace, MANIFEST } from './backup-places.ts';
import { BLOCK, type Entry, readHeader } from './tar.ts';
import type { Written } from './write-backup.ts';

/**
 * Returns the maximum size of the unpacked backup, in bytes. A file that unpacks to more is not a backup of Baton. A
 * zip bomb, for example, unpacks to 1,000 times its size.
 */
const mostBytes = (packed: number): number => 64 * 1024 ** 2 + 100 * packed;
const MAX_FILES = 200_000;
const MAX_MANIFEST = 64 * 1024 * 1024;

export interface Unpacked {
  readonly files: readonly Written[];
  readonly manifest: unknown;
}

/**
 * Unpacks a backup into a separate folder. Accepts only file names that Baton itself uses, so a forged backup cannot
 * write to any other place. Throws an error with a readable sentence if the file is not a complete backup of Baton.
 */
export async function unpackBackup(file: string, into: string): Promise<Unpacked> {
  const most = mostBytes((await stat(file)).size);
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    return await unpack(blocksOf(gunzip), into, most);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

async function unpack(blocks: Blocks, into: string, most: number): Promise<Unpacked> {
  const files: Written[] = [];
  const seen = new Set<string>();
  let manifest: unknown;
  let total = 0;
  for (;;) {
    const entry = readHeader(await blocks.take(BLOCK));
    if (entry === undefined) break;
    total += entry.bytes;
    if (!isPlace(entry.path))
      throw new Error(`the backup contains ${JSON.stringify(entry.path)}, which is not a path of Baton`);
    if (seen.has(entry.path)) throw new Error(`the backup contains ${entry.path} twice`);
    if (total > most)
      throw new Error(
        `the backup unpacks to more than ${Math.round(most / 1024 ** 2)} MiB, which no backup of this file size can contain`,
      );
    if (seen.size >= MAX_FILES) throw new Error('the backup contains more files than Baton ever writes into a backup');
    seen.add(entry.path);
    if (entry.path === MANIFEST) manifest = await readManifest(blocks, entry);
    else files.push(await writeOut(blocks, entry, into));
    await blocks.take((BLOCK - (entry.bytes % BLOCK)) % BLOCK);
  }
  if (manifest === undefined) throw new Error(`the file has no ${MANIFEST}, so it is incomplete or not a backup`);
  return { files, manifest };
}

async function readManifest(blocks: Blocks, { bytes }: Entry): Promise<unknown> {
  if (bytes > MAX_MANIFEST) throw new Error(`the ${MANIFEST} of the backup is too large`);
  return JSON.parse((await blocks.take(bytes)).toString('utf8'));
}

const PIECE = 1024 * 1024;

async function writeOut(blocks: Blocks, { path, bytes }: Entry, into: string): Promise<Written> {
  const target = join(into, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  // The flag 'wx' refuses to open an existing file or symbolic link. No other program can write to this new folder, so
  // no link can lead the write elsewhere.
  const file = await open(target, 'wx', path.startsWith('documents/') ? 0o400 : 0o600);
  try {
    const hash = createHash('sha256');
    for (let left = bytes; left > 0; ) {
      const piece = await blocks.take(Math.min(PIECE, left));
      hash.update(piece);
      await file.writeFile(piece);
      left -= piece.length;
    }
    await file.sync();
    return { path, bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

interface Blocks {
  /** Reads exactly the given number of bytes; throws if fewer are left. */
  take(bytes: number): Promise<Buffer>;
}

function blocksOf(stream: AsyncIterable<Buffer>): Blocks {
  const chunks = stream[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  return {
    take: async (bytes) => {
      while (held.length < bytes) {
        const next = await chunks.next().catch((error: Error) => {
          throw new Error(`the file cannot be unpacked (${error.message})`);
        });
        if (next.done === true) throw new Error('the backup is truncated');
        held = Buffer.concat([held, next.value]);
      }
      const taken = held.subarray(0, bytes);
      held = held.subarray(bytes);
      return taken;
    },
  };
}
