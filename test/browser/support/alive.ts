import type { Page } from 'playwright-core';
import { live, type Watched } from './browser.ts';

/** Makes the page log an error for each action that only hostile text can trigger, such as opening a window. */
export async function plantCanaries({ page, context }: Watched): Promise<void> {
  await context.addInitScript(() => {
    // Report through console errors, because the test helper `openPage` collects all console errors in the list
    // `troubles`.
    const tell =
      (what: string) =>
      (...given: unknown[]): void =>
        console.error(`canary: ${what}`, ...given);
    Object.defineProperty(window, 'pwned', { get: () => tell('pwned'), set: tell('pwned was set') });
    const overwrite = (owner: object, name: string): void => {
      Object.defineProperty(owner, name, { value: tell(name) });
    };
    overwrite(Clipboard.prototype, 'write');
    overwrite(Clipboard.prototype, 'writeText');
    overwrite(Document.prototype, 'execCommand');
    overwrite(Navigator.prototype, 'sendBeacon');
    overwrite(window, 'open');
  });
  await page.reload();
  await live(page).waitFor();
}

/** Returns everything on the page that can come only from hostile text, and all errors since the previous call. */
export async function whatLives({ page, troubles }: Pick<Watched, 'page' | 'troubles'>): Promise<{
  readonly alive: readonly string[];
  readonly happened: readonly string[];
}> {
  const alive = await page.evaluate(findAlive);
  // Empty the list of errors, so that the next call does not return them again.
  return { alive, happened: troubles.splice(0) };
}

/**
 * Finds elements and attributes that Baton's page never renders, so they must come from hostile text. Runs in the page.
 */
function findAlive(): string[] {
  const ALIVE =
    'script, iframe, frame, frameset, object, embed, applet, portal, base, meta, link, style, template, video, audio, ' +
    'source, track, picture, math, area, map, marquee, output, keygen, title, [srcdoc], [ping], [formaction], ' +
    'form[action], [id*=pwned], [name*=pwned], main img, a[target=_top]';
  const OURS_IN_SVG = ['svg', 'path', 'circle', 'rect', 'line', 'g', 'polyline'];
  const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
  const told = (element: Element): string => element.outerHTML.slice(0, 200);
  const found: string[] = [...document.body.querySelectorAll(ALIVE)].map((each) => `alive: ${told(each)}`);
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg') && !OURS_IN_SVG.includes(element.localName)) found.push(`in svg: ${told(element)}`);
    if (element.localName.includes('-')) found.push(`custom: ${told(element)}`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(`handler: ${told(element)}`);
      if (name === 'style' && /url\(|expression|@import/i.test(value)) found.push(`style: ${told(element)}`);
      if (['title', 'aria-label', 'placeholder', 'alt'].includes(name) && INVISIBLE.test(value))
        found.push(`invisible character in ${name}: ${told(element)}`);
    }
  }
  for (const link of document.body.querySelectorAll('a')) {
    if (!['http:', 'https:', 'mailto:'].includes(link.protocol)) found.push(`link: ${told(link)}`);
    if (!/^(?:https?:\/\/|mailto:|\/?#)/.test(link.getAttribute('href') ?? '#')) found.push(`address: ${told(link)}`);
  }
  // Text fields are not checked. In a terminal view, zero-width characters are harmless, because every column has a
  // fixed width, but characters that reorder text are forbidden. Everywhere else, both are forbidden.
  const REORDERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_C}]/u;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (
      node.parentElement?.localName !== 'textarea' &&
      (node.parentElement?.closest('.terminal') ? REORDERS : INVISIBLE).test(node.textContent ?? '')
    )
      found.push(`invisible character in the text of ${node.parentElement?.outerHTML.slice(0, 200)}`);
  if ('pwned' in Object.prototype) found.push('the prototype of all objects has changed');
  return [...new Set(found)].slice(0, 20);
}

interface Router {
  readonly state: { readonly status: string; readonly resolvedLocation?: { readonly href: string } };
}

/**
 * Opens a page of the app and waits until the router shows the new page. Until the code of the new page has loaded, the
 * previous page stays visible, and a locator would find elements of the previous page.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#${to}`;
  }, path);
  await page.waitForFunction((to) => {
    const { status, resolvedLocation } = (window as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.state;
    return status === 'idle' && resolvedLocation?.href === to;
  }, path);
  await page.locator('main h1').waitFor();
  await page.locator('main [data-loading]').first().waitFor({ state: 'detached' });
}
