/** @typedef {import('./record-pane.mjs').Frame} Frame */

const [CELL, LINE, EDGE] = [8.4, 18, 16];
/** How long the last frame is shown before the animation repeats. */
const REST_MS = 5_000;

/** @param {string} text */
const escaped = (text) => text.replace(/[<>&]/g, (sign) => (sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : '&amp;'));

/**
 * @param {string} line
 * @param {number} row
 */
const drawLine = (line, row) =>
  line === '' ? '' : `<text x="${EDGE}" y="${EDGE + LINE * (row + 1) - 5}"${toneOf(line)}>${escaped(line)}</text>`;

/** @param {string} line */
const toneOf = (line) => (line.startsWith('$') ? ' class="p"' : /✓|completed/.test(line) ? ' class="g"' : '');

/**
 * Draws one animated SVG without a script. Each line is drawn once, and remains visible as long as it was on the
 * screen.
 *
 * @param {readonly Frame[]} frames
 * @param {{ columns: number, rows: number }} size
 */
export function draw(frames, { columns, rows }) {
  const total = (frames.at(-1)?.atMs ?? 0) + REST_MS;
  /** @type {{ row: number, line: string, from: number, to: number }[]} */
  const spans = [];
  for (const [index, { atMs, lines }] of frames.entries()) {
    const end = frames[index + 1]?.atMs ?? total;
    for (const [row, line] of lines.entries()) {
      const same = spans.find((span) => span.row === row && span.line === line && span.to === atMs);
      if (same) same.to = end;
      else if (line !== '') spans.push({ row, line, from: atMs, to: end });
    }
  }
  /** @param {number} ms */
  const share = (ms) => `${((100 * ms) / total).toFixed(2)}%`;
  const drawn = spans.map(({ row, line, from, to }, index) => {
    const text = drawLine(line, row);
    if (from === 0 && to === total) return { style: '', text };
    const shown = `${share(from)}{visibility:visible}`;
    const gone = to === total ? '' : `${share(to)}{visibility:hidden}`;
    const before = from === 0 ? '' : '0%{visibility:hidden}';
    return {
      style: `@keyframes k${index}{${before}${shown}${gone}}.k${index}{animation-name:k${index}}`,
      text: `<g class="k k${index}">${text}</g>`,
    };
  });
  const [width, height] = [columns * CELL + 2 * EDGE, (rows + 1) * LINE + 2 * EDGE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A recording of baton demo">
<style>svg{background:#15181e;border-radius:8px}text{font:14px/18px ui-monospace,Menlo,Consolas,monospace;fill:#d7dae0;white-space:pre}.p{fill:#8ab4ff}.g{fill:#7ddf9b}.k{visibility:hidden;animation:${(total / 1000).toFixed(1)}s step-end infinite}@media (prefers-reduced-motion){.k{animation-play-state:paused;animation-delay:-${((total - 100) / 1000).toFixed(1)}s}}
${drawn.map(({ style }) => style).join('')}</style>
${drawn.map(({ text }) => text).join('\n')}
</svg>
`;
}
