import { createHash } from 'node:crypto';
import type { Screen, ScreenQuestion } from '../../../app/ports/terminal.ts';

const BAR = /^ *┃ {0,2}(.*)$/;
/**
 * Matches the first line of a permission request, of the request's second step, or of the form for an answer in words.
 */
const TITLE = /^\s*△ (?:Permission required|Always allow|Reject permission)/;
/**
 * Matches the last line of a question. This line names the keys, and its right end is the right edge of the question.
 */
const KEYS = /\benter (?:confirm|submit|toggle)\b(?: {2}esc (?:dismiss|cancel)\b)?/;
/** An option of the `question` tool. */
const OPTION = /^(\d)\. (\S.*)$/;
const OWN_WORDS = 'Type your own answer';
/** The options of a permission request, in the order of `REPLIES` in opencode-control.ts. */
const CHOICES = ['Allow once', 'Allow always', 'Reject'];
/**
 * Matches the row of tabs that opencode shows for several questions at once. Each question has a tab and its own
 * answer.
 */
const TABS = /\btab {2}/;
const MAX_TEXT = 2_000;

/**
 * Reads an open question of opencode, which takes the place of the composer. No single key chooses an option of a
 * permission request, so Baton answers through the API of the client. A question without options can be answered only
 * in the terminal.
 */
export function readOpencodeQuestion({ lines }: Screen): ScreenQuestion | undefined {
  const end = lines.findLastIndex((line) => BAR.test(line) && KEYS.test(line));
  const keys = lines[end] ?? '';
  const found = KEYS.exec(keys);
  if (found === null) return undefined;
  // Ignore everything to the right of the question, because a sidebar may be shown there.
  const right = found.index + found[0].length;
  const barred = (at: number): string | undefined => BAR.exec((lines[at] ?? '').slice(0, right))?.[1];
  let first = end;
  while (first > 0 && barred(first - 1) !== undefined && !TITLE.test(barred(first) ?? '')) first -= 1;
  const rows = lines.slice(first, end).map((_, index) => (barred(first + index) ?? '').trim());
  const text = rows
    .filter((row) => row !== '')
    .join('\n')
    .slice(0, MAX_TEXT);
  if (text === '') return undefined;
  const fingerprint = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { text, options: optionsIn(rows, keys), textOption: null, highlighted: null, fingerprint };
}

function optionsIn(rows: readonly string[], keys: string): ScreenQuestion['options'] {
  if (CHOICES.every((label) => keys.includes(label)))
    return CHOICES.map((label, index) => ({ number: index + 1, label }));
  if (TABS.test(keys)) return [];
  return rows.flatMap((row) => {
    const [, number, label = ''] = OPTION.exec(row) ?? [];
    return number === undefined || label === OWN_WORDS ? [] : [{ number: Number(number), label }];
  });
}
