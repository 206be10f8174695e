import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SOMETIMES } from './judge/sometimes.ts';
import type { Tally } from './play-chunk.ts';
import { runSeed } from './run-seed.ts';

const CHUNK = 100;
/**
 * The number of seeds per chunk when BATON_PLANT names a planted bug. The number is small, because most planted bugs
 * make one of the first seeds fail.
 */
const SMALL_CHUNK = 10;
/** How many of the failing seeds are printed with their whole history. */
const SHOWN = 2;

/** Runs `npm run prove:sim` and returns the exit code. With --json the result is the only line on stdout. */
export async function main(args: readonly string[], workerPath: string): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '20000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      'until-red': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.seed !== undefined) return replay(Number(values.seed));
  const [seeds, from] = [Number(values.seeds), Number(values.from)];
  if (![seeds, from].every((each) => Number.isInteger(each) && each >= 1)) {
    console.error('--seeds and --from must be numbers from 1 on');
    return 2;
  }
  const began = performance.now();
  const { failed, counts } = await playAll({ from, seeds }, workerPath, values['until-red']);
  if (values['until-red']) return tellFirst(failed, seeds);
  const unreached = SOMETIMES.filter((name) => !counts[name]);
  const result = {
    seeds,
    failed: failed.length,
    reached: SOMETIMES.length - unreached.length,
    to_reach: SOMETIMES.length,
  };
  const say = values.json ? console.error : console.log;
  for (const { seed, offences } of failed.slice(0, 20)) say(`✗ seed ${seed}: ${offences.join('; ')}`);
  for (const { seed } of failed.slice(0, SHOWN)) await replay(seed, console.error);
  if (unreached.length > 0) say(`never reached: ${unreached.join(', ')}`);
  if (!values.json) for (const name of SOMETIMES) say(`${String(counts[name] ?? 0).padStart(7)}  ${name}`);
  say(`${seeds} worlds in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  console.log(JSON.stringify(result));
  return failed.length === 0 && unreached.length === 0 ? 0 : 1;
}

/** Prints the first seed that failed, if any. This output is used for planted bugs. */
function tellFirst(failed: Tally['failed'], seeds: number): number {
  const first = failed[0];
  if (first !== undefined) console.error(`✗ seed ${first.seed}: ${first.offences.join('; ')}`);
  console.log(JSON.stringify({ seeds, first_red: first?.seed ?? null }));
  return first === undefined ? 0 : 1;
}

async function replay(seed: number, say: (line: string) => void = console.log): Promise<number> {
  const { faults, offences, history } = await runSeed(seed);
  say(`seed ${seed}, faults: ${faults.join(', ') || 'none'}`);
  for (const line of history()) say(line);
  for (const offence of offences) say(`✗ ${offence}`);
  say(`again: npm run prove:sim -- --seed ${seed}`);
  return offences.length === 0 ? 0 : 1;
}

/** Plays all seeds in workers. Each worker gets the next chunk of seeds as soon as it has finished the previous one. */
async function playAll(
  { from, seeds }: { readonly from: number; readonly seeds: number },
  workerPath: string,
  untilRed: boolean,
): Promise<Tally> {
  const failed: { seed: number; offences: readonly string[] }[] = [];
  const counts: Record<string, number> = {};
  let next = from;
  const last = from + seeds - 1;
  const chunk = untilRed ? SMALL_CHUNK : CHUNK;
  const playing = Array.from({ length: Math.min(availableParallelism(), 8, Math.ceil(seeds / chunk)) }, () => {
    const worker = new Worker(workerPath);
    return new Promise<void>((resolve, reject) => {
      const more = () => {
        if (next > last || (untilRed && failed.length > 0)) {
          worker.postMessage(undefined);
          return;
        }
        worker.postMessage({ from: next, to: Math.min(next + chunk - 1, last) });
        next += chunk;
      };
      worker.on('message', (tally: Tally) => {
        failed.push(...tally.failed);
        for (const [name, count] of Object.entries(tally.counts)) counts[name] = (counts[name] ?? 0) + count;
        more();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      more();
    });
  });
  await Promise.all(playing);
  return { failed: failed.sort((one, other) => one.seed - other.seed), counts };
}
