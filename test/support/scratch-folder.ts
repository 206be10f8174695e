import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sitAtStrangersDesk } from '../../scripts/prove/strangers-desk.mjs';

const run = globalThis as { batonScratchFolder?: string };

/**
 * Puts all temporary folders of a test run into one folder and removes this folder at the end. The path of this folder
 * is short, because sockets need short paths. vitest calls `scratchFolder` once per project, but only the first call
 * has an effect.
 */
export default function scratchFolder(): () => void {
  if (run.batonScratchFolder !== undefined) return () => undefined;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bt')));
  run.batonScratchFolder = folder;
  process.env.TMPDIR = folder;
  sitAtStrangersDesk();
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
