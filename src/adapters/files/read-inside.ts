import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Reads a text file of at most `most` bytes inside a folder that agents can write to. Follows no symbolic link. Returns
 * undefined if the file does not exist or a folder on the path is a link. Throws an error on other problems, for
 * example if the file itself is a link or is too large.
 */
export async function readInside(root: string, path: string, most: number): Promise<string | undefined> {
  let place = root;
  for (const part of path.split('/')) {
    // Return nothing for a file whose path leads through a symbolic link, because such a file does not belong to the
    // folder.
    if (place !== root && (await lstat(place)).isSymbolicLink()) return undefined;
    place = join(place, part);
    if ((await lstat(place).catch(gone)) === undefined) return undefined;
  }
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(gone);
  if (file === undefined) return undefined;
  try {
    // Detect that a folder on the path was replaced by a symbolic link after the check.
    if ((await realpath(dirname(place))) !== dirname(place))
      throw new Error('the path of the file leads through a symbolic link');
    if (!(await file.stat()).isFile()) throw new Error('the path is not a regular file');
    const bytes = Buffer.alloc(most + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > most) throw new Error(`the file is larger than ${most / 1024} KiB`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw new Error(error.code === 'ELOOP' ? 'it is a link' : 'it cannot be read');
}
