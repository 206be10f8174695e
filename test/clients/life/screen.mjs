// What a screen of the client shows.

/** The text in the composer, lines joined; undefined if there is none. */
export function composerIn(/** @type {string} */ screen) {
  const lines = screen.split('\n');
  const first = lines.findLastIndex((line) => /^❯/.test(line));
  if (first === -1) return undefined;
  const rule = lines.findIndex((line, index) => index > first && /^[─╌]{3}/.test(line));
  const rows = lines.slice(first, rule === -1 ? first + 1 : rule);
  return rows
    .map((row) => row.replace(/^❯/, '').trim())
    .join('\n')
    .trim();
}

/** As a regular expression; the client's blanks are of several kinds. */
export const escaped = (/** @type {string} */ text) =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s');
