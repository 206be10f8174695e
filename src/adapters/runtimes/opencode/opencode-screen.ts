import type { Screen, ScreenState } from '../../../app/ports/terminal.ts';
import { isEndOf } from '../shown-draft.ts';
import { readOpencodeQuestion } from './opencode-question.ts';

/**
 * Reads opencode's screen (recorded from 1.18.33, see test/fixtures/opencode). The composer is a block of lines that
 * begin with `┃`, with a line of `▀` below. Prompts are also such blocks, but without that line. If a menu is open, the
 * cursor is outside the composer.
 */
const BOTTOM = /^( *)╹(▀{8,})/;
const BAR = '┃';
/** The column in which the composer's text begins, counted from the column of the composer's bar (`┃`). */
const INDENT = 3;
const INTERRUPT = /\besc (?:again to )?interrupt\b/;
const RETRY = /^\S{1,80} (.{0,300}) \[retrying\b.{0,100}\battempt #\d+\]/;
/** The hint that opencode shows in an empty composer on the start page. */
const PLACEHOLDER = /^(?:Ask anything|Run a command)(?:…|\.\.\.)/;
const SHELL_MODE = /^Shell\b/;
const MAX_LINE = 300;
/**
 * The text that Baton reports for a draft without any visible character. If Baton typed `/exit` after such a draft,
 * opencode would send `/exit` to the model.
 */
const BLANK = 'only spaces or empty lines';

interface Composer {
  /** The rows of the composer, each without the bar (`┃`) and everything to the left of the bar. */
  readonly rows: readonly string[];
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export function readOpencodeScreen(screen: Screen): ScreenState {
  const composer = composerIn(screen.lines);
  if (composer === undefined) return readWithoutComposer(screen);
  const footer = screen.lines
    .slice(composer.bottom + 1)
    .map((line) => line.slice(composer.left, composer.right).trim());
  if (footer.some((line) => INTERRUPT.test(line))) return working(footer);
  if (!hasCursor(screen, composer)) return { kind: 'view', text: 'a menu or another view is open (Esc closes it)' };
  const { text, isShell } = readComposer(composer);
  const isEmpty = text === '' || (PLACEHOLDER.test(text) && screen.cursorX === composer.left + INDENT);
  if (isShell) return { kind: 'draft', text: isEmpty ? '!' : `!${text}` };
  if (!isEmpty) return { kind: 'draft', text };
  return isAtBegin(screen, composer) ? { kind: 'ready' } : { kind: 'draft', text: BLANK };
}

function composerIn(lines: readonly string[]): Composer | undefined {
  const bottom = lines.findLastIndex((line) => BOTTOM.test(line));
  const [, indent = '', edge = ''] = BOTTOM.exec(lines[bottom] ?? '') ?? [];
  const left = indent.length;
  const right = left + 1 + edge.length;
  const isPart = (line: string): boolean => line[left] === BAR && !line.slice(left + 1, right + 1).includes(BAR);
  let top = bottom;
  while (top > 0 && isPart(lines[top - 1] ?? '')) top -= 1;
  // A composer has at least four rows: one for text, two margins, and one that names the model. If the block has fewer
  // rows, opencode has not drawn all of the composer yet.
  if (bottom === -1 || bottom - top < 4) return undefined;
  return { rows: lines.slice(top, bottom).map((line) => line.slice(left + 1, right)), top, bottom, left, right };
}

/**
 * Returns the text in opencode's composer, without the empty first row and the last two rows: an empty row, and the row
 * that names the agent and the model.
 */
function readComposer({ rows }: Composer): { text: string; isShell: boolean } {
  const text = rows
    .slice(1, -2)
    .map((row) => row.slice(INDENT - 1).trimEnd())
    .join('\n')
    .trim();
  return { text, isShell: SHELL_MODE.test((rows.at(-1) ?? '').trim()) };
}

/** True if no space or line break is before the cursor. The first and the last rows of the composer are margins. */
const isAtBegin = ({ cursorX, cursorY }: Screen, { top, left }: Composer): boolean =>
  cursorX === left + INDENT && cursorY === top + 1;

const hasCursor = ({ cursorX, cursorY }: Screen, { top, bottom, left, right }: Composer): boolean =>
  cursorY > top && cursorY < bottom - 2 && cursorX >= left + INDENT && cursorX <= right;

function working(footer: readonly string[]): ScreenState {
  const [retry] = footer.flatMap((line) => RETRY.exec(line)?.[1] ?? []);
  return retry === undefined ? { kind: 'busy' } : { kind: 'busy', doing: `retries: ${retry}`.slice(0, MAX_LINE) };
}

function readWithoutComposer(screen: Screen): ScreenState {
  const question = readOpencodeQuestion(screen);
  if (question !== undefined) return { kind: 'dialog', text: question.text.replaceAll('\n', ' ').slice(0, MAX_LINE) };
  const last = screen.lines.findLast((line) => line.trim() !== '')?.trim();
  return last === undefined ? { kind: 'starting' } : { kind: 'starting', text: last.slice(0, MAX_LINE) };
}

/** The composer shows a long text, or a text of three or more lines, as a chip with the number of lines. */
const CHIP = /^\[Pasted ~(\d+) lines\]$/;

export function isOurDraft(draft: string, text: string): boolean {
  const chip = CHIP.exec(draft);
  return chip === null ? isEndOf(draft, text) : Number(chip[1]) === text.trim().split('\n').length;
}

/**
 * Adds a space after a mention at the end of the text, such as `@src/parser.ts`. After a mention, the composer shows a
 * list of files, and Enter would choose from the list. The space closes the list.
 */
export const asTyped = (text: string): string => (/@\S*$/.test(text) ? `${text} ` : text);
