const MARKER = /<!--\s*handoff-end:([A-Za-z0-9_-]+)\s*-->/g;

export function endMarker(token: string): string {
  return `<!-- handoff-end:${token} -->`;
}

/** The last one counts: a document may quote a marker, but it ends with its own. */
export function findEndToken(text: string): string | undefined {
  return [...text.matchAll(MARKER)].at(-1)?.[1];
}
