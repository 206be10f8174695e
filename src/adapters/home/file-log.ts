import { appendFileSync, renameSync, statSync } from 'node:fs';
import type { Log } from '../../app/ports/index.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';

const MAX_BYTES_SIZE = 5 * 1024 * 1024;

/**
 * Writes one redacted JSON line per log entry to a file with mode 0600, and keeps one older file. If an entry cannot be
 * written, it is dropped, because a full disk must not stop Baton.
 */
export function createFileLog(path: string, redact: (text: string) => string): Log {
  const write =
    (level: string) =>
    (message: string, about: Readonly<Record<string, string | number>> = {}) => {
      try {
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES_SIZE) renameSync(path, `${path}.1`);
        const entry = redactWithin({ at: new Date().toISOString(), level, message, ...about }, redact);
        appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
      } catch (error) {
        process.stderr.write(`baton: could not write the log: ${(error as Error).message}\n`);
      }
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
