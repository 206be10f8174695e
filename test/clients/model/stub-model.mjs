// A stub model on loopback, which speaks the API of each client (dialect.mjs). Marks in the prompt control its answers.
// It records every request, and these requests are the tests' evidence of what really reached the model.
//
//   ⟦slow SECONDS⟧        spreads the answer's words over that time
//   ⟦silent SECONDS⟧      answers nothing for that time
//   ⟦usage TOKENS⟧        reports that many input tokens in this and every later answer
//   ⟦used TOKENS⟧         reports that many input tokens in this answer only
//   ⟦fail STATUS⟧         answers with that HTTP status
//   ⟦error KIND [TIMES]⟧  fails as the real API does: rate_limit, usage_limit, server_error, dropped, cut … (api-errors.mjs)
//   ⟦full⟧                answers once that the prompt is too long, so that the client compacts inside the turn
//   ⟦bash COMMAND⟧ ⟦write PATH⟧ ⟦read PATH⟧    uses the tool, then ends its turn
//   ⟦ask COMMAND⟧         runs the command only with the operator's permission
//
// The stub also obeys Baton's prompts, even if the operator has reworded them. As the outgoing agent it writes the
// handoff document with its end marker. As a successor it reads the document and acknowledges with the token in the
// document, or after an emergency with the token in the prompt. `instead` replaces one reply, and `play` scripts a
// whole turn of tool calls.

import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultOf } from './api-errors.mjs';
import { dialectAt, toolCall } from './dialect.mjs';

const USUAL_TOKENS = 1_500;
const usually = (/** @type {number} */ input) => ({ input, cacheRead: 0, cacheWrite: 0, output: 20, reasoning: 0 });
const WORD_MS = 200;

/**
 * @typedef {import('./dialect.mjs').Dialect} Dialect
 * @typedef {import('./dialect.mjs').ToolUse} ToolUse
 * @typedef {{ status?: number, error?: string, fault?: string, text?: string, tool?: ToolUse, slowMs?: number }} Reply
 * @typedef {import('./dialect.mjs').Read & { dialect: Dialect, headers: string, model: string, body: any, aborted: boolean,
 *   at: number, endedAt: number | null, failed: boolean, spent: import('./dialect.mjs').Spent | null }} Asked
 * @typedef {{ fits: (asked: Asked) => boolean, reply: (asked: Asked) => Promise<Reply | undefined> | Reply | undefined }} Plan
 * @typedef {(asked: Asked) => Reply} Step
 */

const TOO_LONG = 'prompt is too long: 1100000 tokens > 1000000 maximum';

/** This reply says that the prompt is too long. It makes the client compact inside the turn. @type {Reply} */
export const NO_ROOM = { status: 400, error: TOO_LONG };

/** @param {{ log?: string }} [options] */
export async function startStubModel({ log } = {}) {
  /** @type {Asked[]} */
  const requests = [];
  let inputTokens = USUAL_TOKENS;
  let serial = 0;
  let answers = 0;
  /** @type {((answer: number, dialect: string) => import('./dialect.mjs').Spent) | undefined} */
  let spends;
  let wasFull = false;
  /** @type {Plan[]} */
  const plans = [];

  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = new URL(request.url ?? '/', 'http://stub').pathname;
    if (request.method === 'POST' && path.endsWith('/count_tokens'))
      return json(response, 200, { input_tokens: inputTokens });
    const dialect = request.method === 'POST' ? dialectAt(path) : undefined;
    if (dialect === undefined) return json(response, 200, {});
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const asked = {
      ...dialect.read(body),
      dialect,
      headers: JSON.stringify(request.headers),
      model: body.model,
      body,
      aborted: false,
      at: Date.now(),
      endedAt: /** @type {number | null} */ (null),
      failed: false,
      // The tokens that the answer reported, or null until the stub has answered.
      spent: /** @type {import('./dialect.mjs').Spent | null} */ (null),
    };
    requests.push(asked);
    response.once('close', () => {
      asked.endedAt = Date.now();
    });
    if (log) appendFileSync(log, `${JSON.stringify({ at: asked.at, body })}\n`);
    if (isWarmup(asked))
      return answer(response, { text: 'Warm.' }, { id: ++serial, spent: usually(inputTokens) }, asked);
    const usage = /⟦usage (\d+)⟧/.exec(asked.prompt);
    if (usage) inputTokens = Number(usage[1]);
    // Skip requests without tools: with such a request, older client releases first ask for a title, and the request
    // contains the same prompt.
    if (!wasFull && asked.tools.length > 0 && asked.prompt.includes('⟦full⟧')) {
      wasFull = true;
      return fail(response, asked, 400, TOO_LONG);
    }
    await sleep(Number(/⟦silent (\d+)⟧/.exec(asked.prompt)?.[1] ?? 0) * 1000);
    const planned = plans.findIndex(({ fits }) => fits(asked));
    const [plan] = planned === -1 ? [] : plans.splice(planned, 1);
    const reply = (await plan?.reply(asked)) ?? scriptedFault(asked) ?? decide(asked);
    if (reply.fault !== undefined) return breakDown(response, reply.fault, asked);
    if (reply.status !== undefined) {
      asked.failed = true;
      return fail(response, asked, reply.status, reply.error ?? 'the stub was told to fail');
    }
    const isOwn = asked.tools.length > 0 && !asked.prompt.includes('[baton:');
    const once = isOwn ? /⟦used (\d+)⟧/.exec(asked.prompt)?.[1] : undefined;
    const spent = spends?.(++answers, dialect.name) ?? usually(Number(once ?? inputTokens));
    asked.spent = spent;
    await answer(response, reply, { id: ++serial, spent }, asked);
  });
  /** For each ⟦error KIND TIMES⟧ mark, the number of requests with this mark so far. @type {Map<string, number>} */
  const faults = new Map();
  /** @returns {Reply | undefined} */
  const scriptedFault = (/** @type {Asked} */ { prompt, toolResult }) => {
    const [marker, kind, times] = (toolResult === null && ERROR.exec(prompt)) || [];
    if (marker === undefined || kind === undefined) return undefined;
    const before = faults.get(marker) ?? 0;
    faults.set(marker, before + 1);
    return before < Number(times ?? Number.POSITIVE_INFINITY) ? { fault: kind } : undefined;
  };
  await new Promise((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, () => resolve(undefined)));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    requests,
    /**
     * Replaces the reply to the next `times` requests for which `fits` returns true. The stub waits for a promise that
     * `reply` returns. If `reply` returns undefined, the request gets the usual reply.
     * @param {Plan['fits']} fits
     * @param {Plan['reply']} reply
     */
    instead: (fits, reply, times = 1) => void plans.push(...Array.from({ length: times }, () => ({ fits, reply }))),
    /**
     * Makes the stub fail as the real API does. The failure applies to the next `times` requests for which `fits`
     * returns true.
     * @param {string} kind the kind of failure, one of those in api-errors.mjs
     * @param {Plan['fits']} fits
     */
    fail: (kind, fits, times = 1) => {
      faultOf(kind, 'responses');
      plans.push(...Array.from({ length: times }, () => ({ fits, reply: () => ({ fault: kind }) })));
    },
    /**
     * Makes all later answers report the tokens that the function `of` returns. `of` gets the number of the answer and
     * the name of the model API.
     */
    spend: (/** @type {typeof spends} */ of) => {
      spends = of;
    },
    /** Removes all planned replies, so that every request gets the usual reply. */
    recover: () => void plans.splice(0),
    /**
     * Plans a turn in steps. The first step answers the first request that fits, and each later step answers the tool
     * result of the step before.
     */
    play: (/** @type {Plan['fits']} */ fits, /** @type {Step[]} */ ...steps) => queue(plans, fits, steps),
    /**
     * Returns the requests of one session's conversation, without the client's requests for titles, summaries and the
     * like.
     */
    turnsOf: (/** @type {string} */ session) =>
      requests.filter(
        ({ tools, body, headers, prompt }) =>
          tools.length > 0 &&
          [body.metadata?.user_id, body.prompt_cache_key, headers].join().includes(session) &&
          !isAside({ prompt }),
      ),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}

const ERROR = /⟦error (\w+)(?: (\d+))?⟧/;

/**
 * Returns whether the client makes the request for its own purposes: to get a prompt suggestion, or to warm up the
 * cache for subagents.
 */
export const isAside = (/** @type {{ prompt: string }} */ { prompt }) =>
  /^\[SUGGESTION MODE|^Warmup$/.test(prompt.trim());
const isWarmup = (/** @type {Asked} */ { prompt }) => prompt.trim() === 'Warmup';

/** @param {Plan[]} plans @param {Plan['fits']} fits @param {Step[]} steps */
function queue(plans, fits, [first, ...rest]) {
  if (first === undefined) return;
  const reply = (/** @type {Asked} */ asked) => {
    queue(plans, ({ tools, hasResult }) => tools.length > 0 && hasResult, rest);
    return first(asked);
  };
  plans.push({ fits, reply });
}

/** @param {Asked} asked @returns {Reply} */
function decide({ prompt, promptBefore, toolResult, tools }) {
  const use = (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input) => {
    const tool = toolCall({ name, input }, tools);
    return tool === undefined ? { text: `I have no ${name}.` } : { tool };
  };
  // If the request brings a tool result, look for Baton's prompt in the user messages before this result.
  const ofBaton = tools.find((name) => name.endsWith('handoff_run_ack'));
  if (toolResult !== null) return afterTool(promptBefore || prompt, toolResult, use, ofBaton) ?? { text: 'Done.' };
  // Check for Baton's prompts first. A successor's prompt quotes the prompts of its predecessor, and a quoted prompt
  // may contain marks for this stub.
  return whatBatonAsks(prompt, use) ?? whatTheScriptSays(prompt, use);
}

/** @typedef {(name: string, input: Record<string, unknown>) => Reply} Use */

/** @param {string} prompt @param {Use} use */
function whatBatonAsks(prompt, use) {
  if (/\[baton:\S+-injection(-\d+)?\]/.test(prompt)) {
    const [, run = '', token = ''] = ACKNOWLEDGE.exec(prompt) ?? [];
    return token === 'TOKEN' ? use('Read', { file_path: documentIn(prompt) }) : acknowledge(run, token, use);
  }
  const wanted = documentWantedBy(prompt);
  return wanted === undefined ? undefined : use('Write', { file_path: wanted.path, content: wanted.content });
}

/** Returns the path and a valid content of the document that Baton's instruction asks for. */
export function documentWantedBy(/** @type {string} */ prompt) {
  const [marker] = /<!-- handoff-end:\S+ -->/.exec(prompt) ?? [];
  const path = documentIn(prompt);
  return path && marker ? { path, content: handoffDocument(marker) } : undefined;
}

/** Finds the path of the document. A path with blanks is found only if the path is alone on its line. */
const documentIn = (/** @type {string} */ prompt) =>
  /^[ \t]*(\/.*\/handoffs\/\S+\.md)\s*$/m.exec(prompt)?.[1] ?? /\/\S+\/handoffs\/\S+\.md/.exec(prompt)?.[0];
const TASK = 'go on with the parser, as my predecessor planned';
const ACKNOWLEDGE = /baton ack (\d+) --proof (\S+)/;

/** @param {string} run @param {string} token @param {Use} use */
const acknowledge = (run, token, use) =>
  use('Bash', {
    command: `baton ack ${run} --proof ${token} --task "${TASK}"`,
    description: 'Acknowledges',
  });

/** @param {string} prompt @param {Use} use @returns {Reply} */
function whatTheScriptSays(prompt, use) {
  const [, verb, rest = ''] = /⟦(fail|bash|ask|write|read) ([^⟧]+)⟧/.exec(prompt) ?? [];
  const slowMs = Number(/⟦slow (\d+)⟧/.exec(prompt)?.[1] ?? 0) * 1000;
  if (verb === 'fail') return { status: Number(rest) };
  if (verb === 'bash') return { ...use('Bash', { command: rest, description: 'Does what the stub was told' }), slowMs };
  if (verb === 'ask') return { ...use('Bash', { command: rest, description: 'Asks first', asks: true }), slowMs };
  if (verb === 'write') return { ...use('Write', { file_path: rest, content: 'written by the stub\n' }), slowMs };
  if (verb === 'read') return { ...use('Read', { file_path: rest }), slowMs };
  return { text: `Heard ${prompt.length} characters.`, slowMs };
}

/**
 * Acknowledges the handoff with the token in the document. If the shell did not find the `baton` command, acknowledges
 * with Baton's MCP tool.
 * @param {string} said
 * @param {string} result
 * @param {Use} use
 * @param {string | undefined} ofBaton
 */
function afterTool(said, result, use, ofBaton) {
  const [, run = '', typed = ''] = ACKNOWLEDGE.exec(said) ?? [];
  const [, token] = /handoff-end:([A-Za-z0-9_-]+)/.exec(result) ?? [];
  if (run !== '' && token !== undefined) {
    lastToken = token;
    return acknowledge(run, token, use);
  }
  if (run === '' || ofBaton === undefined || !/command not found/.test(result)) return undefined;
  const proof = typed === 'TOKEN' ? lastToken : typed;
  return use(ofBaton, { run: Number(run), proof, task: TASK });
}

/** The token in the document that the model read last. */
let lastToken = '';

const handoffDocument = (/** @type {string} */ marker) =>
  [
    '# Handoff',
    ...['What I was working on', 'Progress', 'Decisions', 'Blockers', 'Files', 'Next steps'].map(
      (heading) => `\n## ${heading}\n\nI say what there is to say about it.`,
    ),
    '',
    marker,
    '',
  ].join('\n');

/**
 * @param {import('node:http').ServerResponse} response
 * @param {Reply} reply
 * @param {{ id: number, spent: import('./dialect.mjs').Spent }} about
 * @param {Asked} asked
 */
async function answer(response, { text = 'At once.', tool, slowMs = 0 }, { id, spent }, asked) {
  const { body, dialect } = asked;
  const written = dialect.answer(body, { text, ...(tool ? { tool } : {}), spent, id });
  if (!body.stream) return json(response, 200, written.whole);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (/** @type {import('./dialect.mjs').Event} */ event) => void response.write(lineOf(event));
  written.begin.forEach(send);
  for (let waited = 0; waited < slowMs; waited += WORD_MS) {
    if (response.destroyed) {
      asked.aborted = true;
      return undefined;
    }
    send(written.word('word '));
    await sleep(WORD_MS);
  }
  written.end.forEach(send);
  response.end();
  return undefined;
}

const lineOf = (/** @type {import('./dialect.mjs').Event} */ { event, data }) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** @param {import('node:http').ServerResponse} response @param {string} kind @param {Asked} asked */
function breakDown(response, kind, asked) {
  asked.failed = true;
  const fault = faultOf(kind, asked.dialect.name);
  if ('drop' in fault) return void response.socket?.resetAndDestroy();
  if ('cut' in fault) return void cutMidStream(response, asked);
  const { headers = {}, ...refusal } = fault;
  response.writeHead(fault.status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(asked.dialect.fault(refusal)));
  return undefined;
}

/** @param {import('node:http').ServerResponse} response @param {Asked} asked */
function cutMidStream(response, { body, dialect }) {
  const { begin, word } = dialect.answer(body, { text: '', spent: usually(USUAL_TOKENS), id: 0 });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write([...begin, word('Half of an ')].map(lineOf).join(''), () => response.socket?.resetAndDestroy());
}

function json(
  /** @type {import('node:http').ServerResponse} */ response,
  /** @type {number} */ status,
  /** @type {object} */ body,
) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** @param {import('node:http').ServerResponse} response @param {Asked} asked @param {number} status @param {string} message */
function fail(response, { dialect }, status, message) {
  json(response, status, dialect.fault({ status, message }));
}
