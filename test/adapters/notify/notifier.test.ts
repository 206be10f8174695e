import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNotifier, type NotifierOptions } from '../../../src/adapters/notify/create-notifier.ts';
import { plainNotification } from '../../../src/adapters/notify/plain-notification.ts';
import type { Notification } from '../../../src/app/ports/notifier.ts';

const MESSAGE: Notification = {
  title: 'Run 7 halted',
  body: 'Agent 1 wrote no document.\nLook at it.',
  urgency: 'critical',
};

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'btn-')));
  mkdirSync(join(folder, 'bin'));
});

/** A fake program that records its arguments, each terminated by NUL, and its environment. */
function fakeProgram(name: string, then = ''): void {
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" > '${folder}/argv'\nenv > '${folder}/env'\npwd > '${folder}/cwd'\n${then}\n`;
  writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 });
}
const argv = (): string[] => readFileSync(join(folder, 'argv'), 'utf8').split('\0').slice(0, -1);
const only = (channel: Partial<ReturnType<NotifierOptions['channels']>>): Pick<NotifierOptions, 'channels'> => ({
  channels: () => ({ os: false, ntfy: null, webhook: null, ...channel }),
});
const desktop = (over: Partial<NotifierOptions> = {}): NotifierOptions => ({
  ...only({ os: true }),
  platform: 'linux',
  env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, DISPLAY: ':0', BATON_TOKEN: 'secret' },
  ...over,
});
const send = (options: NotifierOptions, message = MESSAGE) => createNotifier(options).send(message);

/** Texts that could be run as a command, end the quoting, or be read as an option, markup or an escape sequence. */
const NASTY = '-e "$(touch x)" `id` \' ; <b>&amp;</b> \\033[31m %s " & (do shell script "id")';

describe('the notifier on a Linux desktop (fake notify-send)', () => {
  it("passes the text as arguments, from a neutral folder, without Baton's environment", async () => {
    fakeProgram('notify-send');
    expect(await send(desktop())).toEqual([{ channel: 'os', outcome: 'sent' }]);
    expect(argv()).toEqual(['--app-name=Baton', '--urgency=critical', '--', MESSAGE.title, MESSAGE.body]);
    expect(readFileSync(join(folder, 'env'), 'utf8')).not.toContain('secret');
    expect(readFileSync(join(folder, 'cwd'), 'utf8').trim()).toBe('/');
  });

  it('neutralizes markup, escapes and options', async () => {
    fakeProgram('notify-send');
    await send(desktop(), { title: NASTY, body: NASTY, urgency: 'low' });
    const [, urgency, dashes, title, body] = argv();
    expect([urgency, dashes, title]).toEqual(['--urgency=low', '--', NASTY]);
    expect(body).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt; \\\\033[31m %s');
  });

  it('is unavailable without notify-send, without a desktop session, and on other systems', async () => {
    const bare = desktop({ env: { PATH: join(folder, 'bin'), DISPLAY: ':0' } });
    expect(await send(bare)).toMatchObject(
      [{ outcome: 'unavailable', sentence: /notify-send was not found/ }].map(loosely),
    );
    fakeProgram('notify-send');
    const headless = desktop({ env: { PATH: join(folder, 'bin') } });
    expect(await send(headless)).toMatchObject(
      [{ outcome: 'unavailable', sentence: /outside a desktop/ }].map(loosely),
    );
    expect(await send(desktop({ platform: 'aix' }))).toMatchObject([{ outcome: 'unavailable' }]);
  });

  it('fails with the sanitized output of notify-send, or after a timeout', async () => {
    fakeProgram('notify-send', "printf 'no \\033[31mbus\\nmore\\n' >&2; exit 1");
    expect(await send(desktop())).toEqual([
      { channel: 'os', outcome: 'failed', sentence: 'notify-send could not show the notification: no [31mbus' },
    ]);
    fakeProgram('notify-send', 'exec tail -f /dev/null');
    expect(await send(desktop({ timeoutMs: 400 }))).toEqual([
      { channel: 'os', outcome: 'failed', sentence: 'notify-send did not finish within 0.4 seconds.' },
    ]);
  });
});

const loosely = ({ outcome, sentence }: { outcome: string; sentence: RegExp }) => ({
  outcome,
  sentence: expect.stringMatching(sentence),
});

describe('the notifier on macOS (fake osascript, which proves the arguments but not what macOS does with them)', () => {
  it('uses a constant script and passes the text only as an argument', async () => {
    fakeProgram('osascript');
    expect(await send(desktop({ platform: 'darwin' }), { title: NASTY, body: NASTY, urgency: 'normal' })).toEqual([
      { channel: 'os', outcome: 'sent' },
    ]);
    expect(argv()).toEqual([
      '-e',
      'on run argv',
      '-e',
      'display notification (item 3 of argv) with title (item 2 of argv)',
      '-e',
      'end run',
      'baton',
      NASTY,
      NASTY,
    ]);
  });
});

describe('the notifier over the web (a server on loopback)', () => {
  interface Got {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }
  let server: Server;
  let got: Got[] = [];
  let answer: (response: ServerResponse) => void = (response) => response.end('ok');
  let base = '';
  beforeEach(async () => {
    got = [];
    answer = (response) => response.end('ok');
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        got.push({ method, url, headers, body: Buffer.concat(parts).toString() });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  it('reads the address for each notification, since the operator may have changed it', async () => {
    let webhook: string | null = null;
    const notifier = createNotifier({ channels: () => ({ os: false, ntfy: null, webhook }), env: {} });
    expect(await notifier.send(MESSAGE)).toEqual([]);
    webhook = `${base}/hook`;
    expect(await notifier.send(MESSAGE)).toEqual([{ channel: 'webhook', outcome: 'sent' }]);
  });

  const web = ({
    timeoutMs = 5_000,
    ...channel
  }: {
    timeoutMs?: number;
    ntfy?: string;
    webhook?: string;
  }): NotifierOptions => ({ ...only(channel), env: {}, timeoutMs });

  it('sends ntfy the text, with title and priority', async () => {
    expect(await send(web({ ntfy: `${base}/topic` }))).toEqual([{ channel: 'ntfy', outcome: 'sent' }]);
    expect(got).toMatchObject([
      { method: 'POST', url: '/topic', body: MESSAGE.body, headers: { title: MESSAGE.title, priority: '5' } },
    ]);
    await send(web({ ntfy: `${base}/topic` }), { title: 'Übergabe\r\nX-Evil: 1', body: 'für Con', urgency: 'low' });
    expect(got[1]?.headers).toMatchObject({ priority: '2' });
    expect(got[1]?.headers).not.toHaveProperty('x-evil');
    const encoded = /^=\?UTF-8\?B\?(.*)\?=$/.exec(String(got[1]?.headers.title))?.[1] ?? '';
    expect(Buffer.from(encoded, 'base64').toString()).toBe('Übergabe X-Evil: 1');
    expect(got[1]?.body).toBe('für Con');
  });

  it('sends JSON to the webhook', async () => {
    expect(await send(web({ webhook: `${base}/hook?key=1` }))).toEqual([{ channel: 'webhook', outcome: 'sent' }]);
    expect(got[0]?.headers['content-type']).toBe('application/json');
    expect(got[0]?.url).toBe('/hook?key=1');
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ source: 'baton', ...MESSAGE });
  });

  it('does not follow a redirect', async () => {
    answer = (response) => response.writeHead(307, { location: `${base}/elsewhere` }).end();
    expect(await send(web({ webhook: `${base}/hook` }))).toMatchObject([{ outcome: 'failed' }]);
    expect(got.map(({ url }) => url)).toEqual(['/hook']);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['answers 500', (response) => response.writeHead(500).end('s3cr3t'), /it answered 500\.$/],
    ['never answers', () => undefined, /it did not answer within 0\.4 seconds\.$/],
    ['closes the connection', (response) => response.destroy(), /it cannot be reached/],
  ])('reports a failure without the address if the server %s', async (_what, behave, sentence) => {
    answer = behave;
    const outcomes = await send(web({ webhook: `${base}/s3cr3t?k=s3cr3t`, ntfy: `${base}/s3cr3t`, timeoutMs: 400 }));
    expect(outcomes).toMatchObject([
      { channel: 'ntfy', outcome: 'failed' },
      { channel: 'webhook', outcome: 'failed' },
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ sentence: expect.stringMatching(sentence) });
    expect(JSON.stringify(outcomes)).not.toContain('s3cr3t');
  });

  it('does not wait for the end of an answer', async () => {
    answer = (response) => {
      response.writeHead(200);
      response.write('more');
    };
    expect(await send(web({ webhook: `${base}/hook` }))).toEqual([{ channel: 'webhook', outcome: 'sent' }]);
  });

  it('sends to the other channels if one channel fails', async () => {
    fakeProgram('notify-send');
    server.close();
    const outcomes = await send({
      ...desktop(),
      ...only({ os: true, ntfy: 'http://127.0.0.1:1/topic', webhook: `${base}/hook` }),
    });
    expect(outcomes.map(({ channel, outcome }) => `${channel} ${outcome}`)).toContain('os sent');
    expect(outcomes.map(({ channel, outcome }) => `${channel} ${outcome}`)).toContain('ntfy failed');
  });

  it('sends no notification without a channel', async () => {
    expect(await send(web({}))).toEqual([]);
  });
});

describe('the text of a notification', () => {
  it('contains no invisible characters, is bounded, and always has a title', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        (title, body) => {
          const plain = plainNotification({ title, body, urgency: 'normal' });
          expect(plain.title).not.toBe('');
          expect([...plain.title].length).toBeLessThanOrEqual(120);
          expect([...plain.body].length).toBeLessThanOrEqual(1_000);
          expect(plain.title + plain.body).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\u2028-\u202e]/u);
          expect(plain.title).not.toContain('\n');
        },
      ),
    );
    expect(plainNotification({ title: ' \u001b ', body: 'a\u0007b\u202ec\nd', urgency: 'low' })).toEqual({
      title: 'Baton',
      body: 'abc\nd',
      urgency: 'low',
    });
  });
});
