import { after, type Instant } from '../../instant.ts';

/** A larger file is not a handoff document; Baton does not read it into memory. */
export const MAX_DOCUMENT_BYTES = 1_048_576;

/** `data/personas/{slug}/handoffs/{YYYYMMDDTHHmmss}-{agent-8digit}.md`, relative to Baton's home, in UTC. */
function documentPath(slug: string, at: Instant, uuid8: string): string {
  const stamp = at.slice(0, 19).replace(/[-:]/g, '');
  return `data/personas/${slug}/handoffs/${stamp}-${uuid8}.md`;
}

/** The first free path, one second later for each taken one, so that no document is overwritten. */
export function freeDocumentPath(slug: string, at: Instant, uuid8: string, taken: (path: string) => boolean): string {
  for (let second = 0; ; second++) {
    const path = documentPath(slug, after(at, second * 1000), uuid8);
    if (!taken(path)) return path;
  }
}

export const endMarker = (token: string): string => `<!-- handoff-end:${token} -->`;

/** The marker must be the last text of the document: a quotation in the middle does not prove that it is complete. */
export const endsWithMarker = (text: string, token: string): boolean => text.trimEnd().endsWith(endMarker(token));
