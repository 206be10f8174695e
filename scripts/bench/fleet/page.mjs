// Measures how quickly and smoothly the page shows a fleet of 100 machines with 1,000 agents, and how soon a machine
// that has just joined shows all of them.
//
//   npm run bench:ui -- --fleet [--short] [--json]
//
// The hub and the viewer (the machine that shows the page) are real Batons. The other machines are simulated: they run
// the real code of the fleet on generated data. Exits with 1 if an agent is missing or its shown state is old.

import { readFileSync } from 'node:fs';
import { loadTypeScript } from '../../prove/load-typescript.mjs';
import { launchChromium } from '../chromium.mjs';
import { usedHeapBytes, watchFrames } from '../page-measures.mjs';
import { percentile, rounded } from '../statistics.mjs';

const short = process.argv.includes('--short');
const json = process.argv.includes('--json');
const MACHINES = short ? 12 : 100;
const AGENTS_EACH = 11;
const PER_SECOND = short ? 20 : 200;
const SECONDS = short ? 10 : 30;
const BEAT_MS = 10_000;
/** How long the page may take to show the last change. */
const SETTLE_MS = 120_000;

const tell = (/** @type {string} */ line) => (json ? console.error(line) : console.log(line));

/** Runs the bench. Returns the exit code. */
export async function benchFleet() {
  let code = 1;
  await loadTypeScript(async (/** @type {(path: string) => Promise<any>} */ load) => {
    const { Fleet } = await load('/prove/fleet/fleet.ts');
    const fleet = new Fleet(BEAT_MS);
    let browser;
    try {
      await fleet.found(1);
      // Use agents without a persona. The card of such an agent shows its label, and the label contains the number of
      // times that the agent's state has changed. From this number the bench can see whether the card is up to date.
      const agentForm = { ...fleet.hub.agents[0], persona: null };
      // Join only MACHINES - 2 machines, because the hub and the viewer count as machines, too.
      for (let number = 1; number <= MACHINES - 2; number++) {
        await fleet.join(`machine-${number}`, AGENTS_EACH, { agentForm });
        if (number % 20 === 0) tell(`${number} simulated machines joined`);
      }
      await fleet.caughtUp();
      const viewer = await fleet.joinReal('viewer', 1);
      const newViewerMs = await completed(viewer, fleet);
      tell(`the new viewer was complete after ${newViewerMs} ms`);
      browser = await launchChromium();
      const result = { ...(await measure(fleet, viewer, browser)), new_viewer_ms: newViewerMs };
      for (const [name, value] of Object.entries(result)) tell(`${name.padEnd(22)} ${value}`);
      if (json) console.log(JSON.stringify(result));
      code = result.agents_missing + result.agents_outdated === 0 ? 0 : 1;
    } catch (error) {
      tell(fleet.hubLines());
      throw error;
    } finally {
      await browser?.close();
      await fleet.end();
    }
  });
  return code;
}

/** @typedef {any} Fleet @typedef {any} RealMachine */

/**
 * Waits until the viewer lists all agents and shows that all machines are live. Returns the milliseconds that this
 * took.
 *
 * @param {RealMachine} viewer
 * @param {Fleet} fleet
 */
async function completed(viewer, fleet) {
  const began = performance.now();
  const wanted = 1 + fleet.simulated.length * AGENTS_EACH;
  for (;;) {
    const machines = await viewer.machines();
    const agents = machines
      .filter((/** @type {any} */ { is_self }) => !is_self)
      .reduce((/** @type {number} */ sum, /** @type {any} */ { live_agents }) => sum + live_agents, 0);
    if (machines.length === fleet.size && machines.every((/** @type {any} */ { live }) => live) && agents === wanted)
      return Math.round(performance.now() - began);
    if (performance.now() - began > SETTLE_MS)
      throw new Error(`the viewer knows ${machines.length} machines and ${agents} of ${wanted} agents`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * @param {Fleet} fleet
 * @param {RealMachine} viewer
 * @param {import('playwright-core').Browser} browser
 */
async function measure(fleet, viewer, browser) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.setDefaultTimeout(SETTLE_MS);
  const { body } = await viewer.baton.call('POST', '/api/login-codes', {});
  const opened = performance.now();
  await page.goto(body.url);
  const wanted = 2 + fleet.simulated.length * AGENTS_EACH;
  await page
    .getByRole('article')
    .nth(wanted - 1)
    .waitFor();
  const pageMs = Math.round(performance.now() - opened);
  tell(`the page shows ${wanted} agents after ${pageMs} ms; ${PER_SECOND} events a second for ${SECONDS} s…`);
  const heapBefore = await usedHeapBytes(page);
  const frames = await watchFrames(page);
  const cpuBefore = cpuSeconds(viewer.baton.pid);
  const began = performance.now();
  let events = 0;
  while (performance.now() - began < SECONDS * 1_000) {
    const due = ((performance.now() - began) / 1_000) * PER_SECOND;
    for (; events < due; events++) await fleet.simulated[Math.floor(Math.random() * fleet.simulated.length)].work();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpu = cpuSeconds(viewer.baton.pid) - cpuBefore;
  const { frameMs, longTasksMs } = await frames();
  const quiet = performance.now();
  const settled = await settle(fleet, page);
  return {
    machines: fleet.size,
    agents: wanted,
    events,
    page_ms: pageMs,
    frames_p50_ms: rounded(percentile(frameMs, 0.5)),
    frames_p95_ms: rounded(percentile(frameMs, 0.95)),
    long_tasks_over_200ms: longTasksMs.filter((/** @type {number} */ ms) => ms > 200).length,
    longest_task_ms: Math.round(Math.max(0, ...longTasksMs)),
    heap_mb: rounded(heapBefore / 1_048_576),
    heap_growth_mb: rounded(((await usedHeapBytes(page)) - heapBefore) / 1_048_576),
    viewer_cpu_percent: rounded((100 * cpu) / seconds),
    viewer_rss_mb: rounded(rssBytes(viewer.baton.pid) / 1_048_576),
    settled_ms: Math.round(performance.now() - quiet),
    ...settled,
  };
}

/**
 * Waits until the page shows the newest state of every agent.
 *
 * @param {Fleet} fleet
 * @param {import('playwright-core').Page} page
 */
async function settle(fleet, page) {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const shown = await page.evaluate(() => document.querySelector('main')?.textContent ?? '');
    let [missing, outdated] = [0, 0];
    for (const machine of fleet.simulated)
      for (const [id, changes] of machine.states) {
        const label = `${machine.options.name} ${id}, change `;
        if (!shown.includes(label)) missing++;
        // Each label ends with a count, such as "change 1". Require that no digit follows, because "change 12" begins
        // with the same text.
        else if (!new RegExp(`${label}${changes}(?!\\d)`).test(shown)) outdated++;
      }
    if (missing + outdated === 0 || performance.now() > until)
      return { agents_missing: missing, agents_outdated: outdated };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns the processor time that a process has used. @param {number} pid */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Add the user time and the system time: fields 14 and 15 of /proc/PID/stat, in ticks of 10 ms. The list `fields`
  // begins with field 3.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @param {number} pid */
const rssBytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
