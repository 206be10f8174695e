import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timeAhead } from '../../../src/surfaces/cli/inbox/given-time.ts';
import { browserOpener } from '../../../src/surfaces/cli/sessions/open-browser.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { readQrCode } from './support/read-qr-code.ts';
import { anAgent } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

const CODE = 'abcdefghijklmnopqrstuvwxyz_-0123';
const LOCAL = `http://127.0.0.1:7421/#code=${CODE}`;
/** Over SSH no browser can be opened, so the address is printed. */
const REMOTE_SHELL = { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' };
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
  ])('on a terminal, `baton open` shows the address of %s as a QR code', async (_where, more, address) => {
    const { stdout } = await runInHome(baton.home, ['open', ...more], { tty: true, env: REMOTE_SHELL });
    expect(stdout.split('\n')[0]).toBe(address);
    expect(readQrCode(drawn(stdout))).toBe(address);
    expect(stdout).toContain('once, for 60 seconds');
    expect(stdout.includes('this machine only')).toBe(address === LOCAL);
  });

  it.each([10, 14, 25, 40, 57, 70])(
    'the QR code of `baton open` for a text of %i characters can be decoded',
    async (length) => {
      const url = `https://b.test/#${'x'.repeat(length)}`;
      baton.answer('POST /api/login-codes', { url }, 201);
      expect(readQrCode(drawn((await runInHome(baton.home, ['open', '--qr'])).stdout))).toBe(url);
    },
  );

  it('without a terminal, with --no-qr or with --json, `baton open` prints only the address', async () => {
    expect((await runInHome(baton.home, ['open'])).stdout).toBe(`${LOCAL}\n`);
    expect((await runInHome(baton.home, ['open', '--no-qr'], { tty: true })).stdout).toBe(`${LOCAL}\n`);
    const { stdout } = await runInHome(baton.home, ['open', '--json', '--qr'], { tty: true });
    expect(JSON.parse(stdout)).toEqual({ url: LOCAL });
  });

  it('if the terminal is too narrow for the QR code, `baton open` prints a note instead', async () => {
    const { stdout } = await runInHome(baton.home, ['open'], { tty: true, columns: 36, env: REMOTE_SHELL });
    expect([drawn(stdout), stdout.split('\n')[0]]).toEqual([[], LOCAL]);
    expect(stdout).toContain('too narrow');
    const wide = await runInHome(baton.home, ['open'], { tty: true, columns: 37, env: REMOTE_SHELL });
    expect(readQrCode(drawn(wide.stdout))).toBe(LOCAL);
  });
});

describe('baton open on a machine with a display', () => {
  /** Creates a fake browser opener on the PATH. The fake records its argument and exits with the given code. */
  function withOpener(exitCode: number): NodeJS.ProcessEnv {
    const bin = join(baton.home, 'bin');
    mkdirSync(bin);
    for (const name of ['open', 'xdg-open'])
      writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > ${baton.home}/opened\nexit ${exitCode}\n`, {
        mode: 0o755,
      });
    return { DISPLAY: ':0', PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' };
  }
  const opened = (): string => readFileSync(join(baton.home, 'opened'), 'utf8');

  it('[U5] `baton open` keeps the login code out of the arguments of the browser', async () => {
    const { code, stdout } = await runInHome(baton.home, ['open'], { tty: true, env: withOpener(0) });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Opened the page in your browser')]);
    expect(stdout).not.toContain(CODE);
    expect(opened()).toBe(join(baton.home, 'open-page.html'));
    expect(readFileSync(opened(), 'utf8')).toContain(`content="0; url=${LOCAL}"`);
    expect(statSync(opened()).mode & 0o777).toBe(0o600);
  });

  it('[U5] if the browser cannot be opened, `baton open` prints the address', async () => {
    const { stdout, stderr } = await runInHome(baton.home, ['open'], { tty: true, env: withOpener(3) });
    expect(stdout.split('\n')[0]).toBe(LOCAL);
    expect(stdout).toContain('once, for 60 seconds');
    expect(stderr).toContain('The browser could not be opened with');
  });

  it.each([['--print'], ['--no-qr'], ['--qr'], ['--json'], ['--host=baton.my-tailnet.ts.net']])(
    '[U5] with the option %s, `baton open` opens no browser',
    async (option) => {
      const { stdout } = await runInHome(baton.home, ['open', option], { tty: true, env: withOpener(0) });
      expect(stdout).toContain(CODE);
      expect(existsSync(join(baton.home, 'opened'))).toBe(false);
    },
  );

  it('[U5] if a script runs `baton open`, standard error says how long the address is valid', async () => {
    const { stdout, stderr } = await runInHome(baton.home, ['open'], { env: withOpener(0) });
    expect([stdout, stderr]).toEqual([`${LOCAL}\n`, expect.stringContaining('once, for 60 seconds')]);
  });

  it("[U5] `baton open` uses the operating system's command for opening a browser", () => {
    expect(browserOpener({}, 'darwin')).toBe('open');
    expect(browserOpener({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe('xdg-open');
    expect(browserOpener({ WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0' }, 'linux')).toBe('wslview');
    expect(browserOpener({}, 'linux')).toBeUndefined();
    expect(browserOpener({ SSH_CONNECTION: 'x', DISPLAY: ':0' }, 'linux')).toBeUndefined();
  });
});

describe('baton agent mute', () => {
  beforeEach(() => {
    baton.answer('POST /api/agents/3/mute', anAgent({ muted: { until: null } }));
    baton.answer('POST /api/agents/3/unmute', anAgent({ muted: null }));
  });
  const mute = (...argv: string[]) => runInHome(baton.home, ['agent', 'mute', '3', ...argv]);

  it('`baton agent mute` mutes an agent with or without an end time', async () => {
    expect((await mute()).stdout).toContain('failures are still sent');
    expect((await mute('--until', '2036-11-15T18:00:00Z')).code).toBe(0);
    expect(JSON.parse((await mute('--off', '--json')).stdout)).toMatchObject({ id: 3, muted: null });
    expect(baton.seen.map(({ url, body }) => [url, body])).toEqual([
      ['/api/agents/3/mute', {}],
      ['/api/agents/3/mute', { until: '2036-11-15T18:00:00.000Z' }],
      ['/api/agents/3/unmute', {}],
    ]);
  });

  it('`baton agent mute` refuses an invalid time and sends no request', async () => {
    for (const argv of [
      ['--until', 'soon'],
      ['--until', '25:00'],
      ['--off', '--until', '2h'],
    ])
      expect((await mute(...argv)).code).toBe(2);
    expect(baton.seen).toEqual([]);
  });

  it('if `baton agent mute` gets a time of day, the mute lasts until this time occurs next', () => {
    const now = new Date(2026, 10, 15, 17, 30);
    expect(timeAhead('18:00', now)).toEqual(new Date(2026, 10, 15, 18, 0));
    expect(timeAhead('17:30', now)).toEqual(new Date(2026, 10, 16, 17, 30));
    expect(timeAhead('90m', now)).toEqual(new Date(2026, 10, 15, 19, 0));
  });
});
