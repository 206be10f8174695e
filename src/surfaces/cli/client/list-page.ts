import type { Command } from 'commander';
import { idNumber } from '../command-kit.ts';
import type { Part } from '../output/ink.ts';

/** The operator's options --limit and --before, which choose one page of a long list. */
export interface ListPage {
  readonly limit?: number;
  readonly before?: number;
}

/**
 * Adds the options `--limit` and `--before` to a command that lists numbered entries. `most` is the largest number of
 * entries that the server returns.
 */
export const withPage = (command: Command, most = 1000): Command =>
  command
    .option('--limit <n>', `number of entries, at most ${most} (default: the server decides)`, idNumber)
    .option('--before <id>', 'only entries with a smaller number', idNumber);

/** Returns the path of a list, with the requested page as `limit` and `before` in the query. */
export function pagePath(path: string, { limit, before }: ListPage): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (before !== undefined) query.set('before', String(before));
  if (query.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Returns a line that says how to show older entries. Returns no line if there are no older entries. */
export const olderLine = (next: number | null | undefined): readonly (readonly Part[])[] =>
  next == null ? [] : [[`There are older entries. Show them with --before ${next}.`]];
