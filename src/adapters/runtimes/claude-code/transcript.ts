import { open } from 'node:fs/promises';

/** Transcripts grow to hundreds of megabytes; what was just typed stands near their end. */
const TAIL_BYTES = 4 * 1024 * 1024;

/**
 * Only a line of the user counts: a prompt that the operator's own hook has blocked stands in a `system` line, and the
 * model never saw it. Tool results are lines of the user too, but what Baton types is never in them alone.
 */
export async function transcriptHolds(path: string, text: string): Promise<boolean> {
  const quoted = JSON.stringify(text).slice(1, -1);
  return (await readTail(path)).split('\n').some((line) => line.includes(quoted) && saysUser(line, text));
}

function saysUser(line: string, text: string): boolean {
  try {
    const entry = JSON.parse(line) as { type?: unknown; message?: { content?: unknown } };
    return entry.type === 'user' && promptOf(entry.message?.content).includes(text);
  } catch {
    // The first line of a tail is cut, and the last may not be written yet.
    return false;
  }
}

function promptOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: { type?: unknown; text?: unknown }) => (block?.type === 'text' ? String(block.text) : ''))
    .join('\n');
}

async function readTail(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
