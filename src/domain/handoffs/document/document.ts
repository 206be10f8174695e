import { after, type Instant } from '../../instant.ts';

/** Larger files are not handoffs; they are accidents, and nobody wants them in memory. */
export const MAX_DOCUMENT_BYTES = 1_048_576;

/** `data/personas/{slug}/handoffs/{YYYYMMDDTHHmmss}-{agent-8digit}.md`, relative to Baton's home, in UTC. */
function documentPath(slug: string, at: Instant, uuid8: string): string {
  const stamp = at.slice(0, 19).replace(/[-:]/g, '');
  return `data/personas/${slug}/handoffs/${stamp}-${uuid8}.md`;
}

/** The first free path, a second later for each one that is taken: a document is never written over. */
export function freeDocumentPath(slug: string, at: Instant, uuid8: string, taken: (path: string) => boolean): string {
  for (let second = 0; ; second++) {
    const path = documentPath(slug, after(at, second * 1000), uuid8);
    if (!taken(path)) return path;
  }
}

export const endMarker = (token: string): string => `<!-- handoff-end:${token} -->`;

/** The marker counts only as the last thing in the document: quoted in the middle it proves nothing about the end. */
export const endsWithMarker = (text: string, token: string): boolean => text.trimEnd().endsWith(endMarker(token));
