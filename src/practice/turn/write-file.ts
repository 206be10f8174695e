import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WriteAction } from '../brain/action.ts';

const SLOW_CHUNKS = 5;
const SLOW_PAUSE_MS = 200;

export async function writeFileInManner(path: string, action: WriteAction, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  switch (action.manner ?? 'whole') {
    case 'slow':
      return writeSlowly(path, action.content, signal);
    case 'symlink':
      return writeBehindSymlink(path, action.content);
    case 'whole':
      return writeFile(path, action.content);
  }
}

async function writeSlowly(path: string, content: string, signal: AbortSignal): Promise<void> {
  const size = Math.ceil(content.length / SLOW_CHUNKS);
  await writeFile(path, '');
  for (let start = 0; start < content.length; start += size) {
    await appendFile(path, content.slice(start, start + size));
    await pause(SLOW_PAUSE_MS, undefined, { signal });
  }
}

async function writeBehindSymlink(path: string, content: string): Promise<void> {
  const target = `${path}.elsewhere`;
  await writeFile(target, content);
  await rm(path, { force: true });
  await symlink(target, path);
}
