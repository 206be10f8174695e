import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/setup/paths.mjs';
import type { Part } from './frame/part.ts';

/** Loads a TypeScript module by its path from the root of the repository. */
export type Load = (path: string) => Promise<{ readonly parts: readonly Part[] }>;

/** The modules that define the parts of the bench, P1 to P10. Each module exports `parts`. */
const MODULES = [
  '/bench/handoff/typing.ts',
  '/bench/handoff/handoffs.ts',
  '/bench/handoff/at-once.ts',
  '/bench/server/parts.ts',
  '/bench/history/parts.ts',
];

/** Loads all parts of the bench, sorted by number (P1 to P10). */
export async function loadParts(load: Load): Promise<readonly Part[]> {
  const present = MODULES.filter((path) => existsSync(join(ROOT, path)));
  const parts = (await Promise.all(present.map(load))).flatMap((module) => module.parts);
  return parts.sort((one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1)));
}
