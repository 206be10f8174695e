import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markOf } from '../../../src/adapters/files/mark-of.ts';

const LATER = Date.now() + 60_000;

it('Baton notices a changed file even if the file keeps its size and modification time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bt-mark-'));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  writeFileSync(one, 'aaaa');
  const { atime, mtime } = statSync(one);
  const first = markOf([one, other], LATER);
  expect(markOf([one, other], LATER)).toBe(first);
  rmSync(one);
  writeFileSync(one, 'bbbb');
  utimesSync(one, atime, mtime);
  const second = markOf([one, other], LATER);
  writeFileSync(other, '');
  const third = markOf([one, other], LATER);
  rmSync(other);
  rmSync(one);
  expect(new Set([first, second, third, markOf([one, other], LATER)]).size).toBe(4);
});

it('markOf returns no mark for a file that changed a second ago, because a later change could leave the same timestamp', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'bt-mark-')), 'file');
  writeFileSync(file, 'a');
  expect(markOf([file], statSync(file).ctimeMs + 1_000)).toBeUndefined();
  expect(markOf([file], statSync(file).ctimeMs + 3_000)).toBeDefined();
});
