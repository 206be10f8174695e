const MARKER = /<!--\s*handoff-end:([A-Za-z0-9_-]+)\s*-->/g;

export function endMarker(token: string): string {
  return `<!-- handoff-end:${token} -->`;
}

/** Returns the token of the last end marker, because a document may quote other markers but ends with its own. */
export function findEndToken(text: string): string | undefined {
  return [...text.matchAll(MARKER)].at(-1)?.[1];
}
