// Functions that read the screen of Claude Code.

/**
 * Returns the text in the composer, with one line for each row of the screen. Returns undefined if no composer is
 * shown.
 */
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

/**
 * Escapes a text for use in a regular expression. A blank in the text matches every kind of blank that the client
 * draws.
 */
export const escaped = (/** @type {string} */ text) =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s');
