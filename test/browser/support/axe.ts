import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the serious and critical findings of axe (an accessibility checker), one line each. */
export const seriousFindings = async (page: Page): Promise<string[]> =>
  inLines((await violationsOn(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'));

/** Returns all findings of axe, including those about best practices, one line each. */
export const findings = async (page: Page): Promise<string[]> => inLines(await violationsOn(page));

async function violationsOn(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(AXE);
  return (await page.evaluate('axe.run().then((result) => result.violations)')) as Finding[];
}

const inLines = (violations: readonly Finding[]): string[] =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );

/** Returns the number of pixels by which the page is wider than the screen, or 0 if the page fits. */
export const tooWide = async (page: Page): Promise<number> =>
  Math.max(0, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
