import { wrapWords } from './cells.ts';
import { cleanLines, cleanText } from './clean-text.ts';
import { type Block, row, STYLE } from './frame.ts';
import type { DialogView } from './view.ts';

/**
 * Draws the dialog instead of the composer, because nobody can type while a dialog is open. As with the real client,
 * the upper part of the dialog is off the screen if the window is too small.
 */
export function dialogBlock(dialog: DialogView, columns: number): Block {
  const options = dialog.options.map((label, index) => {
    const chosen = index === dialog.selected;
    return row(`${chosen ? '❯' : ' '} ${index + 1}. ${cleanText(label)}`, chosen ? STYLE.cyan : STYLE.plain);
  });
  // Indent the dialog's text, which comes from outside, so that it cannot imitate the signs that the practice agent
  // draws in the first column.
  const text = cleanLines(dialog.text)
    .flatMap((line) => wrapWords(line, columns - 3))
    .map((line) => row(`  ${line}`));
  const rows = [
    row('─'.repeat(columns), STYLE.dim),
    ...text,
    row(cleanText(dialog.question), STYLE.bold),
    ...options,
    row('  Enter to confirm · Esc to cancel', STYLE.dim),
  ];
  return { rows, cursor: { x: 0, y: text.length + 2 + dialog.selected, visible: false } };
}
