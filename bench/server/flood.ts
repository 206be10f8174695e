import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonServer } from '../../scripts/bench/baton-server.mjs';
import type { BenchOptions, PartResult } from '../frame/part.ts';
import { quantile, short as rounded } from '../frame/statistics.ts';
import { sendersOf } from './ingest.ts';
import { rssMb } from './process-cost.ts';
import { SpoolLoad } from './spool-load.ts';

const AGENTS = 20;
const PER_SECOND = 1_000;
const ASK_EVERY_MS = 50;

/**
 * Sends 1,000 hook events a second for a minute. Checks that Baton still answers, that its memory stays small and that
 * every event is stored.
 */
export async function measureFlood({ short, say }: BenchOptions): Promise<PartResult> {
  const count = PER_SECOND * (short ? 5 : 60);
  const baton = new BatonServer();
  try {
    await baton.start();
    const senders = sendersOf(await baton.startAgents(AGENTS));
    const { last_seq: before } = await baton.call('/api/health');
    const load = new SpoolLoad(join(baton.home, 'spool'));
    const answers: number[] = [];
    let mostMb = 0;
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const began = performance.now();
        await baton.call('/api/health');
        answers.push(performance.now() - began);
        mostMb = Math.max(mostMb, rssMb(baton.child?.pid ?? 0));
        await pause(ASK_EVERY_MS);
      }
    })();
    const began = performance.now();
    await load.leaveEvenly(senders, PER_SECOND, count);
    const lastLeft = performance.now();
    const waits = await load.taken();
    const behindMs = performance.now() - lastLeft;
    isOver = true;
    await asking;
    load.close();
    const perSecond = count / ((lastLeft - began) / 1_000);
    say(`  ${Math.round(perSecond)} events a second were left; the last was stored ${Math.round(behindMs)} ms later`);
    const stored = (await baton.eventsAfter(before)).filter(({ type }) => type === 'tool_used').length;
    return {
      events: count,
      lost: count - stored,
      health_p50_ms: rounded(quantile(answers, 0.5)),
      health_p99_ms: rounded(quantile(answers, 0.99)),
      event_p99_ms: rounded(quantile(waits, 0.99)),
      rss_mb: Math.round(mostMb),
    };
  } finally {
    await baton.cleanUp();
  }
}
