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
  it('a page session survives a restart of the server', async () => {
    const token = await api.logIn();
    await api.restart();
    expect(await status(token)).toBe(200);
    expect(JSON.stringify(sessions())).not.toContain(token);
    expect(await status(`${token}x`)).toBe(401);
  });

  it('a page session ends after thirty days without use', async () => {
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

  it('if there are two hundred page sessions, a new session replaces the session that was unused for the longest time', async () => {
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

  it('a logout ends a page session even if the session is used during the logout', async () => {
    const token = await api.logIn();
    sim.pass(DAY_MS);
    // Use the session in the same turn of the event loop as the logout, because the store does not contain the logout
    // yet at that time.
    const loggedOut = api.logins.end('all');
    expect(api.logins.sessionOf(token)).toBeDefined();
    expect(await loggedOut).toBe(1);
    await sim.ports.store.write(() => undefined);
    expect(sessions()).toEqual([]);
    expect(await status(token)).toBe(401);
  });
});

describe('logging out', () => {
  it('a logout ends only the session of its own page', async () => {
    const [mine, other] = [await api.logIn(), await api.logIn()];
    const [stream, others, own] = await Promise.all([mine, other, OPERATOR].map((token) => api.stream(token)));
    const over = ended(stream as IncomingMessage);
    let othersEnded = 0;
    for (const each of [others, own]) each?.resume().on('end', () => othersEnded++);
    expect((await api.call('POST', '/api/logout', {}, mine)).body).toEqual({ ended: 1 });
    await over;
    expect([await status(mine), await status(other), othersEnded]).toEqual([401, 200, 0]);
  });

  it('a logout with `everywhere` ends the sessions of all pages', async () => {
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

  it("a logout with the operator's own token is refused", async () => {
    const { status: code, body } = await api.call<{ error: string; hint: string }>('POST', '/api/logout', {});
    expect([code, body.error, body.hint]).toEqual([
      409,
      expect.stringContaining("this request uses the operator's own token"),
      expect.stringContaining('baton logout --everywhere'),
    ]);
    expect(await status(OPERATOR)).toBe(200);
  });
});

describe('the list of logged-in devices', () => {
  const devices = async (token?: string) =>
    (
      await api.call<{ devices: { id: string; name: string; current: boolean }[] }>(
        'GET',
        '/api/devices',
        undefined,
        token,
      )
    ).body.devices;
  const logInAs = async (device: string): Promise<string> => {
    const { body } = await api.call<{ token: string }>('POST', '/api/login', { code: api.logins.newCode(), device });
    return body.token;
  };

  it('[D10] the list of devices shows the day on which each device was last used, and begins with the latest day', async () => {
    const phone = await logInAs('Safari on iPhone');
    sim.pass(DAY_MS);
    const laptop = await logInAs('Firefox on Linux');
    expect(await devices(laptop)).toEqual([
      expect.objectContaining({ name: 'Firefox on Linux', current: true, used_on: expect.stringMatching(/^\d{4}-/) }),
      expect.objectContaining({ name: 'Safari on iPhone', current: false }),
    ]);
    expect(await status(phone)).toBe(200);
    expect((await devices()).map(({ current }) => current)).toEqual([false, false]);
    sim.pass(31 * DAY_MS);
    expect(await devices()).toEqual([]);
  });

  it('[D10] if the operator revokes one device, the others stay logged in', async () => {
    const [phone, laptop] = [await logInAs('Safari on iPhone'), await logInAs('Firefox on Linux')];
    const over = ended(await api.stream(phone));
    const lost = (await devices(laptop)).find(({ name }) => name === 'Safari on iPhone');
    expect((await api.call('POST', '/api/logout', { device: lost?.id }, laptop)).body).toEqual({ ended: 1 });
    await over;
    expect([await status(phone), await status(laptop)]).toEqual([401, 200]);
    const again = await api.call<{ error: string }>('POST', '/api/logout', { device: lost?.id });
    expect([again.status, again.body.error]).toEqual([404, `No device with the id "${lost?.id}" is logged in`]);
  });

  it('[D10] the list of devices contains no token', async () => {
    const token = await logInAs('Safari on iPhone');
    const [session] = sessions();
    const text = JSON.stringify(await devices(token));
    expect([text.includes(token), text.includes(session?.tokenHash ?? '?')]).toEqual([false, false]);
  });
});
