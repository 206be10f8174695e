import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MissingProgram, type Part, type PartResult } from './frame/part.ts';
import { writeResults } from './frame/results-page.ts';
import { short } from './frame/statistics.ts';
import { type Load, loadParts } from './parts.ts';

interface Measured {
  readonly part: Part;
  readonly load: number;
  readonly result: PartResult;
}

/** Runs the parts and prints one JSON line with their results. Returns the exit code: 1 if a part could not run. */
export async function main(args: readonly string[], load: Load): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const say = values.json ? console.error : console.log;
  const only = values.only?.split(',');
  const options = {
    rounds: Number(values.rounds ?? (values.short ? 1 : 3)),
    short: values.short,
    say,
    ...(values.profile === undefined ? {} : { profile: resolve(values.profile) }),
  };
  const all = await loadParts(load);
  const parts = all.filter(({ id }) => only === undefined || only.includes(id));
  const measured: Measured[] = [];
  for (const part of parts) {
    say(`${part.id}: ${part.title} (${part.goal})`);
    try {
      measured.push({ part, result: await part.run(options), load: currentLoad() });
      say(`${part.id}: ${JSON.stringify(measured.at(-1)?.result)}`);
    } catch (error) {
      if (!(error instanceof MissingProgram)) throw error;
      say(`${part.id} was skipped: ${error.message}`);
    }
  }
  if (values.write) writeResults(measured);
  const results = Object.fromEntries(measured.map(({ part, result }) => [part.id, result]));
  console.log(JSON.stringify({ ...results, load: currentLoad() }));
  return measured.length === parts.length && parts.length > 0 ? 0 : 1;
}

/** Returns the load average of this machine over the last minute. */
const currentLoad = (): number => short(loadavg()[0] ?? 0);
