import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { quantile, short } from '../frame/statistics.ts';
import { type Library, openLibrary, SECRET, vocabulary } from './library.ts';

const DOCUMENTS = 100_000;
const SEARCHES = 400;
const GOAL_MS = 50;

/** Hostile queries. The server must answer each with hits or with one sentence, and must not fail. */
const HOSTILE = ['"', '*', 'a*', 'NOT', 'NEAR(a b)', '(((', '\u0000', 'words:x', '%', '-', '\uD800', 'x'.repeat(5_000)];

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, documents: { type: 'string' } },
  });
  const say = values.json ? console.error : console.log;
  const documents = Number(values.documents ?? DOCUMENTS);
  const library = await openLibrary(documents, say);
  try {
    const times = await measure(library);
    const hostile = await failedQueries(library);
    const secrets = (await library.search({ q: SECRET })).hits;
    const index_mb = short(library.indexBytes() / 1e6);
    say(`${times.length} searches: median ${short(quantile(times, 0.5))} ms, slowest ${short(Math.max(...times))} ms`);
    const purged = await library.purge();
    const found = {
      documents,
      bytes: library.bytes,
      p95_ms: short(quantile(times, 0.95)),
      index_mb,
      slowest_ms: short(Math.max(...times)),
      hostile_failed: hostile,
      secrets_found: secrets,
      found_after_purge: purged,
      load: loadavg()[0],
    };
    console.log(JSON.stringify(found));
    return found.p95_ms <= GOAL_MS && hostile + secrets + purged === 0 ? 0 : 1;
  } finally {
    await library.end();
  }
}

/** Searches for common and rare words, phrases and beginnings, with and without filters. */
async function measure(library: Library): Promise<readonly number[]> {
  const words = vocabulary();
  const times: number[] = [];
  for (let turn = 0; turn < SEARCHES; turn++) {
    const [common = '', other = '', rare = ''] = [
      words[turn % 40],
      words[(turn * 7) % 300],
      words[(turn * 131) % 40_000],
    ];
    const queries = [
      { q: common },
      { q: `${common} ${other}` },
      { q: rare },
      { q: `"${common} ${other}"` },
      { q: `${rare.slice(0, 4)}*` },
      { q: common, persona: `worker-${(turn % 20) + 1}` },
      { q: `${common} ${other}`, project: '1', since: '2026-03-01', until: '2026-04-01' },
      { q: `document${turn * 13}` },
    ];
    const began = performance.now();
    await library.search(queries[turn % queries.length] ?? { q: common });
    times.push(performance.now() - began);
  }
  return times;
}

/** Returns how many hostile queries made the server fail. */
async function failedQueries(library: Library): Promise<number> {
  const statuses = await Promise.all(HOSTILE.map(async (q) => (await library.search({ q })).status));
  return statuses.filter((status) => status !== 200 && status !== 400).length;
}
