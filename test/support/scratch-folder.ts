import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sitAtStrangersDesk } from '../../scripts/prove/strangers-desk.mjs';

const run = globalThis as { batonScratchFolder?: string };

/**
 * Puts all temporary folders of a test run into one folder, which is removed with the home at the end of the run. The
 * path is short, because sockets are in it. vitest calls this once per project; only the first call does the work.
 */
export default function scratchFolder(): () => void {
  if (run.batonScratchFolder !== undefined) return () => undefined;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt')));
  run.batonScratchFolder = folder;
  process.env.TMPDIR = folder;
  sitAtStrangersDesk();
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
