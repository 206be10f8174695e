import type { Screen, ScreenState } from '../../../app/ports/terminal.ts';
import { readClaudeQuestion } from './claude-question.ts';

/**
 * Reads Claude Code's screen (recorded from 2.1.325, see test/fixtures/claude-code). The composer stands between two
 * rules and begins with `❯` or, in shell mode, `!`, and a NO-BREAK space; prompts that were sent are shown above it
 * with a plain one. A dialog takes the composer's place.
 */
const COMPOSER = /^([❯!])\u00a0(.*)$/;
const RULE = /^─{8,}/;
/** The line that moves while a turn runs. What the agent says is indented or begins with `●`, so it cannot look like this. */
const SPINNER = /^[·✢✳✶✻✽*] \S.*…/;
const FOOTER_BUSY = /\besc to interrupt\b/;
const INTERRUPTED = /^ {2}⎿\s+Interrupted\b/;
const EMPTY_COMPOSER_CURSOR = 2;
const LONGEST_DIALOG = 300;

export function readClaudeScreen(screen: Screen): ScreenState {
  const { lines, cursorX, cursorY } = screen;
  const top = lines.findLastIndex((line, index) => COMPOSER.test(line) && RULE.test(lines[index - 1] ?? ''));
  if (top === -1) return readDialog(screen);
  const bottom = bottomOf(lines, top);
  const footer = lines.slice(bottom + 1);
  if (lines.slice(0, top).some((line) => SPINNER.test(line)) || footer.some((line) => FOOTER_BUSY.test(line)))
    return { kind: 'busy' };
  const { shell, text } = readComposer(lines.slice(top, bottom));
  if (shell) return { kind: 'draft', text: `!${text}` };
  // A suggestion or hint is drawn in an empty composer: its text is there, but the cursor has not moved.
  const empty = text === '' || (cursorX === EMPTY_COMPOSER_CURSOR && cursorY === top);
  if (!empty) return { kind: 'draft', text };
  return isInterrupted(lines.slice(0, top - 1)) ? { kind: 'ready', interrupted: true } : { kind: 'ready' };
}

/** The last thing said above the composer; a hint at the right edge is not part of the conversation. */
const isInterrupted = (above: readonly string[]): boolean =>
  INTERRUPTED.test(above.findLast((line) => /^ {0,8}\S/.test(line)) ?? '');

function bottomOf(lines: readonly string[], top: number): number {
  const below = lines.findIndex((line, index) => index > top && RULE.test(line));
  return below === -1 ? lines.length : below;
}

function readComposer([first = '', ...rest]: readonly string[]): { shell: boolean; text: string } {
  const [, glyph, head = ''] = COMPOSER.exec(first) ?? [];
  const rows = [head, ...rest.map((row) => row.replace(/^ {2}/, ''))];
  return { shell: glyph === '!', text: rows.join('\n').trim() };
}

function readDialog(screen: Screen): ScreenState {
  const question = readClaudeQuestion(screen);
  if (question === undefined) return { kind: 'starting' };
  return { kind: 'dialog', text: question.text.replaceAll('\n', ' ').slice(0, LONGEST_DIALOG) };
}

/** A long text is shown as a chip that counts its line breaks; one long line as a chip without a number. */
const CHIP = /^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$/;

export function isOurDraft(draft: string, text: string): boolean {
  const chip = CHIP.exec(draft);
  if (chip !== null) return Number(chip[1] ?? 0) === text.split('\n').length - 1;
  // Shown as itself it is wrapped and, if it is taller than the composer, cut.
  // What has no width of its own (a joiner within an emoji, a soft hyphen) may be drawn or left out.
  const bare = (value: string): string => value.replace(/[\s\p{Cf}]+/gu, '');
  return bare(draft) !== '' && bare(text).endsWith(bare(draft));
}
