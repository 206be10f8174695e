import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type AgedBaton, ageBaton, LISTS } from './aged-baton.ts';
import type { History } from './grow-history.ts';

/** The young store has just enough entries to fill one page of every list. */
const YOUNG: History = { agents: 300, lost: 0, runs: 250, events: 1_000, packages: 250 };
/** The numbers of goal P10. A run needs an ended agent, so there are more agents than runs. */
const OLD: History = { agents: 11_000, lost: 1_000, runs: 10_000, events: 1_000_000, packages: 20_000 };

const ROUNDS = 9;
/** Each part with its number of repetitions per round; parts that take microseconds need more repetitions. */
const PARTS: readonly (readonly [string, number, (baton: AgedBaton) => Promise<void>])[] = [
  ['reconcile', 20, (baton) => baton.reconcile()],
  ['event', 50, (baton) => baton.event()],
  ['handoff', 5, (baton) => baton.handoff()],
  ['start', 1, (baton) => baton.start()],
  ...LISTS.map((list) => [list, 5, (baton: AgedBaton) => baton.list(list)] as const),
];

/** P10: measures the cost of each part after years, divided by its cost in a young store. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, events: { type: 'string' } },
  });
  const say = values.json ? console.error : console.log;
  const young = await ageBaton(YOUNG);
  const old = await ageBaton({ ...OLD, events: Number(values.events ?? OLD.events) });
  say('both stores are filled');
  const times = PARTS.map(() => ({ young: [] as number[], old: [] as number[] }));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let longestBlockMs = 0;
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, count, work]] of PARTS.entries()) {
      times[index]?.young.push(await timeOf(young, count, work));
      delay.reset();
      delay.enable();
      times[index]?.old.push(await timeOf(old, count, work));
      delay.disable();
      longestBlockMs = Math.max(longestBlockMs, delay.max / 1e6);
    }
  const parts = Object.fromEntries(
    PARTS.map(([name], index) => [name, ratioOf(times[index] ?? { young: [], old: [] })]),
  );
  for (const [index, [name]] of PARTS.entries()) {
    const [before, after] = [median(times[index]?.young ?? []), median(times[index]?.old ?? [])];
    say(`${name}: ${before.toFixed(2)} ms young, ${after.toFixed(2)} ms old, ratio ${parts[name]}`);
  }
  await young.end();
  await old.end();
  const worst = Math.max(...Object.values(parts));
  const result = { P10: { ratio: worst, parts, longest_block_ms: Math.round(longestBlockMs) }, load: loadavg()[0] };
  console.log(JSON.stringify(result));
  return worst <= 1.2 && longestBlockMs <= 50 ? 0 : 1;
}

async function timeOf(baton: AgedBaton, count: number, work: (baton: AgedBaton) => Promise<void>): Promise<number> {
  const begin = performance.now();
  for (let done = 0; done < count; done++) await work(baton);
  return (performance.now() - begin) / count;
}

/** The median of the rounds' ratios. Young and old store take turns in a round, so a slow phase affects both. */
const ratioOf = ({ young, old }: { readonly young: readonly number[]; readonly old: readonly number[] }): number =>
  Math.round(median(old.map((each, round) => each / (young[round] ?? Number.NaN))) * 100) / 100;

const median = (all: readonly number[]): number =>
  [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
