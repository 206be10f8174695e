import type { Browser } from 'playwright-core';
import type { BatonProcess } from '../../../test/support/baton-process.ts';

/** A host name that resolves to 127.0.0.1, so the browser treats Baton as the server of the attacker's page. */
const EVIL = 'evil.test';

/**
 * Browser arguments for DNS rebinding. They switch off the browser's own protection, so that only Baton's protection is
 * tested.
 */
export const REBINDING: readonly string[] = [
  `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`,
  '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
];

/**
 * Attacks Baton from a page whose host name resolves to 127.0.0.1, in every way that a page can, even with the real
 * token. The requests reach the real server. The browser must have been started with REBINDING. Returns one sentence
 * for each attack that worked.
 */
export async function rebind(browser: Browser, baton: BatonProcess): Promise<string[]> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const home = `http://${EVIL}:${baton.port}/its-own-page`;
    await page.route(home, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>evil</title><body></body>' }),
    );
    const reached: number[] = [];
    page.on('response', (response) => {
      if (response.url() !== home) reached.push(response.status());
    });
    await page.goto(home);
    const got = await page.evaluate(attack, baton.token);
    // The browser navigates when a page submits a form, so wait for the response to the navigation.
    const [posted] = await Promise.all([
      page.waitForResponse((response) => response.request().isNavigationRequest()),
      page.evaluate(() => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = '/api/personas/register';
        document.body.append(form);
        form.submit();
      }),
    ]);
    const through = [...reached, posted.status()].filter((status) => status < 400);
    return [
      ...got,
      ...through.map((status) => `a rebound page was answered with ${status}`),
      // Report an error if hardly any request reached the server, because the attack then tested almost nothing.
      ...(reached.length < 5 ? [`only ${reached.length} requests of the rebound page reached Baton`] : []),
    ];
  } finally {
    await context.close();
  }
}

/** Performs the attacks. This function runs in the browser's page. */
async function attack(token: string): Promise<string[]> {
  const got: string[] = [];
  const note = (what: string) => (): void => void got.push(`a rebound page got through by ${what}`);
  const asking = [
    fetch('/api/agents').then((answer) => answer.ok && note('fetch')()),
    fetch('/api/agents', { headers: { authorization: `Bearer ${token}` } }).then(
      (answer) => answer.ok && note('fetch with the token')(),
    ),
    fetch('/', {}).then((answer) => answer.ok && note('the page shell')()),
    fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' }).then(
      (answer) => answer.status !== 403 && note('login')(),
    ),
    fetch('/api/personas/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"role":"evil","name":"page"}',
    }).then((answer) => answer.ok && note('a POST with the token')()),
    new Promise<void>((resolve) => {
      const source = new EventSource('/api/events');
      source.onopen = () => resolve(note('an event stream')());
      source.onerror = () => {
        source.close();
        resolve();
      };
    }),
    new Promise<void>((resolve) => {
      const socket = new WebSocket(`ws://${location.host}/api/events`);
      socket.onopen = () => resolve(note('a web socket')());
      socket.onerror = () => resolve();
    }),
    ...(['script', 'img', 'iframe'] as const).map(
      (kind) =>
        new Promise<void>((resolve) => {
          const element = document.createElement(kind);
          element.onload = () => resolve(kind === 'iframe' ? undefined : note(kind)());
          element.onerror = () => resolve();
          element.setAttribute('src', '/api/agents');
          document.body.append(element);
        }),
    ),
  ];
  await Promise.allSettled(asking);
  return got;
}
