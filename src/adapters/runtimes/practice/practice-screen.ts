import type { Screen, ScreenQuestion, ScreenState } from '../../../app/ports/terminal.ts';
import { countsLinesOf, isEndOf } from '../shown-draft.ts';

/**
 * Reads the practice agent's screen. Its composer begins with `❯` and a no-break space; an option of a dialog begins
 * with `❯` and a plain space.
 */
const COMPOSER = /^❯\u00a0(.*)$/;
const BUSY = /^[·✢✳✶✻✽] Working… /;
const OPTION = /^([❯ ]) (\d)\. (.*)$/;
const CHOICE = /^❯ \d\. /;
const OWN_WORDS = 'Type something.';
/** The title of the question that the practice agent asks at its exit if something runs in the background. */
const LEAVING = 'Background work is running';
const [STOP_ALL, KEEP_ALL] = ['Exit and stop tasks', 'Move to background and exit'];
const MAX_TEXT = 600;
const MAX_LABEL = 160;
const RULE = /^─{8,}/;

export function readPracticeScreen(screen: Screen): ScreenState {
  const { lines, solid = lines } = screen;
  const top = lines.findLastIndex((line) => COMPOSER.test(line));
  if (top === -1) {
    const question = readPracticeQuestion(screen);
    return question === undefined
      ? { kind: 'starting' }
      : { kind: 'dialog', text: question.text.replaceAll('\n', ' ') };
  }
  if (lines.slice(0, top).some((line) => BUSY.test(line))) return { kind: 'busy' };
  const text = composerText(solid, top);
  return text === '' ? { kind: 'ready' } : { kind: 'draft', text };
}

function composerText(lines: readonly string[], top: number): string {
  const below = lines.slice(top + 1).findIndex((line) => RULE.test(line));
  const rows = lines.slice(top, below === -1 ? undefined : top + 1 + below);
  return rows
    .map((row) => row.replace(COMPOSER, '$1').replace(/^ {2}/, ''))
    .join('')
    .trim();
}

/**
 * Reads a dialog. Pressing a digit chooses an option at once. Only the option for free text opens a field in its row.
 */
export function readPracticeQuestion({ lines }: Screen): ScreenQuestion | undefined {
  const choice = lines.findLastIndex((line) => CHOICE.test(line));
  if (choice === -1 || lines.some((line) => COMPOSER.test(line))) return undefined;
  const highlighted = Number(OPTION.exec(lines[choice] ?? '')?.[2]);
  const first = choice - highlighted + 1;
  const top = lines.findLastIndex((line, index) => index < first && RULE.test(line));
  const past = lines.findIndex((line, index) => index >= first && !OPTION.test(line));
  const options = lines.slice(first, past === -1 ? undefined : past).map((line) => OPTION.exec(line)?.[3] ?? '');
  const words = lines.slice(top + 1, first).map((line) => line.trim());
  const own = options.indexOf(OWN_WORDS);
  // If the line above the dialog is off the screen, a part of the question may also be missing. So Baton does not offer
  // to answer such a question.
  const isCut = top === -1;
  const isLeaving =
    !isCut &&
    words.some((line) => line.startsWith(LEAVING)) &&
    [STOP_ALL, KEEP_ALL].every((label) => options.includes(label));
  return {
    text: words.join('\n').slice(0, MAX_TEXT),
    options: isCut ? [] : options.map((label, index) => ({ number: index + 1, label: label.slice(0, MAX_LABEL) })),
    textOption: isCut || own === -1 ? null : own + 1,
    ...(isCut ? { isCut } : {}),
    highlighted,
    ...(isLeaving ? { leaving: { stop: options.indexOf(STOP_ALL) + 1, keep: options.indexOf(KEEP_ALL) + 1 } } : {}),
    fingerprint: JSON.stringify([words, options]),
  };
}

const CHIP = /^\[Pasted text #\d+ \+(\d+) lines\]$/;

/**
 * A long paste is shown as a chip with its number of line breaks. A short paste is shown as text, wrapped and perhaps
 * without its first lines.
 */
export function isOurDraft(draft: string, text: string): boolean {
  const chip = CHIP.exec(draft);
  return chip === null ? isEndOf(draft, text) : countsLinesOf(chip[1], text);
}
