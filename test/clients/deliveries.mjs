// npm run bench:delivery -- --client CLIENT: sends many prompts through Baton to a real client, while other processes
// keep the machine busy. The stub model is the evidence: it knows which prompts arrived, how often, and whether they
// were unchanged.

import { spawn } from 'node:child_process';
import { isExact } from './describe/client.mjs';
import { openScene, sessionOf } from './handoff-scene.mjs';
import { longPrompt } from './prompts.mjs';

const WANTED = 200;
/** The number of processes that keep the machine busy. */
const LOAD = 4;

/**
 * @typedef {{ text: string, verdict: string, way: string, ms: number }} Delivery
 * @param {{ client: import('./describe/client.mjs').ClientDescription, program: string, version: string, count?: number,
 *   say: (line: string) => void }} options
 */
export async function benchDeliveries({ client, program, version, count = WANTED, say }) {
  const load = Array.from({ length: LOAD }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  /** @type {Record<string, Awaited<ReturnType<typeof deliver>>>} */
  const parts = {};
  try {
    // Baton sends prompts through the client's control API or types them into the pane. Each of these ways gets a share
    // of the prompts.
    const ways = Object.entries(client.ways ?? { pane: {} });
    const shares = ways.map((_, at) => Math.ceil((count - at) / ways.length));
    await Promise.all(
      ways.map(async ([way, env], at) => {
        parts[way] = await deliver(
          { client, program, version, env, say: (line) => say(`${way}: ${line}`) },
          shares[at] ?? 0,
        );
      }),
    );
  } finally {
    for (const child of load) child.kill('SIGKILL');
  }
  const sum = (
    /** @type {'deliveries' | 'exact' | 'refused' | 'unconfirmed' | 'lost' | 'doubled' | 'false_success'} */ name,
  ) => Object.values(parts).reduce((all, part) => all + part[name], 0);
  const result = {
    client: client.id,
    version,
    deliveries: sum('deliveries'),
    exact: sum('exact'),
    refused: sum('refused'),
    unconfirmed: sum('unconfirmed'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    false_success: sum('false_success'),
    ways: parts,
  };
  const { exact, lost, doubled, false_success: wrong } = result;
  return { ...result, passed: exact >= count && lost === 0 && doubled === 0 && wrong === 0 };
}

/**
 * Sends prompts until Baton has accepted the given number of prompts, but at most three times that number. A refused
 * prompt is not sent again. The next prompt replaces the refused prompt.
 * @param {{ client: import('./describe/client.mjs').ClientDescription, program: string, version: string, env: Record<string, string>,
 *   say: (line: string) => void }} options
 * @param {number} count
 */
async function deliver({ client, program, version, env, say }, count) {
  const scene = await openScene({ client, program, version, env });
  /** @type {{ text: string, verdict: string, ms: number }[]} */
  const sent = [];
  try {
    const { baton, model, agent } = scene;
    for (
      let number = 1;
      sent.filter(({ verdict }) => verdict === 'accepted').length < count && number <= 3 * count;
      number++
    ) {
      // Every third prompt is short, and every fourth is sent while the previous turn may still run.
      const text = number % 3 === 0 ? `Short one ${number} ⟦slow 1⟧` : longPrompt(number);
      if (number % 4 !== 0) await baton.agentWhen(agent.id, ({ state }) => state === 'idle', 120_000);
      const began = performance.now();
      const { verdict } = await baton.say(agent.id, text);
      sent.push({ text, verdict, ms: Math.round(performance.now() - began) });
      if (number % 25 === 0) say(`${number} sent`);
    }
    await baton.agentWhen(agent.id, ({ state }) => state === 'idle', 120_000);
    const turns = model.turnsOf(await sessionOf(baton, agent.id));
    return judge(
      sent,
      turns.filter(({ toolResult }) => toolResult === null).map(({ prompt }) => prompt),
      client,
    );
  } finally {
    await scene.baton.cleanUp();
    await scene.model.close();
  }
}

/**
 * @param {{ text: string, verdict: string, ms: number }[]} sent
 * @param {string[]} heard
 * @param {import('./describe/client.mjs').ClientDescription} client
 */
function judge(sent, heard, client) {
  const copies = (/** @type {string} */ text) => heard.filter((each) => isExact(client, each, text)).length;
  const of = (/** @type {string} */ verdict) => sent.filter((each) => each.verdict === verdict);
  const times = of('accepted')
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  return {
    deliveries: sent.length,
    exact: of('accepted').filter(({ text }) => copies(text) === 1).length,
    refused: of('refused').length,
    unconfirmed: of('unconfirmed').length,
    /** The number of prompts that Baton called accepted although the model never got them. */
    lost: of('accepted').filter(({ text }) => copies(text) === 0).length,
    doubled: sent.filter(({ text }) => copies(text) > 1).length,
    /**
     * The number of wrong verdicts. A verdict is wrong if Baton called a prompt refused although the model got it, or
     * accepted although the model never got it.
     */
    false_success:
      of('refused').filter(({ text }) => copies(text) > 0).length +
      of('accepted').filter(({ text }) => copies(text) === 0).length,
    p50_ms: times[Math.floor(times.length / 2)] ?? null,
    max_ms: times.at(-1) ?? null,
  };
}
