import type { Page } from '../../../app/ports/store.ts';
import { MAX_PAGE } from './route.ts';

/**
 * The part of a list that a request asks for. `oneMore` is the same part and one further row. The further row tells the
 * server whether another page follows.
 */
export interface RequestedPage extends Page {
  readonly oneMore: Page;
}

const USUAL_PAGE = 100;

const idIn = (text: string | null): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;

/** Reads `?limit=` and `?before=`. Values that are not whole numbers above 0 count as absent. */
export function pageIn(query: URLSearchParams, usual = USUAL_PAGE): RequestedPage {
  const limit = Math.min(idIn(query.get('limit')) ?? usual, MAX_PAGE);
  const before = idIn(query.get('before'));
  return { limit, before, oneMore: { limit: limit + 1, before } };
}

/**
 * Returns the rows of the first page. `next` is the value of `?before=` for the next page; null if there is no next
 * page.
 */
export function cutAt<T extends { readonly id: number }>(
  newestFirst: readonly T[],
  { limit }: Page,
): { readonly rows: readonly T[]; readonly next: number | null } {
  const rows = newestFirst.slice(0, limit);
  return { rows, next: newestFirst.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
