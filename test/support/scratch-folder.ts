import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sitAtStrangersDesk } from '../../scripts/prove/strangers-desk.mjs';

let made = false;

/**
 * Puts all temporary folders of a test run into one, which is removed at its end together with the home. Its path is
 * short, because sockets lie in it. vitest calls this once for each project; the first call does it for all.
 */
export default function scratchFolder(): () => void {
  if (made) return () => undefined;
  made = true;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt')));
  process.env.TMPDIR = folder;
  sitAtStrangersDesk();
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
