import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_UNPROVEN } from '../../../src/surfaces/http/server/connections.ts';
import { createRateLimits, RATE_LIMITS } from '../../../src/surfaces/http/server/rate-limit.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';
import { ApiInProcess } from './api-in-process.ts';

describe('[X-10] the API under load from callers without a token', () => {
  let api: ApiInProcess;
  const open: Socket[] = [];
  beforeEach(async () => {
    api = new ApiInProcess(new SimWorld().ports);
    await api.listen();
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    await api.remove();
  });

  const dial = async (): Promise<Socket> => {
    const socket = connect(join(api.home, 'baton.sock'));
    open.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const say = async (text: string): Promise<string> => {
    const socket = await dial();
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.write(text);
    await once(socket, 'close');
    return answer;
  };

  it('with 600 silent connections open, the API still answers', async () => {
    const silent: Socket[] = [];
    for (let n = 0; n < 600; n++) silent.push(await dial());
    expect(await api.call('GET', '/api/health')).toMatchObject({ status: 200 });
    const ended = () => silent.filter(({ closed }) => closed).length;
    await expect.poll(ended).toBeGreaterThanOrEqual(600 - MAX_UNPROVEN);
    expect(silent.at(-1)?.closed).toBe(false);
  });

  it.each(['GET /api/health HTTP/2.0', 'PRI * HTTP/2.0', 'GET /api/health HTTP/3.0'])(
    'if a request begins with "%s", the API refuses the request and says why in one sentence',
    async (line) => {
      const answer = await say(`${line}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 505 /);
      expect(answer).toContain('Baton supports only HTTP/1.1');
    },
  );

  it('if input is not HTTP, the API refuses the input and says why in one sentence', async () => {
    expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"This is not a valid HTTP request"/);
  });

  it('[F5] the API waits for the headers of a request longer than six writes to a locked store block it', () => {
    // Node also counts the time in which the event loop is blocked. If the timeout were shorter than a few blocked
    // writes, Node would refuse a request that it has not read yet.
    const WRITE_TO_LOCKED_STORE_MS = 5_000;
    expect(api.headersTimeoutMs).toBeGreaterThan(6 * WRITE_TO_LOCKED_STORE_MS);
  });

  it('after too many logins, the API refuses another login and says why in one sentence', async () => {
    const { perMinute } = RATE_LIMITS.login;
    const logIn = () => api.call<{ error: string }>('POST', '/api/login', { code: 'x'.repeat(40) });
    for (let n = 0; n < perMinute; n++) expect((await logIn()).status).toBe(401);
    expect(await logIn()).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', error: expect.stringContaining(`at most ${perMinute} logins per minute`) },
    });
  });
});

describe('[X-10] the rate limit', () => {
  it('the rate limit counts each caller separately and resets after a minute', () => {
    let now = 0;
    const limit = createRateLimits(() => now);
    const ask = (caller: string) => limit('message', caller);
    for (let n = 0; n < RATE_LIMITS.message.perMinute; n++) expect(ask('agent 1')).toBeUndefined();
    now = 20_000;
    expect(ask('agent 1')).toMatchObject({ code: 'too_many_requests', hint: expect.stringContaining('again in 40 s') });
    expect([ask('agent 2'), limit('package', 'agent 1')]).toEqual([undefined, undefined]);
    now = 60_000;
    expect(ask('agent 1')).toBeUndefined();
  });
});
