import { expect } from 'vitest';
import { whatLives } from './alive.ts';
import type { Watched } from './browser.ts';

/** Nothing of what is shown is more than text, and nothing has happened. `where` is told with what was found. */
export async function expectInert({ page, troubles }: Watched, where: string): Promise<void> {
  const { alive, happened } = await whatLives({ page, troubles });
  expect({ where, alive, happened }).toEqual({ where, alive: [], happened: [] });
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  expect(await page.title()).toMatch(/^(?:\(\d+\) )?Baton$/);
}
