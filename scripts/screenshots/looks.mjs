/** @typedef {import('../bench/baton-server.mjs').BatonServer} BatonServer */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ name: string, dark?: boolean, width: number, height: number }} Look */

/** @type {readonly Look[]} */
export const LOOKS = [
  { name: 'light', width: 1440, height: 900 },
  { name: 'dark', dark: true, width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
];

/** @type {readonly Look[]} */
export const ALL_LOOKS = [
  ...LOOKS,
  { name: 'phone-dark', dark: true, width: 390, height: 844 },
  { name: 'narrow', width: 1280, height: 800 },
  { name: 'wide', width: 1920, height: 1080 },
  { name: 'wide-dark', dark: true, width: 1920, height: 1080 },
  // The size of a browser window of 1440 × 900 pixels at a zoom of 200 %.
  { name: 'zoom-200', width: 720, height: 450 },
];

/**
 * @param {import('playwright-core').Browser} browser
 * @param {Look} look
 */
export const openTab = async (browser, { dark, width, height }) => {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height },
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  return context.newPage();
};

/**
 * Logs the browser tab in, and waits until the page receives events from the server.
 *
 * @param {BatonServer} baton
 * @param {Page} page
 */
export async function signIn(baton, page) {
  await page.goto((await baton.call('/api/login-codes', {})).url);
  await page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor();
}

/**
 * Opens the page at this address and waits until it is complete.
 *
 * @param {Page} page
 * @param {string} path
 */
export async function visit(page, path) {
  await page.evaluate(async (to) => {
    if ((location.hash || '#/') === `#${to}`) return;
    const before = document.querySelector('main h1');
    const isSamePath = (location.hash || '#/').split('?')[0] === `#${to}`.split('?')[0];
    location.hash = `#${to}`;
    // Wait, because the previous page remains visible until the code of the next page is loaded.
    while (!isSamePath && before?.isConnected) await new Promise(requestAnimationFrame);
  }, path);
  await page.locator('main h1').waitFor();
  await settle(page);
}

/** Waits until no part of the page shows that it is loading. @param {Page} page */
export async function settle(page) {
  await page.locator('[data-loading], [data-checking], main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
