import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { BatonProcess } from '../../support/baton-process.ts';

/** A page, and a list of everything that went wrong on the page. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Everything that went wrong on the page: uncaught errors, console errors, violations of the content security policy,
   * requests to other hosts, and pages, dialogs or downloads that were not expected.
   */
  readonly troubles: string[];
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** Opens a page in a new browser profile and logs in, as `baton open` does. */
export async function openPage(
  browser: Browser,
  baton: BatonProcess,
  { port = baton.port, ...options }: ContextOptions & { readonly port?: number } = {},
): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  // The timeout of each wait is long, because the machine may be busy.
  context.setDefaultTimeout(120_000);
  const troubles = watch(page, port);
  const { url } = (await baton.call<{ url: string }>('POST', '/api/login-codes', {})).body;
  await page.goto(url.replace(`:${baton.port}/`, `:${port}/`));
  await live(page).waitFor();
  return { page, context, troubles };
}

/**
 * Finds the status "Live", which means that the page receives events. The whole text must match, because "delivered"
 * contains "live".
 */
export const live = (page: Page): Locator => page.getByRole('status').filter({ hasText: /^Live$/ });

/** Finds the short message (toast) in which the page reports the result of a click. */
export const toast = (page: Page, words: string | RegExp): Locator =>
  page.getByRole('status').filter({ hasText: words });

function watch(page: Page, port: number): string[] {
  const troubles: string[] = [];
  const origin = `http://127.0.0.1:${port}/`;
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // Ignore failed requests, which are expected while a test restarts the server.
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
