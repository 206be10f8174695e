import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { BatonProcess } from '../../support/baton-process.ts';

/** A page and everything on it that should never happen. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Uncaught errors, errors on the console, refusals by the content security policy, requests to anywhere else, pages,
   * dialogs and downloads that nobody asked for.
   */
  readonly troubles: string[];
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A browser profile of its own, logged in as `baton open` would. */
export async function openPage(
  browser: Browser,
  baton: BatonProcess,
  { port = baton.port, ...options }: ContextOptions & { readonly port?: number } = {},
): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  // A bound for what never comes: the machine may be busy.
  context.setDefaultTimeout(120_000);
  const troubles = watch(page, port);
  const { url } = (await baton.call<{ url: string }>('POST', '/api/login-codes', {})).body;
  await page.goto(url.replace(`:${baton.port}/`, `:${port}/`));
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  return { page, context, troubles };
}

function watch(page: Page, port: number): string[] {
  const troubles: string[] = [];
  const origin = `http://127.0.0.1:${port}/`;
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // A server that is restarted by the test is answered with these; they are what the banner is about.
    if (/Failed to load resource/.test(message.text())) return;
    troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) troubles.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (other) => troubles.push(`popup: ${other.url()}`));
  page.on('download', (download) => troubles.push(`download: ${download.url()}`));
  return troubles;
}
