import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {import('./baton-server.mjs').BatonServer} BatonServer */
/** @typedef {import('./baton-server.mjs').BenchAgent} BenchAgent */

const TOOL = 'bench-';
/** How long the bench waits for events after the last hook. An event that arrives later counts as lost. */
const LOST_AFTER_MS = 15_000;

/**
 * Returns the input of a PreToolUse hook. Like a real input, it has about 1 KB.
 *
 * @param {BenchAgent} agent
 * @param {number | string} n a number or name for the hook
 */
export const payloadOf = (agent, n) =>
  JSON.stringify({
    session_id: agent.session,
    hook_event_name: 'PreToolUse',
    tool_name: `${TOOL}${n}`,
    tool_input: { command: 'x'.repeat(1_000) },
  });

/**
 * Measures how long it takes from the start of a hook until a client receives the hook's event, in milliseconds. The
 * running time of the hook is included.
 *
 * @param {BatonServer} baton
 * @param {BenchAgent} agent
 * @param {number} count
 */
export async function measureVisible(baton, agent, count) {
  /** @type {(at: number) => void} */
  let arrived = () => undefined;
  let awaited = '';
  const stop = await baton.follow(({ type, agent_id, data }) => {
    if (type === 'tool_used' && agent_id === agent.id && data.tool === awaited) arrived(performance.now());
  });
  const times = [];
  for (let n = 0; n < count; n++) {
    awaited = `${TOOL}visible-${n}`;
    const visible = new Promise((/** @type {(at: number) => void} */ resolve) => {
      arrived = resolve;
    });
    const from = performance.now();
    const child = spawn(baton.hook, ['PreToolUse'], { env: agent.env, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end(payloadOf(agent, `visible-${n}`));
    times.push((await visible) - from);
  }
  stop();
  return times;
}

/**
 * Lets many agents fire hooks at the same time. Meanwhile the server is killed twice, and started again each time. The
 * second kill comes after the server has stored an event but before it has removed the event's spool file.
 *
 * @param {BatonServer} baton
 * @param {BenchAgent[]} agents
 * @param {number} count
 */
export async function measureDelivery(baton, agents, count) {
  const each = Math.ceil(count / agents.length);
  const { last_seq: before } = await baton.call('/api/health');
  let fired = 0;
  const firing = agents.map((agent) => fireMany(baton.hook, agent, each, () => fired++));
  const reached = async (/** @type {number} */ share) => {
    while (fired < each * agents.length * share) await pause(5);
  };
  await reached(0.3);
  await baton.kill('SIGKILL');
  const firedWhenKilled = fired;
  await reached(0.6);
  if (await baton.start({ BATON_CRASH_AT: 'spool:committed#1' }))
    throw new Error('the server did not die while it drained the spool');
  if (baton.child?.signalCode !== 'SIGKILL') throw new Error('the server could not be started while hooks were fired');
  if (!(await baton.start())) throw new Error('the server could not be started again');
  await Promise.all(firing);
  return { ...(await judge(baton, agents, each, before)), firedWhenKilled };
}

/**
 * @param {string} hook
 * @param {BenchAgent} agent
 * @param {number} each
 * @param {() => void} onFired
 */
async function fireMany(hook, agent, each, onFired) {
  const [start = '', end = ''] = payloadOf(agent, '%').split('%');
  const script =
    'n=0; while [ $n -lt "$2" ]; do printf "%s%s%s" "$3" $n "$4" | "$1" PreToolUse; echo; n=$((n + 1)); done';
  const args = ['-c', script, 'sh', hook, String(each), start, end];
  const child = spawn('/bin/sh', args, { env: agent.env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (chunk) => {
    for (let n = 0; n < chunk.length; n++) onFired();
  });
  await once(child, 'close');
}

/**
 * @param {BatonServer} baton
 * @param {BenchAgent[]} agents
 * @param {number} each
 * @param {number} before
 */
async function judge(baton, agents, each, before) {
  const wanted = each * agents.length;
  /** @type {Map<number, number[]>} */
  const seen = new Map(agents.map(({ id }) => [id, []]));
  let last = before;
  let found = 0;
  for (let until = performance.now() + LOST_AFTER_MS; found < wanted && performance.now() < until; ) {
    const events = await baton.eventsAfter(last);
    for (const { seq, type, agent_id, data } of events) {
      last = seq;
      if (type !== 'tool_used' || !/^bench-\d+$/.test(String(data.tool))) continue;
      seen.get(agent_id ?? 0)?.push(Number(String(data.tool).slice(TOOL.length)));
      found++;
      until = performance.now() + LOST_AFTER_MS;
    }
    if (found < wanted) await pause(20);
  }
  let lost = 0;
  let doubled = 0;
  let reordered = 0;
  for (const numbers of seen.values()) {
    const different = new Set(numbers).size;
    lost += each - different;
    doubled += numbers.length - different;
    reordered += numbers.filter((n, index) => index > 0 && n < (numbers[index - 1] ?? 0)).length;
  }
  return { events: wanted, lost, doubled, reordered };
}
