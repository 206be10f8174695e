import type { Screen, ScreenState } from '../../../app/ports/terminal.ts';

/** Reads the practice agent's screen. Its composer is `❯` and a no-break space; a dialog's choice has a plain one. */
const COMPOSER = /^❯\u00a0(.*)$/;
const BUSY = /^[·✢✳✶✻✽] Working… /;
const CHOICE = /^❯ \d\. /;
const RULE = /^─{8,}/;
const EMPTY_COMPOSER_CURSOR = 2;

export function readPracticeScreen({ lines, cursorX, cursorY }: Screen): ScreenState {
  const top = lines.findLastIndex((line) => COMPOSER.test(line));
  if (top === -1) {
    const choice = lines.findIndex((line) => CHOICE.test(line));
    return choice === -1 ? { kind: 'starting' } : { kind: 'dialog', text: dialogText(lines, choice) };
  }
  if (lines.slice(0, top).some((line) => BUSY.test(line))) return { kind: 'busy' };
  const text = composerText(lines, top);
  // A suggestion is drawn in an empty composer: its text is there, but the cursor has not moved.
  const empty = text === '' || (cursorX === EMPTY_COMPOSER_CURSOR && cursorY === top);
  return empty ? { kind: 'ready' } : { kind: 'draft', text };
}

function composerText(lines: readonly string[], top: number): string {
  const below = lines.slice(top + 1).findIndex((line) => RULE.test(line));
  const rows = lines.slice(top, below === -1 ? undefined : top + 1 + below);
  return rows
    .map((row) => row.replace(COMPOSER, '$1').replace(/^ {2}/, ''))
    .join('')
    .trim();
}

const dialogText = (lines: readonly string[], choice: number): string =>
  lines
    .slice(Math.max(0, choice - 3), choice)
    .filter((line) => !RULE.test(line))
    .join(' ')
    .trim();

const CHIP = /^\[Pasted text #\d+ \+(\d+) lines\]$/;

/** A long paste is shown as a chip with its number of line breaks; a short one as itself, wrapped and perhaps cut at the top. */
export function isOurDraft(draft: string, text: string): boolean {
  const chip = CHIP.exec(draft);
  if (chip !== null) return Number(chip[1]) === text.split('\n').length - 1;
  const bare = (value: string): string => value.replace(/\s+/g, '');
  return bare(draft) !== '' && bare(text).endsWith(bare(draft));
}
