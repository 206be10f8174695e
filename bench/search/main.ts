import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { quantile, short } from '../frame/statistics.ts';
import { type Library, openLibrary, SECRET, vocabulary } from './library.ts';

const DOCUMENTS = 100_000;
const SEARCHES = 480;
const GOAL_MS = 50;

/** Hostile queries. The server must answer each with hits or with a message of one sentence, and must not fail. */
const HOSTILE = [
  '"',
  '*',
  'a*',
  'NOT',
  'NEAR(a b)',
  '(((',
  '\u0000',
  'words:x',
  '%',
  '-',
  '\uD800',
  'x'.repeat(5_000),
  'doc* '.repeat(20),
  Array.from({ length: 20 }, (_, index) => `${vocabulary()[80 + index]?.slice(0, 3)}*`).join(' '),
  `"${vocabulary().slice(0, 20).join(' ')}"`,
];

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, documents: { type: 'string' } },
  });
  const say = values.json ? console.error : console.log;
  const documents = Number(values.documents ?? DOCUMENTS);
  const library = await openLibrary(documents, say);
  try {
    const { times, empty, cpu, byKind, blocked } = await measure(library);
    const hostile = await failedQueries(library);
    const secrets = (await library.search({ q: SECRET })).hits;
    const index_mb = short(library.indexBytes() / 1e6);
    say(`${times.length} searches: median ${short(quantile(times, 0.5))} ms, slowest ${short(Math.max(...times))} ms`);
    for (const [kind, all] of byKind)
      say(`  ${kind}: median ${short(quantile(all, 0.5))} ms, p95 ${short(quantile(all, 0.95))} ms`);
    const [p95, emptyP95] = [quantile(times, 0.95), quantile(empty, 0.95)];
    const purged = await library.purge();
    const found = {
      documents,
      bytes: library.bytes,
      p95_ms: short(p95),
      index_mb,
      median_ms: short(quantile(times, 0.5)),
      slowest_ms: short(Math.max(...times)),
      empty_p95_ms: short(emptyP95),
      ratio_to_empty: short(p95 / emptyP95),
      cpu_p95_ms: short(quantile(cpu, 0.95)),
      longest_read_cpu_ms: short(blocked),
      hostile_failed: hostile.failed,
      hostile_longest_read_cpu_ms: short(hostile.blocked),
      secrets_found: secrets,
      found_after_purge: purged,
      load: loadavg()[0],
    };
    console.log(JSON.stringify(found));
    return found.p95_ms <= GOAL_MS && hostile.failed + secrets + purged === 0 ? 0 : 1;
  } finally {
    await library.end();
  }
}

interface Measured {
  readonly times: readonly number[];
  /**
   * The durations of empty searches. The server refuses an empty search at once, so its duration is the time that HTTP
   * itself takes on this machine.
   */
  readonly empty: readonly number[];
  /** The CPU time of each search. Unlike the duration, the CPU time does not depend on how busy the machine is. */
  readonly cpu: readonly number[];
  readonly byKind: ReadonlyMap<string, readonly number[]>;
  /**
   * The longest CPU time of one read of the store. This time matters, because the server does nothing else during such
   * a read.
   */
  readonly blocked: number;
}

/** Searches for common words, rare words, phrases and beginnings of words, with and without filters. */
async function measure(library: Library): Promise<Measured> {
  const words = vocabulary();
  const [empty, cpu]: number[][] = [[], []];
  const byKind = new Map<string, number[]>();
  library.longestRead();
  for (let turn = 0; turn < SEARCHES; turn++) {
    const [common = '', other = '', rare = ''] = [
      words[turn % 40],
      words[(turn * 7) % 300],
      words[(turn * 131) % 40_000],
    ];
    const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'common word': { q: common },
      'two words': { q: `${common} ${other}` },
      'rare word': { q: rare },
      phrase: { q: `"${common} ${other}"` },
      'beginning of a rare word': { q: `${rare.slice(0, 4)}*` },
      'beginning of a common word': { q: `${words[80 + (turn % 40)]?.slice(0, 3)}*` },
      'word in every document': { q: 'handoff' },
      'common and rare word': { q: `${common} ${rare}` },
      'by persona': { q: common, persona: `worker-${(turn % 20) + 1}` },
      'by project and month': { q: `${common} ${other}`, project: '1', since: '2026-03-01', until: '2026-04-01' },
      'the oldest': { q: common, until: '2026-01-10' },
      'one document': { q: `document${turn * 13}` },
    };
    const [kind = '', query = {}] = Object.entries(queries)[turn % Object.keys(queries).length] ?? [];
    const used = process.cpuUsage();
    const took = await timed(() => library.search(query));
    const { user, system } = process.cpuUsage(used);
    cpu?.push((user + system) / 1000);
    byKind.set(kind, [...(byKind.get(kind) ?? []), took]);
    empty?.push(await timed(() => library.search({ q: '' })));
  }
  const times = [...byKind.values()].flat();
  return { times, empty: empty ?? [], cpu: cpu ?? [], byKind, blocked: library.longestRead() };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Returns how many hostile queries made the server fail, and how long the longest read of the store took. */
async function failedQueries(library: Library): Promise<{ readonly failed: number; readonly blocked: number }> {
  library.longestRead();
  let failed = 0;
  for (const q of HOSTILE) {
    const { status } = await library.search({ q });
    if (status !== 200 && status !== 400) failed += 1;
  }
  return { failed, blocked: library.longestRead() };
}
