// Makes load for scripts/test-repeat.mjs: keeps one core or the disk busy until the parent process ends or sends
// SIGTERM.
//
//   node scripts/test/busy.mjs cpu|disk

import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How long this process keeps the core or the disk busy without a break. After each slice it returns to the event loop,
 * where it can notice that its parent has ended.
 */
const SLICE_MS = 200;
const BLOCK = Buffer.alloc(1 << 20, 'x');
const BLOCKS_PER_FILE = 32;

const work = process.argv[2] === 'disk' ? writeFile() : compute;
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
run();

function run() {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end) work();
  setImmediate(run);
}

function compute() {
  let sum = 0;
  for (let i = 0; i < 1e6; i++) sum += Math.sqrt(i);
  return sum;
}

function writeFile() {
  const folder = mkdtempSync(join(tmpdir(), 'bt-busy-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = openSync(join(folder, 'data'), 'w');
  process.on('exit', () => closeSync(file));
  let block = 0;
  return () => {
    writeSync(file, BLOCK, 0, BLOCK.length, (block++ % BLOCKS_PER_FILE) * BLOCK.length);
    fsyncSync(file);
  };
}
