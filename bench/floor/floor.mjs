// The floor prototype: a minimal program that types prompts and hands agents off, for comparison with Baton. It uses
// one tmux control client, one SQLite database with FULL sync and an agent that answers at once. It has no retries,
// no checks of the screen and no recovery. The bench starts it as a separate process and sends it requests:
//
//   { do: 'start', count }             starts agents
//   { do: 'type', text, times }        types to the agents in turn; answers with the start times, in nanoseconds
//   { do: 'handoff', count }           hands off that many agents at once; answers with the times of each handoff
//
// node bench/floor/floor.mjs FOLDER AGENT-PROGRAM

import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, unlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ControlClient, quote } from './control-client.mjs';

const [folder = '', program = ''] = process.argv.slice(2);
const spool = join(folder, 'spool');
const documents = join(folder, 'handoffs');
for (const each of [spool, documents]) mkdirSync(each, { recursive: true });

const database = new Database(join(folder, 'floor.db'));
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) database.pragma(pragma);
database.exec('CREATE TABLE facts (id INTEGER PRIMARY KEY, run INTEGER, agent INTEGER, type TEXT, data TEXT)');
const insert = database.prepare('INSERT INTO facts (run, agent, type, data) VALUES (?, ?, ?, ?)');
/**
 * Stores one fact in a separate transaction.
 *
 * @param {number} run
 * @param {number} agent
 * @param {string} type
 */
const record = (run, agent, type, data = '') => void insert.run(run, agent, type, data);

const tmux = new ControlClient(join(folder, 'tmux.sock'));
await tmux.ready;
await tmux.run(
  'set -g default-size 180x50',
  'set -s exit-empty off',
  'new-session -d -s agents -n first "sleep 100000"',
);

/** @typedef {{ id: number, pane: string, stops: number, waits: Map<string, (hook: { prompt?: string }) => void> }} Agent */
/** @type {Map<number, Agent>} */
const agents = new Map();
let lastAgent = 0;
let lastRun = 0;

watch(spool, (_event, name) => {
  if (name === null || name.startsWith('.')) return;
  let text;
  try {
    text = readFileSync(join(spool, name), 'utf8');
    unlinkSync(join(spool, name));
  } catch {
    // Ignore the second report of a file, because inotify reports a renamed hook file twice.
    return;
  }
  const [head = '', body = '{}'] = text.split('\n', 2);
  const event = head.split(' ')[2] ?? '';
  const agent = agents.get(Number(name.split('-')[0]));
  if (agent !== undefined && event === 'Stop') agent.stops += 1;
  const wait = agent?.waits.get(event);
  agent?.waits.delete(event);
  wait?.(JSON.parse(body));
});

/**
 * Waits for the agent's next hook with this event name. Resolves to the data of the hook.
 *
 * @param {Agent} agent
 * @param {string} event
 */
const next = (agent, event) =>
  new Promise((/** @type {(hook: { prompt?: string }) => void} */ resolve) => agent.waits.set(event, resolve));

async function launch() {
  const id = ++lastAgent;
  /** @type {Agent} */
  const agent = { id, pane: '', stops: 0, waits: new Map() };
  agents.set(id, agent);
  const began = next(agent, 'SessionStart');
  const own = join(folder, 'agents', String(id));
  mkdirSync(own, { recursive: true });
  const variables = [
    `BATON_AGENT_ID=${id}`,
    'BATON_AGENT_TOKEN=token',
    `BATON_PRACTICE_LOG=${join(own, 'practice.jsonl')}`,
  ];
  const [pane = ''] = await tmux.run(
    `new-window -d -t agents: -P -F "#{pane_id}" -c ${quote(folder)} ${variables.map((each) => `-e ${quote(each)}`).join(' ')} ${quote(program)} --session-id ${randomUUID()}`,
  );
  agent.pane = pane;
  await began;
  return agent;
}

const lines = (/** @type {number} */ bytes) =>
  'Größe: naïve façade, 漢字, plain words.\n'.repeat(Math.ceil(bytes / 50)).slice(0, bytes - 60);

/** Hands off one agent, with ten commits and no retries. @param {Agent} agent */
async function handOff(agent) {
  const run = ++lastRun;
  const triggered = process.hrtime.bigint();
  const token = randomUUID();
  const path = join(documents, `${run}.md`);
  record(run, agent.id, 'requested');
  const heard = next(agent, 'UserPromptSubmit');
  const stopped = next(agent, 'Stop');
  const instruction = `${lines(3000)}\n  ${path}\n<!-- handoff-end:${token} -->\n[baton:floor-${run}-instruction]`;
  await tmux.type(agent.pane, instruction);
  check(await heard, instruction);
  record(run, agent.id, 'instructed');
  await stopped;
  record(run, agent.id, 'stopped');
  const document = readFileSync(path, 'utf8');
  if (!document.trimEnd().endsWith(`handoff-end:${token} -->`)) throw new Error('the document has no end marker');
  record(run, agent.id, 'recorded', createHash('sha256').update(document).digest('hex'));
  const ended = next(agent, 'SessionEnd');
  await tmux.type(agent.pane, '/exit');
  record(run, agent.id, 'asked to exit');
  await ended;
  record(run, agent.id, 'ended');
  agents.delete(agent.id);
  const successor = await launch();
  record(run, successor.id, 'launched');
  record(run, successor.id, 'began');
  for (const what of ['skill', 'injection']) {
    const confirmed = next(successor, 'UserPromptSubmit');
    const place = what === 'skill' ? '' : `\n  ${path}\nbaton ack ${run}`;
    const text = `${lines(3000)}${place}\n[baton:floor-${run}-${what}]`;
    await tmux.type(successor.pane, text);
    check(await confirmed, text);
    record(run, successor.id, what);
  }
  const accepted = process.hrtime.bigint();
  // Wait for the end of the successor's turn, but do not measure this time. Without the wait, the Stop hook of this
  // turn would be mistaken for the answer to the next handoff's instruction.
  while (successor.stops < 2) await next(successor, 'Stop');
  return { triggered: String(triggered), accepted: String(accepted), agent: agent.id, successor: successor.id };
}

/**
 * @param {{ prompt?: string }} hook
 * @param {string} text
 */
function check({ prompt }, text) {
  if (prompt !== text) throw new Error('a prompt arrived changed');
}

/** @type {Agent[]} */
let team = [];

/** @type {Record<string, (request: any) => Promise<unknown>>} */
const verbs = {
  start: async ({ count }) => {
    for (let n = 0; n < count; n++) team.push(await launch());
    return team.map(({ id }) => id);
  },
  type: async ({ text, times }) => {
    const began = [];
    for (let n = 0; n < times; n++) {
      const agent = team[n % team.length];
      if (agent === undefined) throw new Error('no agent was started');
      const heard = next(agent, 'Stop');
      began.push({ agent: agent.id, at: String(process.hrtime.bigint()) });
      await tmux.type(agent.pane, text);
      await heard;
    }
    return began;
  },
  handoff: async ({ count }) => {
    const outgoing = team.slice(0, count);
    const done = await Promise.all(outgoing.map(handOff));
    team = [...done.flatMap(({ successor }) => agents.get(successor) ?? []), ...team.slice(count)];
    return done;
  },
};

process.on('message', async (/** @type {{ do: string }} */ request) => {
  try {
    process.send?.({ result: await verbs[request.do]?.(request) });
  } catch (error) {
    process.send?.({ problem: String(error) });
  }
});
process.on('disconnect', async () => {
  await tmux.close();
  process.exit();
});
process.send?.({ result: 'ready' });
