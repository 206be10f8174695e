import type { Screen, ScreenQuestion } from '../../../app/ports/terminal.ts';

/**
 * Reads Claude Code's dialogs (recorded from 2.1.325). Pressing a digit chooses an option at once in three kinds of
 * dialogs: in permission dialogs, in dialogs of the tool AskUserQuestion, and in the dialog that asks about background
 * work when the client exits. The operator must answer all other dialogs in the terminal.
 */
const CHOICE = /^(?: {1,6}❯ \S|❯ \d+\. \S)/;
const DIALOG_TOP = /^(?:─{8,}|▔{8,})/;
const MENU_TOP = /^▔{8,}/;
/** An arrow in place of an option's indentation means that there are more options above or below. */
const SCROLLS = /^ {0,6}[↑↓] (?:\d+\. )?\S/;
/** Matches the top edge of a dialog's box. The startup banner does not match, because its top edge contains a title. */
const BOX_TOP = /^╭─+╮$/;
const BOX_ROW = /^│(.*)│$/;
const BOX_BOTTOM = /^╰─+╯$/;
const KEYS = /\bEsc to [a-z]+/;
const LEAVING = /^ *Background work is running$/m;
const STOP_ALL = /^Exit and stop tasks\b/;
const KEEP_ALL = /^Move to background and exit\b/;
const DECORATION = /^[\s─╌▔]*$/;
/** Matches the footer of a dialog in which a digit is known to choose an option. */
const FOOTER = /^ ?(?:Esc to cancel|Enter to select)\b/;
/** Matches the tab bar of a dialog that asks several questions, with one tab for each question. */
const TABS = /^ ?←? {0,2}[☐☒✔] /;
const TICKED = /^\[[ ✔✓x]\] /;
const OWN_WORDS = /^Type something\.?$/;
/**
 * Matches an API key. A dialog shows a key in a short form: `sk-ant-...` and the last twenty characters. Baton redacts
 * the short form too, because the text of dialogs is logged.
 */
const KEY = /\bsk-[\w.-]+/g;
const MAX_TEXT = 600;
const MAX_LABEL = 160;

export function readClaudeQuestion(screen: Screen): ScreenQuestion | undefined {
  const lines = withoutBox(screen.lines);
  const choice = lines.findLastIndex((line) => CHOICE.test(line));
  if (choice === -1) return withoutOptions(lines);
  const marked = lines.with(choice, (lines[choice] ?? '').replace('❯', ' '));
  const rows = optionRows(marked, choice);
  const first = rows[0]?.at ?? choice;
  const top = marked.findLastIndex((line, index) => index < first && DIALOG_TOP.test(line));
  const highlighted = rows.find(({ at }) => at === choice)?.number ?? null;
  // A sent prompt also begins with `❯` in the first column, but unlike a dialog it does not say which keys to press.
  const opened = marked.slice(top + 1, first).join('\n');
  const isLeaving = rows.length > 0 && LEAVING.test(opened);
  const takesDigits = rows.length > 0 && (isLeaving || marked.slice(choice + 1).some((line) => FOOTER.test(line)));
  if (lines[choice]?.startsWith('❯') && !takesDigits) return undefined;
  const labels = rows.map(({ at, number, column }) => ({ number, label: labelAt(marked, at, column) }));
  // The dialog that asks about background work when the client exits ends with a line about keys. If this line is
  // missing, the window is too small, and the last options are below the screen.
  const isOpenBelow = isLeaving && !marked.slice(choice + 1).some((line) => KEYS.test(line));
  const isCut = top === -1 || isOpenBelow || marked.slice(top + 1).some((line) => SCROLLS.test(line));
  const isMenu = MENU_TOP.test(marked[top] ?? '') && !isLeaving;
  const chooses = takesDigits && !isCut && !isMenu && !labels.some(({ label }) => TICKED.test(label));
  const end = rows.at(-1)?.at ?? lines.length;
  const unnumbered = rows.length === 0 ? optionsAround(marked, choice) : [];
  const said = marked
    .slice(top + 1, unnumbered[0]?.at ?? first)
    .filter((line) => !DECORATION.test(line) && !TABS.test(line))
    .map((line) => line.trim());
  const numberOf = (label: RegExp): number => labels.find((each) => label.test(each.label))?.number ?? 0;
  const leaving = { stop: numberOf(STOP_ALL), keep: numberOf(KEEP_ALL) };
  return {
    text: [...said, ...unnumbered.map(({ label }) => `· ${label}`)]
      .join('\n')
      .replace(KEY, '(a key)')
      .slice(0, MAX_TEXT),
    options: chooses ? labels.filter(({ number }) => number <= 9).map(bounded) : [],
    textOption: (chooses ? labels.find(({ label }) => OWN_WORDS.test(label))?.number : undefined) ?? null,
    ...(isMenu ? { isMenu } : {}),
    ...(isCut ? { isCut } : {}),
    ...(isLeaving && chooses && leaving.stop > 0 && leaving.keep > 0 ? { leaving } : {}),
    highlighted,
    fingerprint: marked
      .slice(top + 1, end + 1)
      .map((line) => line.trimEnd())
      .join('\n'),
  };
}

/**
 * Claude Code 2.0 draws the questions at its start in a box. The upper edge of the box counts as the horizontal line
 * above the dialog.
 */
function withoutBox(lines: readonly string[]): readonly string[] {
  const top = lines.findLastIndex((line) => BOX_TOP.test(line));
  const bottom = lines.findIndex((line, index) => index > top && BOX_BOTTOM.test(line));
  if (top === -1 || bottom === -1) return lines;
  const inside = lines.slice(top + 1, bottom).map((line) => (BOX_ROW.exec(line)?.[1] ?? line).trimEnd());
  return [...lines.slice(0, top), '─'.repeat(8), ...inside, '', ...lines.slice(bottom + 1)];
}

/** Reads a dialog without a marked option. The last line of such a dialog says which keys it accepts. */
function withoutOptions(lines: readonly string[]): ScreenQuestion | undefined {
  const end = lines.findLastIndex((line) => line.trim() !== '');
  if (!KEYS.test(lines[end] ?? '')) return undefined;
  const top = lines.findLastIndex((line) => DIALOG_TOP.test(line));
  const shown = lines.slice(top + 1, end).filter((line) => !DECORATION.test(line));
  return {
    text: shown
      .map((line) => line.trim())
      .join('\n')
      .replace(KEY, '(a key)')
      .slice(0, MAX_TEXT),
    options: [],
    textOption: null,
    ...(MENU_TOP.test(lines[top] ?? '') ? { isMenu: true } : {}),
    ...(top === -1 ? { isCut: true } : {}),
    highlighted: null,
    fingerprint: shown.map((line) => line.trimEnd()).join('\n'),
  };
}

/**
 * Finds the options of a dialog without numbers: the marked row, and the rows above and below it up to the first row
 * that begins in another column.
 */
function optionsAround(lines: readonly string[], choice: number): readonly { at: number; label: string }[] {
  const column = /^ +/.exec(lines[choice] ?? '')?.[0].length ?? 0;
  const isRow = (at: number): boolean => (lines[at] ?? '').search(/\S/) === column;
  let from = choice;
  let to = choice;
  while (isRow(from - 1)) from -= 1;
  while (isRow(to + 1)) to += 1;
  return lines.slice(from, to + 1).map((line, index) => ({ at: from + index, label: line.trim() }));
}

interface OptionRow {
  readonly at: number;
  readonly number: number;
  /**
   * The column of the option's number. All options of a dialog share this column, so a numbered list in the dialog's
   * text does not count as options.
   */
  readonly column: number;
}

/**
 * Collects all options of the dialog, from the marked option up to the first and down to the last. Descriptions and
 * horizontal lines may be between the options.
 */
function optionRows(lines: readonly string[], choice: number): readonly OptionRow[] {
  const marked = optionAt(lines, choice);
  if (marked === undefined) return [];
  const rows = [marked];
  const isNext = (row: OptionRow | undefined, number: number): row is OptionRow =>
    row !== undefined && row.number === number && row.column === marked.column;
  for (let at = choice - 1; at >= 0 && (rows[0]?.number ?? 1) > 1; at -= 1) {
    const row = optionAt(lines, at);
    if (isNext(row, (rows[0]?.number ?? 0) - 1)) rows.unshift(row);
  }
  for (let at = choice + 1; at < lines.length && !FOOTER.test(lines[at] ?? ''); at += 1) {
    const row = optionAt(lines, at);
    if (isNext(row, (rows.at(-1)?.number ?? 0) + 1)) rows.push(row);
  }
  return rows[0]?.number === 1 ? rows : [];
}

function optionAt(lines: readonly string[], at: number): OptionRow | undefined {
  const [, blanks, number] = /^( +)(\d{1,2})\. \S/.exec(lines[at] ?? '') ?? [];
  return blanks === undefined ? undefined : { at, number: Number(number), column: blanks.length };
}

/** Returns the label of an option, joined with the description or continuation in the rows below the label. */
function labelAt(lines: readonly string[], at: number, column: number): string {
  const own = (lines[at] ?? '').trim().replace(/^\d+\. /, '');
  const indent = ' '.repeat(column + 2);
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !line.startsWith(indent) || DECORATION.test(line));
  return [own, ...below.slice(0, end === -1 ? undefined : end).map((line) => line.trim())].join(' · ');
}

const bounded = ({ number, label }: { number: number; label: string }) => ({
  number,
  label: label.replace(KEY, '(a key)').slice(0, MAX_LABEL),
});
