import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure, type SetMeasured } from './measure.ts';

const SETS = fileURLToPath(new URL('sets', import.meta.url));
const LEAST = { structural: 0.95, vague: 0.6 };
const MAX_WARNED = 0.1;

/**
 * Runs the lint bench and returns the exit code. With --json the last line on stdout is the result. All other output
 * goes to stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const say = values.json ? console.error : console.log;
  const sets: SetMeasured[] = [];
  for (const name of readdirSync(SETS).sort()) {
    const { result, wrong } = await measure(join(SETS, name), name);
    for (const line of wrong) say(line);
    say(sentenceOf(result));
    sets.push(result);
  }
  if (values.json) console.log(JSON.stringify({ sets }));
  return sets.every(isGoodEnough) ? 0 : 1;
}

const sentenceOf = (set: SetMeasured): string =>
  `${set.name}: ${set.structural_caught} of ${set.structural} structural and ${set.vague_caught} of ${set.vague} vague defects caught; of ${set.good} good packages ${set.blocked_clean} blocked, ${set.warned_clean} warned about`;

export const isGoodEnough = (set: SetMeasured): boolean =>
  set.structural_caught >= set.structural * LEAST.structural &&
  set.vague_caught >= set.vague * LEAST.vague &&
  set.blocked_clean === 0 &&
  set.warned_clean <= set.good * MAX_WARNED;
