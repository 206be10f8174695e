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

const PAGE = 'https://baton.example.org';
const TARGET = { path: '/runs/7', itemId: 12, agentId: 1, runId: 7, packageId: null };

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
const only = (
  channel: Partial<ReturnType<NotifierOptions['channels']>>,
): Pick<NotifierOptions, 'channels' | 'pageAddress'> => ({
  channels: () => ({ os: false, ntfy: null, webhook: null, ...channel }),
  pageAddress: () => PAGE,
});
const desktop = (over: Partial<NotifierOptions> = {}): NotifierOptions => ({
  ...only({ os: true }),
  platform: 'linux',
  env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, DISPLAY: ':0', BATON_TOKEN: 'secret' },
  ...over,
});
const send = (options: NotifierOptions, message = MESSAGE) => createNotifier(options).send(message);

/**
 * A hostile text: parts of it could be run as a command, end the quoting, or be read as an option, as markup or as an
 * escape sequence.
 */
const NASTY = '-e "$(touch x)" `id` \' ; <b>&amp;</b> \\033[31m %s " & (do shell script "id")';

describe('the notifier on a Linux desktop (fake notify-send)', () => {
  it("the notifier runs notify-send without Baton's environment variables", async () => {
    fakeProgram('notify-send');
    expect(await send(desktop())).toEqual([{ channel: 'os', outcome: 'sent' }]);
    expect(argv()).toEqual([
      '--app-name=Baton',
      '--urgency=critical',
      '--',
      MESSAGE.title,
      `${MESSAGE.body}\n${PAGE}/#/inbox`,
    ]);
    expect(readFileSync(join(folder, 'env'), 'utf8')).not.toContain('secret');
    expect(readFileSync(join(folder, 'cwd'), 'utf8').trim()).toBe('/');
  });

  it('the notifier escapes markup and options in the text for notify-send', async () => {
    fakeProgram('notify-send');
    await send(desktop(), { title: NASTY, body: NASTY, urgency: 'low' });
    const [, urgency, dashes, title, body] = argv();
    expect([urgency, dashes, title]).toEqual(['--urgency=low', '--', NASTY]);
    expect(body).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt; \\\\033[31m %s');
  });

  it('desktop notifications are unavailable if notify-send or a desktop session is missing', async () => {
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

  it('the error about a failed notification contains the output of notify-send', async () => {
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

describe('the notifier on macOS (a fake osascript, which shows only the arguments)', () => {
  it('the notifier passes the text to osascript only as an argument, never as script code', async () => {
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
      `${NASTY}\n${PAGE}/#/inbox`,
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
  it('the notifier uses a changed webhook address for the next notification', async () => {
    let webhook: string | null = null;
    const notifier = createNotifier({
      channels: () => ({ os: false, ntfy: null, webhook }),
      pageAddress: () => PAGE,
      env: {},
    });
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

  it('the notifier sends the text to ntfy, with title and priority', async () => {
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

  it('the notifier sends JSON to the webhook', async () => {
    expect(await send(web({ webhook: `${base}/hook?key=1` }))).toEqual([{ channel: 'webhook', outcome: 'sent' }]);
    expect(got[0]?.headers['content-type']).toBe('application/json');
    expect(got[0]?.url).toBe('/hook?key=1');
    const none = { item_id: null, agent_id: null, run_id: null, package_id: null };
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ source: 'baton', ...MESSAGE, url: `${PAGE}/#/inbox`, ...none });
  });

  it('[D11] the notification to ntfy contains the address of the handoff, or of the inbox if the notification is about no handoff', async () => {
    await send(web({ ntfy: `${base}/topic` }), { ...MESSAGE, target: TARGET });
    const { click, actions } = got[0]?.headers ?? {};
    expect(click).toBe(`${PAGE}/#/runs/7`);
    expect(JSON.parse(String(actions))).toEqual([{ action: 'view', label: 'Open handoff 7', url: `${PAGE}/#/runs/7` }]);
    await send(web({ ntfy: `${base}/topic` }));
    expect(got[1]?.headers.click).toBe(`${PAGE}/#/inbox`);
  });

  it('[D11] the notification to the webhook contains the address of the handoff and the id of the inbox item', async () => {
    await send(web({ webhook: `${base}/hook` }), { ...MESSAGE, target: { ...TARGET, packageId: 'HO-2026-001' } });
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
      ...{ url: `${PAGE}/#/runs/7`, item_id: 12, agent_id: 1, run_id: 7, package_id: 'HO-2026-001' },
    });
  });

  it('the notifier does not follow an HTTP redirect', async () => {
    answer = (response) => response.writeHead(307, { location: `${base}/elsewhere` }).end();
    expect(await send(web({ webhook: `${base}/hook` }))).toMatchObject([{ outcome: 'failed' }]);
    expect(got.map(({ url }) => url)).toEqual(['/hook']);
  });

  it.each<[string, (response: ServerResponse) => void, number, RegExp]>([
    ['answers 500', (response) => response.writeHead(500).end('s3cr3t'), 60_000, /it answered 500\.$/],
    ['never answers', () => undefined, 400, /it did not answer within 0\.4 seconds\.$/],
    ['closes the connection', (response) => response.destroy(), 60_000, /it cannot be reached/],
  ])(
    "if the ntfy or webhook server %s, the notifier's error does not contain the server's address",
    async (_what, behave, timeoutMs, sentence) => {
      answer = behave;
      const outcomes = await send(web({ webhook: `${base}/s3cr3t?k=s3cr3t`, ntfy: `${base}/s3cr3t`, timeoutMs }));
      expect(outcomes).toMatchObject([
        { channel: 'ntfy', outcome: 'failed' },
        { channel: 'webhook', outcome: 'failed' },
      ]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ sentence: expect.stringMatching(sentence) });
      expect(JSON.stringify(outcomes)).not.toContain('s3cr3t');
    },
  );

  it('the notifier returns before the webhook server has sent its whole answer', async () => {
    answer = (response) => {
      response.writeHead(200);
      response.write('more');
    };
    expect(await send(web({ webhook: `${base}/hook` }))).toEqual([{ channel: 'webhook', outcome: 'sent' }]);
  });

  it('if one notification channel fails, the notifier still sends to the other channels', async () => {
    fakeProgram('notify-send');
    server.close();
    const outcomes = await send({
      ...desktop(),
      ...only({ os: true, ntfy: 'http://127.0.0.1:1/topic', webhook: `${base}/hook` }),
    });
    expect(outcomes.map(({ channel, outcome }) => `${channel} ${outcome}`)).toContain('os sent');
    expect(outcomes.map(({ channel, outcome }) => `${channel} ${outcome}`)).toContain('ntfy failed');
  });

  it('the notifier sends nothing if no channel is configured', async () => {
    expect(await send(web({}))).toEqual([]);
  });
});

describe('the text of a notification', () => {
  it('a notification contains no invisible characters', () => {
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
