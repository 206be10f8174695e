import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sitAtStrangersDesk } from '../../scripts/prove/strangers-desk.mjs';

/** All temporary folders of a test run lie in one, which goes with it, the home too. Short, because sockets lie in it. */
export default function scratchFolder(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt')));
  process.env.TMPDIR = folder;
  sitAtStrangersDesk();
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
