import { after, type Instant } from '../../instant.ts';

/** Maximum size of a handoff document. Baton does not read a larger file into memory. */
export const MAX_DOCUMENT_BYTES = 1_048_576;

/**
 * Returns `data/personas/{slug}/handoffs/{YYYYMMDDTHHmmss}-{agent-8digit}.md`, relative to Baton's home. The time is in
 * UTC.
 */
function documentPath(slug: string, at: Instant, uuid8: string): string {
  const stamp = at.slice(0, 19).replace(/[-:]/g, '');
  return `data/personas/${slug}/handoffs/${stamp}-${uuid8}.md`;
}

/** Returns whether Baton prepared this path for a handoff document of an agent other than `uuid8`. */
export const isDocumentOfOther = (path: string, uuid8: string): boolean => {
  const made = /\/handoffs\/\d{8}T\d{6}-([^/]+)\.md$/.exec(path);
  return made !== null && made[1] !== uuid8;
};

/**
 * Returns the first unused path, so that no document is overwritten. Each attempt adds one second to the time in the
 * path.
 */
export function freeDocumentPath(slug: string, at: Instant, uuid8: string, taken: (path: string) => boolean): string {
  for (let second = 0; ; second++) {
    const path = documentPath(slug, after(at, second * 1000), uuid8);
    if (!taken(path)) return path;
  }
}

const END_MARKER = '<!-- handoff-end:';
export const endMarker = (token: string): string => `${END_MARKER}${token} -->`;

/**
 * Returns the text of the document for people to read, without the end marker. All lines before the marker keep their
 * numbers.
 */
export function withoutEndMarker(text: string): string {
  const whole = text.trimEnd();
  const at = whole.lastIndexOf(END_MARKER);
  return at !== -1 && /^[\w-]{1,100} -->$/.test(whole.slice(at + END_MARKER.length)) ? whole.slice(0, at) : text;
}

/**
 * The end marker must be the last text of the document, because a marker quoted in the middle does not prove that the
 * document is complete.
 */
export const endsWithMarker = (text: string, token: string): boolean => text.trimEnd().endsWith(endMarker(token));
