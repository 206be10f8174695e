import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

export function transcriptPathFor(logPath: string | undefined, sessionId: string): string {
  if (logPath === undefined) return join(tmpdir(), `practice-${sessionId}.transcript.jsonl`);
  return `${logPath.replace(/\.jsonl$/, '')}.transcript.jsonl`;
}

/** Returns the path of the transcript after a `/clear`. The new conversation gets a new file beside the first. */
export const transcriptPathAfterClear = (path: string, sessionId: string): string =>
  join(dirname(path), `${basename(path).split('.')[0]}.${sessionId}.transcript.jsonl`);
