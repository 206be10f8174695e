import { cellWidth, wrapCells } from './cells.ts';
import { cleanLines, cleanText } from './clean-text.ts';
import { type Block, type Row, row, STYLE } from './frame.ts';
import type { View } from './view.ts';

/**
 * The prompt sign: U+276F and a no-break space, exactly as Claude draws it, because Baton's screen reader searches for
 * it.
 */
const PROMPT = '❯\u00a0';
const PROMPT_WIDTH = 2;
const ROWS_AROUND = 7;

export function composerBlock(view: View, columns: number, height: number): Block {
  const rule = row('─'.repeat(columns), STYLE.dim);
  const footer = row(`  ${view.notice ?? `${view.contextPercent}% context used · /exit to leave`}`, STYLE.dim);
  if (view.composer.isEmpty) {
    const ghost = view.busy ? [] : suggestion(cleanText(view.suggestion).slice(0, columns - PROMPT_WIDTH - 1));
    const empty: Row = [{ text: PROMPT, sgr: STYLE.plain }, ...ghost];
    return { rows: [rule, empty, rule, footer], cursor: { x: PROMPT_WIDTH, y: 1, visible: true } };
  }
  // Leave one cell free, so that the cursor always fits after the last character.
  const width = Math.max(1, columns - PROMPT_WIDTH - 1);
  const all = cleanLines(view.composer.shown).flatMap((line) => wrapCells(line, width));
  const shown = all.slice(-Math.max(1, height - ROWS_AROUND));
  const rows = shown.map((text, index) => row(`${index === 0 ? PROMPT : '  '}${text}`));
  const end = { x: PROMPT_WIDTH + cellWidth(shown.at(-1) ?? ''), y: rows.length };
  const at = view.composer.isAtStart ? { x: PROMPT_WIDTH, y: 1 } : end;
  return { rows: [rule, ...rows, rule, footer], cursor: { ...at, visible: true } };
}

/**
 * Draws a suggestion in the composer: the first letter reversed, all other letters dim, the cursor before the first
 * letter.
 */
function suggestion(text: string): Row {
  const [first, ...rest] = [...text];
  if (first === undefined) return [];
  return [
    { text: first, sgr: STYLE.reverse },
    { text: rest.join(''), sgr: STYLE.dim },
  ];
}
