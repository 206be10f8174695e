import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { BatonServer } from '../../scripts/bench/baton-server.mjs';
import type { BenchOptions, PartResult } from '../frame/part.ts';
import { compare, interleave } from '../frame/rounds.ts';
import { quantile } from '../frame/statistics.ts';
import { startFloor } from './floor-program.ts';
import { type Sender, SpoolLoad } from './spool-load.ts';

const SENDERS = 8;
const PER_SECOND = 1_000;

/**
 * Measures how fast hook events get from the spool into the store, and how long an event waits at 1,000 events a second
 * (part P6). Baton is compared with a minimal program that reads the same spool and commits in groups with FULL sync.
 * The program needs no HTTP, because real hooks write to the spool.
 */
export async function measureIngest({ rounds, short, say }: BenchOptions): Promise<PartResult> {
  const count = short ? 400 : 4_000;
  const paced = short ? 500 : 5_000;
  const folder = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
  mkdirSync(join(folder, 'spool'));
  const baton = new BatonServer();
  const floor = await startFloor('ingest.mjs', [join(folder, 'spool'), join(folder, 'floor.db')]);
  try {
    await baton.start();
    const senders = sendersOf(await baton.startAgents(SENDERS));
    const { last_seq: before } = await baton.call('/api/health');
    const floorLoad = new SpoolLoad(join(folder, 'spool'));
    const batonLoad = new SpoolLoad(join(baton.home, 'spool'));
    const rate = async (load: SpoolLoad) => (count / (await burst(load, senders, count))) * 1_000;
    const rates = await interleave(
      rounds,
      () => rate(floorLoad),
      () => rate(batonLoad),
    );
    say(`  events a second: floor ${rates.floor}, Baton ${rates.product}`);
    const waits = { floor: [] as number[], product: [] as number[], p50: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      waits.floor.push(quantile(await atPace(floorLoad, senders, paced), 0.99));
      const product = await atPace(batonLoad, senders, paced);
      waits.product.push(quantile(product, 0.99));
      waits.p50.push(quantile(product, 0.5));
    }
    const p99 = compare(waits.floor, waits.product);
    floorLoad.close();
    batonLoad.close();
    const sent = rounds * (count + paced);
    const stored = (await baton.eventsAfter(before)).filter(({ type }) => type === 'tool_used').length;
    const storedByFloor = Number((await floor.stop()).trim().split('\n').at(-1));
    return {
      floor_per_s: Math.round(rates.floor),
      product_per_s: Math.round(rates.product),
      ratio: rates.ratio,
      p99_floor_ms: p99.floor,
      p99_ms: p99.product,
      p99_ratio: p99.ratio,
      lost: sent - stored,
      lost_by_floor: sent - storedByFloor,
    };
  } finally {
    await floor.stop();
    await baton.cleanUp();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const sendersOf = (agents: Awaited<ReturnType<BatonServer['startAgents']>>): readonly Sender[] =>
  agents.map(({ id, session, env }) => ({ id, session, token: env.BATON_AGENT_TOKEN ?? '' }));

/** Writes all events to the spool at once. Returns the milliseconds until the reader has removed all their files. */
async function burst(load: SpoolLoad, senders: readonly Sender[], count: number): Promise<number> {
  const began = performance.now();
  await load.leaveEvenly(senders, Number.POSITIVE_INFINITY, count);
  await load.taken();
  return performance.now() - began;
}

async function atPace(load: SpoolLoad, senders: readonly Sender[], count: number): Promise<readonly number[]> {
  await load.leaveEvenly(senders, PER_SECOND, count);
  return load.taken();
}
