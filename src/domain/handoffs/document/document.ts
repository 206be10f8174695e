import { after, type Instant } from '../../instant.ts';

/** Baton does not read a larger file into memory, because it is no handoff document. */
export const MAX_DOCUMENT_BYTES = 1_048_576;

/** Returns `data/personas/{slug}/handoffs/{YYYYMMDDTHHmmss}-{agent-8digit}.md`, relative to Baton's home, in UTC. */
function documentPath(slug: string, at: Instant, uuid8: string): string {
  const stamp = at.slice(0, 19).replace(/[-:]/g, '');
  return `data/personas/${slug}/handoffs/${stamp}-${uuid8}.md`;
}

/**
 * Returns the first free path, so that no document is overwritten. The time in the path grows by one second per try.
 */
export function freeDocumentPath(slug: string, at: Instant, uuid8: string, taken: (path: string) => boolean): string {
  for (let second = 0; ; second++) {
    const path = documentPath(slug, after(at, second * 1000), uuid8);
    if (!taken(path)) return path;
  }
}

export const endMarker = (token: string): string => `<!-- handoff-end:${token} -->`;

/** The marker must be the last text, because a marker quoted in the middle does not prove a complete document. */
export const endsWithMarker = (text: string, token: string): boolean => text.trimEnd().endsWith(endMarker(token));
