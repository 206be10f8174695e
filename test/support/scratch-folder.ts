import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All temporary folders of a test run lie in one, which goes with it. Short, because sockets lie in it. */
export default function scratchFolder(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt')));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
