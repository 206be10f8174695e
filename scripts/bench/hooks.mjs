// Measures how much time a hook costs the agent, how soon the hook's event is visible, and whether events are lost or
// reordered when Baton is killed.
//
//   npm run bench:hooks [-- --short] [-- --json]
//
// Compare only ratios within one run, because the milliseconds depend on the machine. Exit code 1 if an event was lost
// or reordered.

import { BatonServer } from './baton-server.mjs';
import { measureCost } from './hook-cost.mjs';
import { measureDelivery, measureVisible, payloadOf } from './hook-delivery.mjs';
import { median, percentile, rounded } from './statistics.mjs';

const short = process.argv.includes('--short');
const json = process.argv.includes('--json');
const AGENTS = short ? 6 : 20;
const EVENTS = short ? 600 : 5_000;
const ROUNDS = short ? 10 : 200;
const SIGHTINGS = short ? 10 : 200;

const tell = (/** @type {string} */ line) => (json ? console.error(line) : console.log(line));
const ms = (/** @type {number} */ value) => `${value.toFixed(2)} ms`;
const times = (/** @type {number | null} */ ratio) => (ratio === null ? 'not measured' : `${ratio.toFixed(2)}x`);
const orNull = (/** @type {number | null} */ ratio) => (ratio === null ? null : rounded(ratio));

const baton = new BatonServer();
try {
  await baton.start();
  const agents = await baton.startAgents(AGENTS);
  const [first] = agents;
  if (first === undefined) throw new Error('no agent was started');

  const cost = await measureCost({
    folder: baton.home,
    hook: baton.hook,
    agent: first,
    payload: payloadOf(first, 'cost'),
    rounds: ROUNDS,
  });
  for (const word of cost.skipped) tell(`(${word})`);
  tell(`hook script   ${ms(cost.medianOf('hook'))}, median of ${ROUNDS} rounds`);
  for (const [name, label] of [
    ['sh', 'bare sh -c :'],
    ['c', 'static C'],
    ['curl', 'curl'],
  ])
    if (name && cost.ratioTo(name) !== null)
      tell(`  beside ${label?.padEnd(12)} ${ms(cost.medianOf(name))}: ${times(cost.ratioTo(name))}`);

  const visible = await measureVisible(baton, first, SIGHTINGS);
  tell(`visible       p50 ${ms(median(visible))}, p95 ${ms(percentile(visible, 0.95))} after it was fired`);

  const { events, lost, doubled, reordered, firedWhenKilled } = await measureDelivery(baton, agents, EVENTS);
  tell(`${events} events from ${AGENTS} agents, server killed after ${firedWhenKilled} and again while it drained:`);
  tell(`  lost ${lost}, doubled ${doubled}, reordered ${reordered}`);

  if (json)
    console.log(
      JSON.stringify({
        ratio_to_bare_sh: orNull(cost.ratioTo('sh')),
        ratio_to_c: orNull(cost.ratioTo('c')),
        ratio_to_curl: orNull(cost.ratioTo('curl')),
        visible_p50_ms: rounded(median(visible)),
        visible_p95_ms: rounded(percentile(visible, 0.95)),
        events,
        lost,
        doubled,
        reordered,
      }),
    );
  process.exitCode = lost + doubled + reordered === 0 ? 0 : 1;
} finally {
  await baton.cleanUp();
}
