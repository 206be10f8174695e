import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The serious and critical findings of axe, one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate('axe.run().then((result) => result.violations)')) as Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`));
}

/** How far the page scrolls sideways, in pixels; 0 on a page that fits a phone. */
export const tooWide = async (page: Page): Promise<number> =>
  Math.max(0, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
