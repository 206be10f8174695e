import { wrapWords } from './cells.ts';
import { cleanLines, cleanText } from './clean-text.ts';
import { type Block, row, STYLE } from './frame.ts';
import type { DialogView } from './view.ts';

/**
 * Replaces the composer, because there is nothing to type into while a dialog is open. In a small window the dialog's
 * upper part is off the screen, as with the real client.
 */
export function dialogBlock(dialog: DialogView, columns: number): Block {
  const options = dialog.options.map((label, index) => {
    const chosen = index === dialog.selected;
    return row(`${chosen ? '❯' : ' '} ${index + 1}. ${cleanText(label)}`, chosen ? STYLE.cyan : STYLE.plain);
  });
  // Indent text that is not ours, so that it cannot forge our own signs, which are in the first column.
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
