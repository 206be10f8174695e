import { expect } from 'vitest';
import { whatLives } from './alive.ts';
import type { Watched } from './browser.ts';

/**
 * Expects that the page shows only plain text and that no error occurred. On failure, the message contains `where`,
 * which says what the page showed.
 */
export async function expectInert({ page, troubles }: Watched, where: string): Promise<void> {
  const { alive, happened } = await whatLives({ page, troubles });
  expect({ where, alive, happened }).toEqual({ where, alive: [], happened: [] });
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  expect(await page.title()).toMatch(/^(?:\(\d+\) )?Baton$/);
}
