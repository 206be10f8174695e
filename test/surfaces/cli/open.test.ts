import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timeAhead } from '../../../src/surfaces/cli/inbox/time-ahead.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { readQrCode } from './support/read-qr-code.ts';
import { anAgent } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

const CODE = 'abcdefghijklmnopqrstuvwxyz_-0123';
const LOCAL = `http://127.0.0.1:7421/#code=${CODE}`;
const REMOTE = `https://baton.my-tailnet.ts.net/#code=${CODE}`;

let baton: FakeBaton;
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
  baton.on('POST /api/login-codes', ({ body }, answer) =>
    answer
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify({ url: (body as { host?: string }).host === undefined ? LOCAL : REMOTE })),
  );
});
afterEach(() => baton.remove());

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');
const drawn = (stdout: string): string[] =>
  stdout
    .replace(COLOURS, '')
    .split('\n')
    .filter((line) => /^[█▀▄ ]{20,}$/.test(line));

describe('baton open', () => {
  it.each([
    ['this machine', [], LOCAL],
    ['an allowed host', ['--host', 'baton.my-tailnet.ts.net'], REMOTE],
  ])('shows on a terminal a QR code that decodes to the address, for %s', async (_where, more, address) => {
    const { stdout } = await runInHome(baton.home, ['open', ...more], { tty: true });
    expect(stdout.split('\n')[0]).toBe(address);
    expect(readQrCode(drawn(stdout))).toBe(address);
    expect(stdout).toContain('once, for 60 seconds');
    expect(stdout.includes('this machine only')).toBe(address === LOCAL);
  });

  it.each([10, 14, 25, 40, 57, 70])('draws a QR code for %i characters that can be decoded', async (length) => {
    const url = `https://b.test/#${'x'.repeat(length)}`;
    baton.answer('POST /api/login-codes', { url }, 201);
    expect(readQrCode(drawn((await runInHome(baton.home, ['open', '--qr'])).stdout))).toBe(url);
  });

  it('prints only the address for a script, --no-qr and --json', async () => {
    expect((await runInHome(baton.home, ['open'])).stdout).toBe(`${LOCAL}\n`);
    expect((await runInHome(baton.home, ['open', '--no-qr'], { tty: true })).stdout).toBe(`${LOCAL}\n`);
    const { stdout } = await runInHome(baton.home, ['open', '--json', '--qr'], { tty: true });
    expect(JSON.parse(stdout)).toEqual({ url: LOCAL });
  });

  it('prints a note instead of the code if the terminal is too narrow', async () => {
    const { stdout } = await runInHome(baton.home, ['open'], { tty: true, columns: 36 });
    expect([drawn(stdout), stdout.split('\n')[0]]).toEqual([[], LOCAL]);
    expect(stdout).toContain('too narrow');
    const wide = await runInHome(baton.home, ['open'], { tty: true, columns: 37 });
    expect(readQrCode(drawn(wide.stdout))).toBe(LOCAL);
  });
});

describe('baton agent mute', () => {
  beforeEach(() => {
    baton.answer('POST /api/agents/3/mute', anAgent({ muted: { until: null } }));
    baton.answer('POST /api/agents/3/unmute', anAgent({ muted: null }));
  });
  const mute = (...argv: string[]) => runInHome(baton.home, ['agent', 'mute', '3', ...argv]);

  it('mutes an agent, mutes it until a time, and unmutes it', async () => {
    expect((await mute()).stdout).toContain('failures are still sent');
    expect((await mute('--until', '2036-11-15T18:00:00Z')).code).toBe(0);
    expect(JSON.parse((await mute('--off', '--json')).stdout)).toMatchObject({ id: 3, muted: null });
    expect(baton.seen.map(({ url, body }) => [url, body])).toEqual([
      ['/api/agents/3/mute', {}],
      ['/api/agents/3/mute', { until: '2036-11-15T18:00:00.000Z' }],
      ['/api/agents/3/unmute', {}],
    ]);
  });

  it('refuses an invalid time without asking the server', async () => {
    for (const argv of [
      ['--until', 'soon'],
      ['--until', '25:00'],
      ['--off', '--until', '2h'],
    ])
      expect((await mute(...argv)).code).toBe(2);
    expect(baton.seen).toEqual([]);
  });

  it('reads a time of day as its next occurrence', () => {
    const now = new Date(2026, 10, 15, 17, 30);
    expect(timeAhead('18:00', now)).toEqual(new Date(2026, 10, 15, 18, 0));
    expect(timeAhead('17:30', now)).toEqual(new Date(2026, 10, 16, 17, 30));
    expect(timeAhead('90m', now)).toEqual(new Date(2026, 10, 15, 19, 0));
  });
});
