import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../src/contract/routes.ts';
import { readAnswer } from '../../../src/surfaces/socket/read-answer.ts';
import { readFrames } from '../../../src/surfaces/socket/read-frames.ts';
import { type Call, sendRequest } from '../../../src/surfaces/socket/send-request.ts';

let home = '';
let server: Server | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bt-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  if (server !== undefined) await new Promise((resolve) => server?.close(resolve));
  server = undefined;
  rmSync(home, { recursive: true, force: true });
});

function listen(answer: RequestListener): Promise<void> {
  const made = createServer(answer);
  server = made;
  return new Promise((resolve) => made.listen(join(home, 'baton.sock'), resolve));
}
const GET: Call = { method: 'GET', path: '/api/health', token: 'secret' };
const ask = async (call: Call = GET) => readAnswer(await sendRequest(home, call), call.path);

describe('a request over the socket', () => {
  it("a request sends its token and body and returns the server's answer", async () => {
    const seen: unknown[] = [];
    await listen((request, response) => {
      request.setEncoding('utf8').on('data', (text) => seen.push(request.headers.authorization, text));
      request.on('end', () => response.end('{"done":true}'));
    });
    expect(await ask({ ...GET, method: 'POST', body: { a: 1 } })).toEqual({ body: { done: true } });
    expect(seen).toEqual(['Bearer secret', '{"a":1}']);
  });

  it("a refused request returns the server's own sentence", async () => {
    const bodies = ['{"error":"No.","code":"busy","hint":"Wait."}', 'oops'];
    await listen((_request, response) => void response.writeHead(409).end(bodies.shift()));
    expect(await ask()).toEqual({ refused: { error: 'No.', code: 'busy', hint: 'Wait.' } });
    expect(await ask()).toEqual({
      refused: { error: 'Baton answered /api/health with status 409, without an explanation.', code: 'failed' },
    });
  });

  it('if no server is running, a request fails with `not_running`', async () => {
    await expect(ask()).rejects.toMatchObject({ name: 'SocketFault', code: 'not_running' });
  });

  it('if the server closes the connection, a request fails with `connection_lost`', async () => {
    let asked = 0;
    await listen((request, response) => {
      if (++asked === 1) return void request.socket.destroy();
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"half":', () => request.socket.destroy());
    });
    await expect(ask()).rejects.toMatchObject({ code: 'connection_lost' });
    await expect(ask()).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('if the answer does not begin in time, a request fails with `no_answer`', async () => {
    await listen(() => undefined);
    await expect(ask({ ...GET, answerMs: 50 })).rejects.toMatchObject({ code: 'no_answer' });
    await expect(ask({ ...GET, signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('a request whose body is above the limit fails with `too_large`', async () => {
    await listen((request) => void request.once('data', () => request.socket.destroy()));
    const call = { ...GET, method: 'POST', body: 'x'.repeat(MAX_BODY_BYTES + 1) };
    await expect(ask(call)).rejects.toMatchObject({ code: 'too_large' });
    await expect(ask({ ...call, body: 'x' })).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('server-sent events are read until the connection breaks', async () => {
    await listen((request, response) => {
      response.write(': open\n\nid: 1\nevent: a\ndata: {}\n\ndata: ha', () => request.socket.destroy());
    });
    const frames = [];
    for await (const frame of readFrames(await sendRequest(home, GET))) frames.push(frame);
    expect(frames).toEqual([{ id: '1', event: 'a', data: '{}' }]);
  });
});
