import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MAX_DOCUMENT_BYTES } from '../../domain/handoffs/document/document.ts';

export type DocumentRead =
  | { readonly verdict: 'good'; readonly bytes: Buffer; readonly changedNs: bigint }
  | { readonly verdict: 'missing' | 'empty' | 'not_a_regular_file' | 'reached_through_link' | 'too_large' }
  | { readonly verdict: 'unreadable'; readonly detail: string };

/**
 * Reads the file at exactly this path and follows no symbolic link. Opens the file once and checks the open file, so
 * that the file cannot be replaced between check and read. Uses O_NONBLOCK, so that a FIFO cannot hang Baton.
 */
export async function readDocument(absolutePath: string): Promise<DocumentRead> {
  const folder = dirname(absolutePath);
  try {
    if ((await realpath(folder)) !== folder) return { verdict: 'reached_through_link' };
    const file = await open(absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpenFile(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return classifyReadError(error as NodeJS.ErrnoException);
  }
}

async function readOpenFile(file: FileHandle): Promise<DocumentRead> {
  const stat = await file.stat({ bigint: true });
  if (!stat.isFile()) return { verdict: 'not_a_regular_file' };
  if (stat.nlink > 1n) return { verdict: 'reached_through_link' };
  if (stat.size > BigInt(MAX_DOCUMENT_BYTES)) return { verdict: 'too_large' };
  if (stat.size === 0n) return { verdict: 'empty' };
  let bytes = await readUpTo(file, Number(stat.size) + 1);
  // The file has grown since its size was read. Read it again, up to one byte more than a document may have, to detect
  // that the document is too large.
  if (bytes.length > Number(stat.size)) bytes = await readUpTo(file, MAX_DOCUMENT_BYTES + 1);
  if (bytes.length > MAX_DOCUMENT_BYTES) return { verdict: 'too_large' };
  if (bytes.length === 0) return { verdict: 'empty' };
  return { verdict: 'good', bytes, changedNs: stat.mtimeNs };
}

async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  for (let read = -1; read !== 0 && length < most; length += read) {
    read = (await file.read(buffer, length, most - length, length)).bytesRead;
  }
  return buffer.subarray(0, length);
}

function classifyReadError(error: NodeJS.ErrnoException): DocumentRead {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { verdict: 'missing' };
    case 'ELOOP':
    case 'EMLINK':
      return { verdict: 'reached_through_link' };
    case 'ENXIO':
    case 'EISDIR':
      return { verdict: 'not_a_regular_file' };
    default:
      return { verdict: 'unreadable', detail: error.message };
  }
}
