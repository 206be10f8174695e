import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file atomically: writes and flushes a temporary file, renames the temporary file, and flushes the folder.
 */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
  checkpoint: (name: string) => void = () => undefined,
): Promise<void> {
  await replaceFile(path, content, mode, checkpoint);
  await flushFolder(dirname(path));
}

/**
 * Replaces a file atomically, but does not flush its folder. After a power loss, the folder may contain the old file
 * again. With `flush: false`, the new file may even be empty, so such a file must be written again before each use.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
  checkpoint: (name: string) => void = () => undefined,
  { flush = true }: { readonly flush?: boolean } = {},
): Promise<void> {
  // Use a random suffix, because a killed writer with the same pid may have left a temporary file.
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const file = await open(temporary, 'w', mode);
  try {
    checkpoint('file:opened');
    await file.writeFile(content);
    if (flush) await file.sync();
  } catch (error) {
    // Add the path to the message, because Node's own message about an open file lacks it ("ENOSPC: no space left on
    // device, write").
    if (error instanceof Error) error.message += ` ${path}`;
    throw error;
  } finally {
    await file.close();
  }
  checkpoint('file:written');
  await rename(temporary, path);
  checkpoint('file:renamed');
}

export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
