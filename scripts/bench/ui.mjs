// Measures whether the page stays smooth while 200 agents report 500 events a second, and whether the list "Needs you"
// (the agents that need the operator) stays sorted by urgency.
//
//   npm run bench:ui [-- --short] [-- --json]
//   npm run bench:ui -- --fleet [--short] [--json]      a fleet of 100 machines and 1,000 agents instead: fleet/page.mjs
//
// Runs the real server with practice agents, and the real page in headless Chromium. Exits with 1 if the page missed an
// event, or showed a less urgent agent above a more urgent one. The server, the
// agents and the browser run on this machine, so the times depend on the machine.

import { writeFileSync } from 'node:fs';
import { BatonServer } from './baton-server.mjs';
import { launchChromium } from './chromium.mjs';
import { fireEvenly } from './fire-evenly.mjs';
import { startNeedyAgents, watchNeedsOrder } from './needs-order.mjs';
import { initialGzipBytes, usedHeapBytes, watchFrames } from './page-measures.mjs';
import { percentile, rounded } from './statistics.mjs';

if (process.argv.includes('--fleet')) {
  const { benchFleet } = await import('./fleet/page.mjs');
  process.exit(await benchFleet());
}

const short = process.argv.includes('--short');
const json = process.argv.includes('--json');
const AGENTS = short ? 16 : 200;
const PER_SECOND = 500;
const SECONDS = short ? 10 : 30;
/**
 * The time limit within which the page must show all events, counted from the last event. An event that is not shown by
 * then counts as missed.
 */
const SETTLE_MS = 30_000;

const tell = (/** @type {string} */ line) => (json ? console.error(line) : console.log(line));

const baton = new BatonServer();
let browser;
try {
  await baton.start();
  tell(`starting ${AGENTS} practice agents…`);
  writeFileSync(`${baton.project}/.practice.json`, JSON.stringify({ dropHooks: ['SessionStart'], handoff: 'ignore' }));
  const needy = await startNeedyAgents(baton, (await baton.call('/api/projects', { path: baton.project })).id);
  const agents = await baton.startAgents(AGENTS - needy.length);
  browser = await launchChromium();
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const gzip = initialGzipBytes(page);
  await page.goto((await baton.call('/api/login-codes', {})).url);
  await page
    .getByRole('article')
    .nth(AGENTS - 1)
    .waitFor();
  const initialGzip = await gzip();

  const status = page.locator('[data-events-applied]');
  const read = async (/** @type {string} */ name) => Number(await status.getAttribute(name));
  const heapBefore = await usedHeapBytes(page);
  const appliedBefore = await read('data-events-applied');
  const seqBefore = await read('data-last-seq');
  const frames = await watchFrames(page);

  tell(`${PER_SECOND} events a second for ${SECONDS} s…`);
  const firing = fireEvenly({ spool: `${baton.home}/spool`, agents, perSecond: PER_SECOND, seconds: SECONDS });
  const order = await watchNeedsOrder(baton, page, needy, firing);
  const sent = await firing;
  const logged = await allLogged(sent, seqBefore);
  await page
    .waitForFunction(
      (/** @type {number} */ seq) =>
        Number(document.querySelector('[data-last-seq]')?.getAttribute('data-last-seq')) >= seq,
      logged.lastSeq,
      { timeout: SETTLE_MS },
    )
    .catch(() => undefined);
  const { frameMs, longTasksMs } = await frames();
  const heapAfter = await usedHeapBytes(page);

  // For each hook that the bench sent, the log contains one event. The log also contains the state changes that these
  // hooks caused. The page must have applied the events and the state changes.
  const applied = (await read('data-events-applied')) - appliedBefore;
  const others = logged.all - logged.fired;
  const result = {
    agents: AGENTS,
    events_sent: sent,
    events_applied: applied - others,
    frames_p50_ms: rounded(percentile(frameMs, 0.5)),
    frames_p95_ms: rounded(percentile(frameMs, 0.95)),
    long_tasks_over_200ms: longTasksMs.filter((ms) => ms > 200).length,
    longest_task_ms: Math.round(Math.max(0, ...longTasksMs)),
    initial_gzip_kb: rounded(initialGzip / 1024),
    heap_growth_mb: rounded((heapAfter - heapBefore) / 1_048_576),
    ...order,
  };
  for (const [name, value] of Object.entries(result)) tell(`${name.padEnd(22)} ${value}`);
  if (json) console.log(JSON.stringify(result));
  process.exitCode = result.events_applied === sent && result.order_wrong === 0 ? 0 : 1;
} finally {
  await browser?.close();
  await baton.cleanUp();
}

/**
 * @param {number} count
 * @param {number} after
 */
async function allLogged(count, after) {
  let fired = 0;
  let all = 0;
  let lastSeq = after;
  for (const until = Date.now() + SETTLE_MS; fired < count && Date.now() < until; ) {
    for (const { seq, type, data } of await baton.eventsAfter(lastSeq)) {
      lastSeq = seq;
      all++;
      if (type === 'tool_used' && String(data.tool).startsWith('ui-')) fired++;
    }
  }
  return { fired, all, lastSeq };
}
