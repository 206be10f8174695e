import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimWorld } from '../../app/engine/sim-world.ts';
import { ApiInProcess, OPERATOR } from './api-in-process.ts';

const DAY_MS = 86_400_000;
let sim: SimWorld;
let api: ApiInProcess;
beforeEach(async () => {
  sim = new SimWorld();
  api = new ApiInProcess(sim.ports);
  await api.listen();
});
afterEach(() => api.remove());

const status = async (token: string): Promise<number> =>
  (await api.call('GET', '/api/health', undefined, token)).status;
const sessions = () => sim.ports.store.read((tx) => tx.pageSessions());
const ended = (stream: IncomingMessage): Promise<unknown> => {
  stream.resume();
  return once(stream, 'end');
};

it('[T4] a login code works only once, and only for a minute', async () => {
  const redeem = async (code: string) => (await api.call('POST', '/api/login', { code })).status;
  const [one, late] = [api.logins.newCode(), api.logins.newCode()];
  expect([await redeem(one), await redeem(one)]).toEqual([200, 401]);
  sim.pass(61_000);
  expect([await redeem(late), sessions().length]).toEqual([401, 1]);
});

describe('a page session', () => {
  it('survives a restart, and its token is not in the store', async () => {
    const token = await api.logIn();
    await api.restart();
    expect(await status(token)).toBe(200);
    expect(JSON.stringify(sessions())).not.toContain(token);
    expect(await status(`${token}x`)).toBe(401);
  });

  it('ends after thirty days without use, but not while it is used', async () => {
    const [used, unused] = [await api.logIn(), await api.logIn()];
    sim.pass(30 * DAY_MS);
    expect(await status(used)).toBe(200);
    sim.pass(DAY_MS);
    expect([await status(used), await status(unused)]).toEqual([200, 401]);
    sim.pass(29 * DAY_MS);
    expect(await status(used)).toBe(200);
    await api.logIn();
    expect(sessions()).toHaveLength(2);
  });

  it('replaces the longest unused one of two hundred sessions, and closes the streams of that session', async () => {
    const [first, second] = [await api.logIn(), await api.logIn()];
    const stream = await api.stream(second);
    const over = ended(stream);
    sim.pass(DAY_MS);
    expect(await status(first)).toBe(200);
    for (let count = 2; count <= 200; count++) await api.logIn();
    await over;
    expect([await status(first), await status(second)]).toEqual([200, 401]);
    expect(sessions()).toHaveLength(200);
  });

  it('is not revived by a use that was being saved during the logout', async () => {
    const token = await api.logIn();
    sim.pass(DAY_MS);
    // Both calls happen in one turn of the event loop, so at the second call the first is not in the store yet.
    const loggedOut = api.logins.end('all');
    expect(api.logins.sessionOf(token)).toBeDefined();
    expect(await loggedOut).toBe(1);
    await sim.ports.store.write(() => undefined);
    expect(sessions()).toEqual([]);
    expect(await status(token)).toBe(401);
  });
});

describe('logging out', () => {
  it('ends the session of this page and its streams, and no other session', async () => {
    const [mine, other] = [await api.logIn(), await api.logIn()];
    const [stream, others, own] = await Promise.all([mine, other, OPERATOR].map((token) => api.stream(token)));
    const over = ended(stream as IncomingMessage);
    let othersEnded = 0;
    for (const each of [others, own]) each?.resume().on('end', () => othersEnded++);
    expect((await api.call('POST', '/api/logout', {}, mine)).body).toEqual({ ended: 1 });
    await over;
    expect([await status(mine), await status(other), othersEnded]).toEqual([401, 200, 0]);
  });

  it('ends all pages with `everywhere`, from a page or by the operator', async () => {
    const tokens = [await api.logIn(), await api.logIn()];
    const streams = await Promise.all(tokens.map((token) => api.stream(token)));
    const over = Promise.all(streams.map(ended));
    expect((await api.call('POST', '/api/logout', { everywhere: true })).body).toEqual({ ended: 2 });
    await over;
    expect(await Promise.all(tokens.map(status))).toEqual([401, 401]);
    const again = await api.logIn();
    expect((await api.call('POST', '/api/logout', { everywhere: true }, again)).body).toEqual({ ended: 1 });
    expect(await status(again)).toBe(401);
    expect(await status(OPERATOR)).toBe(200);
  });

  it("refuses the operator's own token, with a hint", async () => {
    const { status: code, body } = await api.call<{ error: string; hint: string }>('POST', '/api/logout', {});
    expect([code, body.error, body.hint]).toEqual([
      409,
      expect.stringContaining("operator's own and cannot be logged out"),
      expect.stringContaining('baton logout --everywhere'),
    ]);
    expect(await status(OPERATOR)).toBe(200);
  });
});
