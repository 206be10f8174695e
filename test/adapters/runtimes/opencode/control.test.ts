import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newMessageId } from '../../../../src/adapters/runtimes/opencode/message-id.ts';
import { ADDRESS_FILE } from '../../../../src/adapters/runtimes/opencode/opencode-api.ts';
import { createOpencodeControl } from '../../../../src/adapters/runtimes/opencode/opencode-control.ts';

const SESSION = 'ses_e13d5fc58ffeAm9Qc8yjD2nNpy';
const PASSWORD = 'a-password-of-this-test';

/** A fake server that requires a password and gives recorded answers of opencode 1.18.33. */
let server: Server;
let folder: string;
let replies: Record<string, unknown>;
let received: { method: string; path: string; body: unknown; authorization: string }[];

beforeEach(async () => {
  replies = { '/session/status': {}, '/permission': [], '/question': [], [`/session/${SESSION}/message`]: [] };
  received = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? '/', 'http://stub').pathname;
    const { authorization = '' } = request.headers;
    const text = Buffer.concat(chunks).toString();
    if (request.method !== 'GET')
      received.push({ method: request.method ?? '', path, body: text === '' ? null : JSON.parse(text), authorization });
    const known = request.method !== 'GET' || Object.hasOwn(replies, path);
    const reply = replies[`${request.method} ${path}`] ?? replies[path];
    const code = authorization === `Basic ${Buffer.from(`opencode:${PASSWORD}`).toString('base64')}` ? 200 : 401;
    response.writeHead(known ? (typeof reply === 'number' ? reply : code) : 404);
    response.end(typeof reply === 'number' || request.method !== 'GET' ? '' : JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'baton-opencode-'));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, ADDRESS_FILE), JSON.stringify({ url: `http://127.0.0.1:${port}`, password: PASSWORD }));
});

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const control = createOpencodeControl();
const session = () => ({ agentId: 7, agentFolder: folder, sessionId: SESSION, clientPid: null });
const info = (id: string, role: string, more = {}) => ({
  info: { id, sessionID: SESSION, role, time: { created: 1 }, ...more },
  parts: [{ id: `prt_${id}`, sessionID: SESSION, messageID: id, type: 'text', text: 'x' }],
});
const PERMISSION = {
  id: 'per_1ec2b1ba40011q8B73S9Hjp4iM',
  sessionID: SESSION,
  permission: 'bash',
  patterns: ['echo hi there'],
  metadata: { command: 'echo hi there' },
  always: ['echo *'],
};

describe('the control of opencode', () => {
  it('if an opencode session has no status, Baton reports the session as idle and reports how its last turn ended', async () => {
    replies[`/session/${SESSION}/message`] = [
      info('msg_1', 'user'),
      info('msg_2', 'assistant', { parentID: 'msg_1', finish: 'stop' }),
    ];
    expect(await control.readStatus(session())).toEqual({
      status: 'idle',
      lastTurn: { id: 'msg_1', outcome: 'completed' },
    });
  });

  it('an opencode session without a status counts as busy right after a prompt', async () => {
    replies[`/session/${SESSION}/message`] = [info('msg_1', 'user', { time: { created: Date.now() } })];
    expect(await control.readStatus(session())).toEqual({ status: 'busy' });
  });

  it.each([
    [{ finish: undefined }, { outcome: 'interrupted' }],
    [{ error: { name: 'MessageAbortedError' } }, { outcome: 'interrupted' }],
    [{ error: { name: 'APIError', data: { message: 'no credit' } } }, { outcome: 'failed', error: 'no credit' }],
  ])('if the answer of an opencode turn has %j, Baton reports how the turn ended', async (answer, end) => {
    replies[`/session/${SESSION}/message`] = [
      info('msg_1', 'user'),
      info('msg_2', 'assistant', { parentID: 'msg_1', ...answer }),
    ];
    expect((await control.readStatus(session()))?.lastTurn).toEqual({ id: 'msg_1', ...end });
  });

  it('a shell command of the operator is not reported as an interrupted turn of opencode', async () => {
    const command = info('msg_4', 'assistant', { parentID: 'msg_3' });
    replies[`/session/${SESSION}/message`] = [
      info('msg_1', 'user'),
      info('msg_2', 'assistant', { parentID: 'msg_1', finish: 'stop' }),
      info('msg_3', 'user'),
      { ...command, parts: [{ ...command.parts[0], type: 'tool', tool: 'bash', callID: 'c1' }] },
    ];
    expect((await control.readStatus(session()))?.lastTurn).toEqual({ id: 'msg_1', outcome: 'completed' });
  });

  it('an opencode turn that is interrupted during a tool is reported as interrupted', async () => {
    const cut = info('msg_2', 'assistant', { parentID: 'msg_1' });
    const [part] = cut.parts;
    const parts = [
      { ...part, type: 'step-start' },
      { ...part, id: 'prt_tool', type: 'tool', tool: 'bash', callID: 'c1' },
    ];
    replies[`/session/${SESSION}/message`] = [info('msg_1', 'user'), { ...cut, parts }];
    expect((await control.readStatus(session()))?.lastTurn).toEqual({ id: 'msg_1', outcome: 'interrupted' });
  });

  it("a retry of opencode is reported in opencode's own words", async () => {
    replies['/session/status'] = { [SESSION]: { type: 'retry', attempt: 2, message: 'stub error', next: 1 } };
    expect(await control.readStatus(session())).toMatchObject({ status: 'retrying', doing: 'stub error' });
  });

  it('a permission request of opencode is reported although the session has the status busy', async () => {
    replies['/session/status'] = { [SESSION]: { type: 'busy' } };
    replies['/permission'] = [PERMISSION];
    expect(await control.readStatus(session())).toEqual({
      status: 'waiting',
      waitingFor: 'asks permission to use bash: echo hi there',
    });
  });

  it('Baton reports the status of an opencode session even if the opencode server has no route for questions', async () => {
    delete replies['/question'];
    expect((await control.readStatus(session()))?.status).toBe('idle');
  });

  it('Baton reports no opencode status if the server does not run, refuses the password or has no address file', async () => {
    replies['/session/status'] = 401;
    expect(await control.readStatus(session())).toBeUndefined();
    writeFileSync(join(folder, ADDRESS_FILE), JSON.stringify({ url: 'http://127.0.0.1:1', password: PASSWORD }));
    expect(await control.readStatus(session())).toBeUndefined();
    rmSync(join(folder, ADDRESS_FILE));
    expect(await control.readStatus(session())).toBeUndefined();
  });

  it('Baton does not send the prompt or the password to an opencode server on another machine', async () => {
    writeFileSync(join(folder, ADDRESS_FILE), JSON.stringify({ url: 'http://10.0.0.1:80', password: PASSWORD }));
    const sent = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    try {
      expect(await control.submit(session(), { id: 'message-1', text: 'x' })).toMatchObject({ verdict: 'refused' });
      expect(await control.readStatus(session())).toBeUndefined();
      expect(sent.mock.calls).toEqual([]);
    } finally {
      sent.mockRestore();
    }
  });

  it("Baton submits a prompt unchanged to the agent's opencode session", async () => {
    const text = 'line one\n\t/exit "quoted" 漢字';
    expect(await control.submit(session(), { id: 'message-1', text })).toEqual({ verdict: 'typed', enters: 0 });
    const sent = received.find(({ path }) => path.endsWith('/prompt_async'));
    expect(sent?.path).toBe(`/session/${SESSION}/prompt_async`);
    expect(sent?.body).toEqual({
      messageID: expect.stringMatching(/^msg_[0-9a-f]{12}\w{14}$/),
      parts: [{ type: 'text', text }],
    });
  });

  it('Baton does not submit a prompt that is already in the opencode conversation', async () => {
    replies[`/session/${SESSION}/message`] = [info(newMessageId('message-1', 1), 'user')];
    const outcome = await control.submit(session(), { id: 'message-1', text: 'x' });
    expect(outcome).toEqual({ verdict: 'typed', enters: 0 });
    expect(received.filter(({ path }) => path.endsWith('/prompt_async'))).toEqual([]);
  });

  it('a prompt counts as refused if the opencode server answers with an error', async () => {
    replies[`POST /session/${SESSION}/prompt_async`] = 400;
    expect(await control.submit(session(), { id: 'message-1', text: 'x' })).toMatchObject({ verdict: 'refused' });
  });

  it("Baton can interrupt the agent's opencode session", async () => {
    expect(await control.interrupt?.(session())).toBeUndefined();
    expect(received.map(({ path }) => path)).toEqual([`/session/${SESSION}/abort`]);
  });

  it.each([
    [1, 'once'],
    [2, 'always'],
    [3, 'reject'],
  ])('Baton answers a permission request of opencode with option %i (%s)', async (choice, reply) => {
    replies['/permission'] = [PERMISSION];
    const question = '△ Permission required\n# Shell command\n$ echo hi\nthere';
    expect(await control.answer?.(session(), { question, choice, labels: [] })).toMatchObject({
      verdict: 'typed',
      by: 'api',
    });
    expect(received).toEqual([
      expect.objectContaining({ path: `/permission/${PERMISSION.id}/reply`, body: { reply } }),
    ]);
  });

  it('Baton answers a question of opencode with the label of the chosen option', async () => {
    const asked = { question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] };
    replies['/question'] = [{ id: 'que_1', sessionID: SESSION, questions: [asked] }];
    await control.answer?.(session(), { question: 'Which color?\n1. Red\n2. Blue', choice: 2, labels: [] });
    expect(received).toEqual([
      expect.objectContaining({ path: '/question/que_1/reply', body: { answers: [['Blue']] } }),
    ]);
  });

  it('Baton sends no answer if opencode no longer asks the question that the operator answered', async () => {
    replies['/permission'] = [{ ...PERMISSION, patterns: ['rm -r x'], metadata: { command: 'rm -r x' } }];
    const question = '△ Permission required\n# Shell command\n$ echo hi there';
    const outcome = await control.answer?.(session(), { question, choice: 1, labels: [] });
    expect(outcome).toMatchObject({ verdict: 'refused', reason: 'other_question' });
    expect(received).toEqual([]);
  });
});

describe('the usage limit of opencode', () => {
  const retry = (message: string, more = {}) => ({
    [SESSION]: { type: 'retry', attempt: 1, message, next: 1_794_966_700_443, ...more },
  });

  it.each([
    'You exceeded your current quota, please check your plan and billing details.',
    'The usage limit has been reached',
    'Free usage exceeded, subscribe to Go',
  ])('while opencode says "%s", Baton reports a usage limit and the time of the next attempt', async (words) => {
    replies['/session/status'] = retry(words);
    const retriesAt = '2026-11-18T01:51:40.443Z';
    const limit = { words, until: null, retriesAt, continuesItself: true };
    expect((await control.readStatus(session()))?.limit).toEqual(limit);
  });

  it('while opencode retries a request because of another error, Baton reports no usage limit', async () => {
    replies['/session/status'] = retry('Internal server error');
    expect((await control.readStatus(session()))?.limit).toBeUndefined();
  });

  it('Baton reports the usage limit that made an opencode turn fail', async () => {
    const error = { name: 'APIError', data: { message: 'Your credit balance is too low' } };
    replies[`/session/${SESSION}/message`] = [info('msg_2', 'assistant', { parentID: 'msg_1', error })];
    expect((await control.readStatus(session()))?.lastTurn?.limit).toEqual({
      words: 'Your credit balance is too low',
      until: null,
      continuesItself: false,
    });
  });
});
