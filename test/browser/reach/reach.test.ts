import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { live } from '../support/browser.ts';
import { forwardBytes, proxyWithTls, type StandIn } from '../support/stand-ins.ts';

const NAME = 'baton.example.test';
const FOREIGN = 'evil.example.test';
const PHONE = { width: 390, height: 844 };

/**
 * Tests access from a phone or another machine through the operator's own tunnel or proxy (docs/REACH.md). A fake
 * replaces the tunnel and the proxy.
 */
describe('remote access to Baton', () => {
  const baton = new BatonProcess({ allowed_hosts: [NAME], notifications: { os: false } });
  let tunnel: StandIn;
  let proxy: StandIn;
  let browser: Browser;
  beforeAll(async () => {
    await baton.start();
    tunnel = await forwardBytes(baton.port);
    proxy = await proxyWithTls(baton.port);
    const names = [
      `MAP localhost 127.0.0.1:${tunnel.port}`,
      ...[NAME, FOREIGN].map((name) => `MAP ${name} 127.0.0.1:${proxy.port}`),
    ];
    browser = await launchChromium([`--host-resolver-rules=${names.join(',')}`]);
  });
  afterAll(async () => {
    await browser?.close();
    tunnel?.close();
    proxy?.close();
    await baton.cleanUp();
  });

  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: PHONE, reducedMotion: 'reduce' });
    context.setDefaultTimeout(120_000);
    return context.newPage();
  };
  const loginAddress = async (...more: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [PROGRAM, 'open', '--json', ...more], {
      ...process.env,
      BATON_HOME: baton.home,
    });
    return (JSON.parse(stdout) as { url: string }).url;
  };
  const isLive = (page: Page): Promise<void> => live(page).waitFor();

  it('[T6] the page works through an SSH tunnel (here a stand-in that forwards bytes unchanged)', async () => {
    const page = await newPage();
    await page.goto((await loginAddress()).replace('127.0.0.1', 'localhost'));
    await isLive(page);
    const agent = await baton.agent();
    await page
      .getByRole('article', { name: new RegExp(`agent ${agent.id}$`) })
      .getByText('Idle', { exact: true })
      .waitFor();
    await page.context().close();
  });

  it('[T6] the page works through a TLS proxy (a stand-in for Caddy and tailscale serve)', async () => {
    const page = await newPage();
    const address = await loginAddress('--host', NAME);
    expect(address).toMatch(/^https:\/\/baton\.example\.test\/#code=/);
    await page.goto(address);
    await isLive(page);
    const agent = await baton.agent({ persona: false });
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByText('Idle', { exact: true }).waitFor();
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    await card.getByRole('button', { name: /^1 / }).first().waitFor();
    await page.getByRole('button', { name: new RegExp(`^More actions for .*agent ${agent.id}$`) }).click();
    await page.getByRole('menuitem', { name: 'Mute for an hour' }).click();
    await card.getByText('Muted', { exact: true }).waitFor();
    expect((await baton.get<Agent>(`/api/agents/${agent.id}`)).muted?.until).toEqual(expect.any(String));
    await card.getByRole('button', { name: /^1 / }).first().click();
    await baton.event(
      ({ type, agent_id, data }) => type === 'answer_verdict' && agent_id === agent.id && data.verdict === 'accepted',
    );

    const again = await newPage();
    await again.goto(address);
    await again.getByText(/no longer valid/).waitFor();
    await again.context().close();
    await page.context().close();
  });

  it('[T2] the page is refused if the request names a host that is not allowed', async () => {
    const page = await newPage();
    const answer = await page.goto(`https://${FOREIGN}/`);
    expect([answer?.status(), await page.locator('main').count()]).toEqual([403, 0]);
    const asked = await page.evaluate(async (name) => {
      const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' };
      return fetch(`https://${name}/api/login`, options).then(
        ({ status }) => String(status),
        () => 'refused by the browser',
      );
    }, NAME);
    expect(asked).toBe('refused by the browser');
    await page.context().close();
  });
});
