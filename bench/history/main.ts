import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from '../frame/statistics.ts';
import { type AgedBaton, ageBaton, LISTS } from './aged-baton.ts';
import type { History } from './grow-history.ts';

/** The young store (the store with little history) has just enough entries to fill one page of every list. */
const YOUNG: History = { agents: 300, lost: 0, runs: 250, events: 1_000, packages: 250 };
/**
 * The size of the history that goal P10 prescribes. Each run needs its own ended agent, so there are more agents than
 * runs.
 */
export const OLD: History = { agents: 11_000, lost: 1_000, runs: 10_000, events: 1_000_000, packages: 20_000 };

export const ROUNDS = 9;
/** The number of rounds in which the bench measures how long each part blocks the event loop. */
const BLOCK_ROUNDS = 3;
/**
 * Each measured part, with its number of repetitions per round. A part that takes only microseconds needs more
 * repetitions than other parts.
 */
const PARTS: readonly (readonly [string, number, (baton: AgedBaton) => Promise<void>])[] = [
  ['reconcile', 20, (baton) => baton.reconcile()],
  ['event', 50, (baton) => baton.event()],
  ['handoff', 5, (baton) => baton.handoff()],
  ['start', 1, (baton) => baton.start()],
  // Measure each list 100 times. A list takes half a millisecond, so with few repetitions a single garbage collection
  // would decide the ratio.
  ...LISTS.map((list) => [list, 100, (baton: AgedBaton) => baton.list(list)] as const),
];

/** The cost of each part in the old store, divided by its cost in the young store. */
export interface Growth {
  /**
   * The highest ratio of all parts. The ratio of a part is its cost in the old store divided by its cost in the young
   * store.
   */
  readonly ratio: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly longest_block_ms: number;
}

/** Runs P10 as a separate command. Returns the exit code: 1 if a goal is missed. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, events: { type: 'string' } },
  });
  const say = values.json ? console.error : console.log;
  const P10 = await measureGrowth({ ...OLD, events: Number(values.events ?? OLD.events) }, ROUNDS, say);
  console.log(JSON.stringify({ P10, load: loadavg()[0] }));
  return P10.ratio <= 1.2 && P10.longest_block_ms <= 50 ? 0 : 1;
}

/** Measures P10: fills one store with a short and one with a long history, and times each part in both stores. */
export async function measureGrowth(history: History, rounds: number, say: (line: string) => void): Promise<Growth> {
  const young = await ageBaton(YOUNG);
  const old = await ageBaton(history);
  say('both stores are filled');
  const times = PARTS.map(() => ({ young: [] as number[], old: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const [index, [, count, work]] of PARTS.entries()) {
      const measureYoung = async () => times[index]?.young.push(await timeOf(young, count, work));
      // Swap the order of the two stores in every second round. The second measurement of a round also pays for the
      // garbage collection of the first one, so each store must come second equally often.
      if (round % 2 === 0) await measureYoung();
      times[index]?.old.push(await timeOf(old, count, work));
      if (round % 2 === 1) await measureYoung();
    }
  // Watch the event loop only after the other measurements, because the watching uses CPU time in every turn of the
  // event loop.
  const blocks = watchBlocks();
  for (let round = 0; round < BLOCK_ROUNDS; round++)
    for (const [name, count, work] of PARTS) {
      blocks.begin();
      await timeOf(old, count, work);
      blocks.end(name);
    }
  const parts = Object.fromEntries(
    PARTS.map(([name], index) => [name, ratioOf(times[index] ?? { young: [], old: [] })]),
  );
  for (const [index, [name]] of PARTS.entries()) {
    const [before, after] = [median(times[index]?.young ?? []), median(times[index]?.old ?? [])];
    say(`${name}: ${before.toFixed(2)} ms young, ${after.toFixed(2)} ms old, ratio ${parts[name]}`);
  }
  say(`longest block: ${blocks.longest().ms.toFixed(0)} ms in ${blocks.longest().part}`);
  await young.end();
  await old.end();
  return { ratio: Math.max(...Object.values(parts)), parts, longest_block_ms: Math.round(blocks.longest().ms) };
}

async function timeOf(baton: AgedBaton, count: number, work: (baton: AgedBaton) => Promise<void>): Promise<number> {
  const begin = cpuMs();
  for (let done = 0; done < count; done++) await work(baton);
  return (cpuMs() - begin) / count;
}

/** Returns the CPU time of this process. Wall time would also depend on other processes of the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Returns the CPU time of the main thread, which runs the event loop. On systems other than Linux, returns the CPU time
 * of the whole process.
 */
function loopCpuMs(): number {
  if (process.platform !== 'linux') return cpuMs();
  const [ns] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1_000_000;
}

/** Finds which part blocks the event loop longest, and for how much CPU time. */
function watchBlocks() {
  let longest = { ms: 0, part: 'no part' };
  let inThisPart = 0;
  let isOn = false;
  const tick = (before: number): void => {
    const now = loopCpuMs();
    inThisPart = Math.max(inThisPart, now - before);
    if (isOn) setImmediate(tick, now);
  };
  return {
    begin: (): void => {
      isOn = true;
      inThisPart = 0;
      setImmediate(tick, loopCpuMs());
    },
    end: (part: string): void => {
      isOn = false;
      if (inThisPart > longest.ms) longest = { ms: inThisPart, part };
    },
    longest: () => longest,
  };
}

/**
 * The median of the ratios of all rounds. Each round measures the young and the old store in turn, so a slow phase of
 * the machine affects both.
 */
const ratioOf = ({ young, old }: { readonly young: readonly number[]; readonly old: readonly number[] }): number =>
  Math.round(median(old.map((each, round) => each / (young[round] ?? Number.NaN))) * 100) / 100;
