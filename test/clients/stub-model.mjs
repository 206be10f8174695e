// A stub of the Anthropic Messages API on loopback, scripted by the prompt, that records every request. These requests
// are the evidence of the tests with real clients: they show what really reached the model.
//
//   ⟦slow SECONDS⟧        spreads the answer's words over that time
//   ⟦silent SECONDS⟧      answers nothing for that time
//   ⟦usage TOKENS⟧        reports that many input tokens in this and every later answer
//   ⟦fail STATUS⟧         answers with that HTTP status
//   ⟦error KIND [TIMES]⟧  fails as the real API does: rate_limit, usage_limit, server_error, dropped, cut … (api-errors.mjs)
//   ⟦full⟧                answers once that the prompt is too long, so that the client compacts inside the turn
//   ⟦bash COMMAND⟧ ⟦write PATH⟧ ⟦read PATH⟧    uses the tool, then ends its turn
//
// It also obeys Baton's prompts, however the operator words them: it writes the handoff document with its end marker;
// as a successor it reads the document and acknowledges with the token in it, or after an emergency with the token in
// the prompt. `instead` makes it do something else, `play` a whole turn of tool calls.

import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultOf } from './api-errors.mjs';

const USUAL_TOKENS = 1_500;
const WORD_MS = 200;

/**
 * @typedef {{ name: string, input: Record<string, unknown> }} ToolUse
 * @typedef {{ status?: number, error?: string, fault?: string, text?: string, tool?: ToolUse, slowMs?: number }} Reply
 * @typedef {{ prompt: string, texts: string[], system: string, toolResult: string | null, model: string, body: any, aborted: boolean, at: number, endedAt: number | null, failed: boolean }} Asked
 * @typedef {{ fits: (asked: Asked) => boolean, reply: (asked: Asked) => Promise<Reply | undefined> | Reply | undefined }} Plan
 * @typedef {(asked: Asked) => Reply} Step
 */

const TOO_LONG = 'prompt is too long: 1100000 tokens > 1000000 maximum';

/** Makes the client compact inside the turn. @type {Reply} */
export const NO_ROOM = { status: 400, error: TOO_LONG };

/** @param {{ log?: string }} [options] */
export async function startStubModel({ log } = {}) {
  /** @type {Asked[]} */
  const requests = [];
  let inputTokens = USUAL_TOKENS;
  let serial = 0;
  let wasFull = false;
  /** @type {Plan[]} */
  const plans = [];

  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = new URL(request.url ?? '/', 'http://stub').pathname;
    if (request.method !== 'POST' || !path.startsWith('/v1/messages')) return json(response, 200, {});
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    if (path.endsWith('/count_tokens')) return json(response, 200, { input_tokens: inputTokens });
    const asked = readRequest(body);
    requests.push(asked);
    response.once('close', () => {
      asked.endedAt = Date.now();
    });
    if (log) appendFileSync(log, `${JSON.stringify({ at: asked.at, body })}\n`);
    if (isWarmup(asked)) return answer(response, body, { text: 'Warm.' }, { id: ++serial, inputTokens }, asked);
    const usage = /⟦usage (\d+)⟧/.exec(asked.prompt);
    if (usage) inputTokens = Number(usage[1]);
    // Skip requests without tools: older releases first request a title with the same prompt.
    if (!wasFull && (body.tools ?? []).length > 0 && asked.prompt.includes('⟦full⟧')) {
      wasFull = true;
      return fail(response, 400, TOO_LONG);
    }
    await sleep(Number(/⟦silent (\d+)⟧/.exec(asked.prompt)?.[1] ?? 0) * 1000);
    const planned = plans.findIndex(({ fits }) => fits(asked));
    const [plan] = planned === -1 ? [] : plans.splice(planned, 1);
    const reply = (await plan?.reply(asked)) ?? scriptedFault(asked) ?? decide(asked);
    if (reply.fault !== undefined) return breakDown(response, body, reply.fault, asked);
    if (reply.status !== undefined) {
      asked.failed = true;
      return fail(response, reply.status, reply.error ?? 'the stub was told to fail');
    }
    await answer(response, body, reply, { id: ++serial, inputTokens }, asked);
  });
  /** How often each ⟦error KIND TIMES⟧ has failed. @type {Map<string, number>} */
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
     * Replaces the reply to the next requests that fit; undefined means the usual reply, possibly delayed.
     * @param {Plan['fits']} fits @param {Plan['reply']} reply
     */
    instead: (fits, reply, times = 1) => void plans.push(...Array.from({ length: times }, () => ({ fits, reply }))),
    /** The next requests that fit fail as the real API does. @param {string} kind of api-errors.mjs @param {Plan['fits']} fits */
    fail: (kind, fits, times = 1) => {
      faultOf(kind);
      plans.push(...Array.from({ length: times }, () => ({ fits, reply: () => ({ fault: kind }) })));
    },
    /** Drops all plans, so that every request gets the usual reply. */
    recover: () => void plans.splice(0),
    /** Plays a turn in steps: the first step answers the request that fits, each later step a tool result. */
    play: (/** @type {Plan['fits']} */ fits, /** @type {Step[]} */ ...steps) => queue(plans, fits, steps),
    /** The requests of one session's conversation, without the client's requests for titles, summaries and the like. */
    turnsOf: (/** @type {string} */ session) =>
      requests.filter(
        ({ body, prompt }) =>
          (body.tools ?? []).length > 0 && String(body.metadata?.user_id).includes(session) && !isAside({ prompt }),
      ),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}

const ERROR = /⟦error (\w+)(?: (\d+))?⟧/;

/** Requests that the client makes for itself: prompt suggestions and cache warmups for subagents. */
export const isAside = (/** @type {{ prompt: string }} */ { prompt }) =>
  /^\[SUGGESTION MODE|^Warmup$/.test(prompt.trim());
const isWarmup = (/** @type {Asked} */ { prompt }) => prompt.trim() === 'Warmup';

/** @param {Plan[]} plans @param {Plan['fits']} fits @param {Step[]} steps */
function queue(plans, fits, [first, ...rest]) {
  if (first === undefined) return;
  const reply = (/** @type {Asked} */ asked) => {
    queue(plans, ({ body }) => (body.tools ?? []).length > 0 && hasResult(body), rest);
    return first(asked);
  };
  plans.push({ fits, reply });
}

/** Does the last user message have a tool result? It may also contain a text of the client. */
const hasResult = (/** @type {any} */ { messages = [] }) =>
  blocksOf(messages.findLast((/** @type {any} */ { role }) => role === 'user')?.content).some(
    ({ type }) => type === 'tool_result',
  );

const isUser = (/** @type {any} */ message) => message.role === 'user';

/** @returns {Asked} */
function readRequest(/** @type {any} */ body) {
  const messages = (body.messages ?? []).filter(isUser);
  const last = blocksOf(messages.at(-1)?.content);
  // If a prompt comes with a tool result, for example after an interrupted tool, the prompt counts.
  const result = textsOf(last).length > 0 ? undefined : last.find((block) => block.type === 'tool_result');
  const texts = messages.flatMap((/** @type {any} */ message) => textsOf(blocksOf(message.content)));
  return {
    prompt: textsOf(last).at(-1) ?? texts.at(-1) ?? '',
    texts,
    system: blocksOf(body.system)
      .map(({ text }) => text)
      .join('\n'),
    toolResult: result === undefined ? null : textsOf(blocksOf(result.content)).join('\n'),
    model: body.model,
    body,
    aborted: false,
    at: Date.now(),
    endedAt: null,
    failed: false,
  };
}

/** @returns {any[]} */
const blocksOf = (/** @type {any} */ content) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

/** The texts of people and tools, without the client's system reminders. */
const textsOf = (/** @type {any[]} */ blocks) =>
  blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>\n?/g, ''))
    .filter((text) => text.trim() !== '');

/** @param {Asked} asked @returns {Reply} */
function decide({ prompt, toolResult, body }) {
  const can = (/** @type {string} */ name) => (body.tools ?? []).some((/** @type {any} */ tool) => tool.name === name);
  const use = (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input) =>
    can(name) ? { tool: { name, input } } : { text: `I have no ${name}.` };
  if (toolResult !== null) return afterTool(prompt, toolResult, body, use) ?? { text: 'Done.' };
  // Check Baton's prompts first: a successor's prompt quotes the script in its predecessor's prompts.
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

/** The path and correct content of the document that Baton's instruction asks for. */
export function documentWantedBy(/** @type {string} */ prompt) {
  const [marker] = /<!-- handoff-end:\S+ -->/.exec(prompt) ?? [];
  const path = documentIn(prompt);
  return path && marker ? { path, content: handoffDocument(marker) } : undefined;
}

/** A path on a separate line may contain blanks. */
const documentIn = (/** @type {string} */ prompt) =>
  /^[ \t]*(\/.*\/handoffs\/\S+\.md)\s*$/m.exec(prompt)?.[1] ?? /\/\S+\/handoffs\/\S+\.md/.exec(prompt)?.[0];
const ACKNOWLEDGE = /baton ack (\d+) --proof (\S+)/;

/** @param {string} run @param {string} token @param {Use} use */
const acknowledge = (run, token, use) =>
  use('Bash', {
    command: `baton ack ${run} --proof ${token} --task "go on with the parser, as my predecessor planned"`,
    description: 'Acknowledges',
  });

/** @param {string} prompt @param {Use} use @returns {Reply} */
function whatTheScriptSays(prompt, use) {
  const [, verb, rest = ''] = /⟦(fail|bash|write|read) ([^⟧]+)⟧/.exec(prompt) ?? [];
  const slowMs = Number(/⟦slow (\d+)⟧/.exec(prompt)?.[1] ?? 0) * 1000;
  if (verb === 'fail') return { status: Number(rest) };
  if (verb === 'bash') return { ...use('Bash', { command: rest, description: 'Does what the stub was told' }), slowMs };
  if (verb === 'write') return { ...use('Write', { file_path: rest, content: 'written by the stub\n' }), slowMs };
  if (verb === 'read') return { ...use('Read', { file_path: rest }), slowMs };
  return { text: `Heard ${prompt.length} characters.`, slowMs };
}

/**
 * @param {string} prompt @param {string} result @param {any} body
 * @param {Use} use
 */
function afterTool(prompt, result, body, use) {
  // The client may add system messages after the result.
  const said = readRequest({ messages: body.messages.filter(isUser).slice(0, -1) }).texts.at(-1) ?? prompt;
  const command = ACKNOWLEDGE.exec(said);
  const token = /handoff-end:([A-Za-z0-9_-]+)/.exec(result);
  return command && token ? acknowledge(command[1] ?? '', token[1] ?? '', use) : undefined;
}

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
 * @param {import('node:http').ServerResponse} response @param {any} body @param {Reply} reply
 * @param {{ id: number, inputTokens: number }} about @param {Asked} asked
 */
async function answer(response, body, { text = 'At once.', tool, slowMs = 0 }, { id, inputTokens }, asked) {
  const usage = {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 20,
  };
  const content = [
    { type: 'text', text },
    ...(tool ? [{ type: 'tool_use', id: `toolu_stub_${id}`, name: tool.name, input: tool.input }] : []),
  ];
  const stop = { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
  const message = { id: `msg_stub_${id}`, type: 'message', role: 'assistant', model: body.model, usage };
  if (!body.stream) return json(response, 200, { ...message, content, ...stop });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (/** @type {string} */ type, /** @type {object} */ data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  for (const [index, block] of content.entries()) {
    if (block.type === 'text') {
      send('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (let waited = 0; waited < slowMs; waited += WORD_MS) {
        if (response.destroyed) {
          asked.aborted = true;
          return undefined;
        }
        send('content_block_delta', { index, delta: { type: 'text_delta', text: 'word ' } });
        await sleep(WORD_MS);
      }
      send('content_block_delta', { index, delta: { type: 'text_delta', text } });
    } else {
      const { input, ...start } = /** @type {any} */ (block);
      send('content_block_start', { index, content_block: { ...start, input: {} } });
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } });
    }
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: stop, usage });
  send('message_stop', {});
  response.end();
  return undefined;
}

/** @param {import('node:http').ServerResponse} response @param {any} body @param {string} kind @param {Asked} asked */
function breakDown(response, body, kind, asked) {
  asked.failed = true;
  const fault = faultOf(kind);
  if ('drop' in fault) return void response.socket?.resetAndDestroy();
  if ('cut' in fault) return void cutMidStream(response, body);
  const { status, type, message, headers = {} } = fault;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_stub' }));
  return undefined;
}

function cutMidStream(/** @type {import('node:http').ServerResponse} */ response, /** @type {any} */ body) {
  const usage = { input_tokens: USUAL_TOKENS, output_tokens: 1 };
  const message = { id: 'msg_cut', type: 'message', role: 'assistant', model: body.model, content: [], usage };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half of an ' } },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''), () =>
    response.socket?.resetAndDestroy(),
  );
}

function json(
  /** @type {import('node:http').ServerResponse} */ response,
  /** @type {number} */ status,
  /** @type {object} */ body,
) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {string} message */
function fail(response, status, message) {
  const type = status === 400 ? 'invalid_request_error' : 'api_error';
  json(response, status, { type: 'error', error: { type, message } });
}
