import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { live } from '../support/browser.ts';
import { SSH_SERVER, throughCaddy, throughNginx, throughSsh } from '../support/real-tunnels.ts';
import type { StandIn } from '../support/stand-ins.ts';

const NAME = 'baton.example.test';
const FOREIGN = 'evil.example.test';

/** Runs the tests of reach.test.ts through the real programs that docs/REACH.md names, if they are installed. */
describe('remote access to Baton through a real program', () => {
  const baton = new BatonProcess({ allowed_hosts: [NAME], notifications: { os: false } });
  beforeAll(() => baton.start().then(() => undefined));
  afterAll(() => baton.cleanUp());

  const through = async (tunnel: StandIn, test: (page: Page) => Promise<void>): Promise<void> => {
    let browser: Browser | undefined;
    try {
      const to = `127.0.0.1:${tunnel.port}`;
      const rules = ['localhost', NAME, FOREIGN].map((name) => `MAP ${name} ${to}`).join(',');
      browser = await launchChromium([`--host-resolver-rules=${rules}`]);
      const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
      context.setDefaultTimeout(120_000);
      await test(await context.newPage());
    } finally {
      await browser?.close();
      tunnel.close();
    }
  };
  const loginAddress = async (...more: string[]): Promise<string> => {
    const args = [PROGRAM, 'open', '--json', ...more];
    const { stdout } = await run(process.execPath, args, { ...process.env, BATON_HOME: baton.home });
    return (JSON.parse(stdout) as { url: string }).url;
  };
  /**
   * Checks that events reach the page at once. If the program buffered the event stream, the new agent would not
   * appear.
   */
  const isLive = async (page: Page): Promise<void> => {
    await live(page).waitFor();
    const agent = await baton.agent({ persona: false });
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByText('Idle', { exact: true }).waitFor();
  };
  const isGuarded = async (page: Page): Promise<void> => {
    const without = await page.evaluate(async () => (await fetch('/api/agents')).status);
    expect([without, (await page.goto(`https://${FOREIGN}/`))?.status()]).toEqual([401, 403]);
  };

  it('[T6] the page works through ssh -L, with live updates', needs('ssh', SSH_SERVER), async () => {
    await through(await throughSsh(baton.port), async (page) => {
      await page.goto((await loginAddress()).replace('127.0.0.1', 'localhost'));
      await isLive(page);
    });
  });

  it('[T2] [T6] the page works through Caddy, with live updates', needs('caddy'), async () => {
    await through(await throughCaddy(baton.port, [NAME, FOREIGN]), async (page) => {
      await page.goto(await loginAddress('--host', NAME));
      await isLive(page);
      await isGuarded(page);
    });
  });

  it('[T2] [T6] the page works through nginx, with unbuffered live updates', needs('nginx'), async () => {
    await through(await throughNginx(baton.port), async (page) => {
      await page.goto(await loginAddress('--host', NAME));
      await isLive(page);
      await isGuarded(page);
    });
  });
});
