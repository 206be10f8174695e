import type { Screen, ScreenState } from '../../../app/ports/terminal.ts';
import { countsLinesOf, isEndOf } from '../shown-draft.ts';
import { readClaudeQuestion } from './claude-question.ts';

/**
 * Reads Claude Code's screen (recorded from 2.1.325, see test/fixtures/claude-code). The composer is between two
 * horizontal lines and begins with `❯` or, in shell mode, `!`, followed by a no-break space. In a sent prompt, a plain
 * space follows.
 */
const COMPOSER = /^([❯!])\u00a0(.*)$/;
/** Matches the horizontal line above the composer. The line may contain a label, for example `─── History 9/9 ───`. */
const TOP_RULE = /^─{3}/;
const RULE = /^─{8,}/;
/**
 * Matches the spinner of a running turn. The agent's own text cannot match, because it is indented or begins with `●`.
 */
const SPINNER = /^[·✢✳✶✻✽*] \S.*…/;
/**
 * Matches the spinner that the client shows if the user prefers reduced motion. This spinner begins with `●`, like the
 * text of the agent.
 */
const STILL_SPINNER = /^● \S+… \((?:\d|running |thinking)/;
/** Matches, for example, `✻ 500 Internal server error · Retrying in 3s · attempt 3/10`, with any error text. */
const RETRYING = /^[·✢✳✶✻✽*●] .* · Retrying in \d/;
const WAITING_FOR_WORK = /^[·✢✳✶✻✽*●] Waiting for \d+ /;
/**
 * Matches the line about a finished turn, for example `✻ Baked for 2s · done 9:33 AM`, or the line that replaces it
 * after a compaction.
 */
const TURN_OVER = /^[·✢✳✶✻✽*] (?:\S.* for \d+\s?[smhd]\b|Conversation compacted)/;
/**
 * Characters with which the last entry of the conversation may begin. The entry may be text of the agent, a prompt, a
 * command, a note, or the banner.
 */
const SAID = /^[●⏺❯!⎿▎│╭╰╌─※▐▛▜▝▘▖▗█▀▄▌▟▙]/u;
/**
 * Characters that begin a new entry of the conversation. A row that begins with another character may continue the row
 * above, if that row is full.
 */
const SIGN = /^[·✢✳✶✻✽*●⏺❯!⎿▎│╭╰╌─※▐▛▜▝▘▖▗█▀▄▌▟▙]/u;
const FOOTER_BUSY = /\besc to interrupt\b/;
/**
 * Matches the footer when a usage limit is reached. The client waits and then continues by itself, unless somebody
 * presses Escape.
 */
const FOOTER_CONTINUES = /\bContinuing automatically at \S+(?: \([^)]*\))?/;
const INTERRUPTED = /^ {2}⎿\s+Interrupted\b/;
const MAX_LINE = 300;

export function readClaudeScreen(screen: Screen): ScreenState {
  const { lines, solid = lines } = screen;
  const top = composerAbove(lines, lines.length);
  if (top === -1) return readWithoutComposer(screen);
  const bottom = bottomOf(lines, top);
  const width = lines[top - 1]?.length ?? 0;
  const frame = endOfOlderFrame(lines, top);
  const work = workIn(lines.slice(frame, top), lines.slice(bottom + 1), width);
  if (work !== undefined) return work;
  const { shell, text } = readComposer(solid.slice(top, bottom));
  if (shell || text !== '') return { kind: 'draft', text: shell ? `!${text}` : text };
  const above = lines.slice(frame, top - 1);
  const last = lastSaid(above, width);
  if (last !== undefined && !TURN_OVER.test(last) && !SAID.test(last))
    return { kind: 'unknown', text: last.slice(0, MAX_LINE) };
  return isInterrupted(above) ? { kind: 'ready', interrupted: true } : { kind: 'ready' };
}

const composerAbove = (lines: readonly string[], end: number): number =>
  lines.findLastIndex((line, at) => at < end && COMPOSER.test(line) && TOP_RULE.test(lines[at - 1] ?? ''));

/**
 * Returns the first line of the current frame. Claude Code 2.0 sometimes leaves an old frame on the screen and draws
 * the current frame below it. In this case the current frame begins below the composer of the old frame.
 */
function endOfOlderFrame(lines: readonly string[], top: number): number {
  const older = composerAbove(lines, top - 1);
  const end = older === -1 ? -1 : bottomOf(lines, older);
  return end < top - 1 ? end + 1 : 0;
}

/** Looks above and below the composer for signs that the agent is working. */
function workIn(above: readonly string[], footer: readonly string[], width: number): ScreenState | undefined {
  const continues = footer.map((line) => FOOTER_CONTINUES.exec(line)?.[0]).find((found) => found !== undefined);
  if (continues !== undefined)
    return {
      kind: 'busy',
      doing: `Usage limit reached · ${continues.replace('Continuing', 'continuing')}`,
      waitsForLimit: true,
    };
  const last = lastSaid(above.slice(0, -1), width) ?? '';
  const isBusy =
    above.some((line) => SPINNER.test(line)) ||
    [STILL_SPINNER, RETRYING, WAITING_FOR_WORK].some((sign) => sign.test(last)) ||
    footer.some((line) => FOOTER_BUSY.test(line));
  return isBusy ? { kind: 'busy' } : undefined;
}

/**
 * Returns the first line of the newest entry above the composer. If this line fills several rows, returns these rows
 * joined. An entry begins at the left edge, and a hint stands at the right edge. In version 2.0, a line that is too
 * long for its row continues at the left edge of the next row.
 */
function lastSaid(above: readonly string[], width: number): string | undefined {
  const last = above.findLastIndex((line) => /^\S/.test(line));
  const goesOn = (at: number): boolean => (above[at - 1] ?? '').length >= width && !SIGN.test(above[at] ?? '');
  let first = last;
  while (first > 0 && goesOn(first)) first -= 1;
  return last === -1 ? undefined : above.slice(first, last + 1).join('');
}

/**
 * True if the last entry above the composer is an interruption. A hint at the right edge is not part of the
 * conversation.
 */
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

/** Views that the operator can open, each recognized by a line that occurs only in that view. */
const VIEWS: readonly { readonly sign: RegExp; readonly name: string }[] = [
  {
    sign: /^ {2}(?:dialog waiting · )?Showing detailed transcript · /,
    name: 'its transcript is open (Ctrl+O closes it)',
  },
  { sign: /^ {2}Search prompts · /, name: 'the search in its earlier prompts is open (Esc closes it)' },
  { sign: /^ {3}Help {2}General /, name: 'its help is open (Esc closes it)' },
  { sign: /^ {3}Resume session$/, name: 'its list of sessions to resume is open (Esc closes it)' },
];

function readWithoutComposer(screen: Screen): ScreenState {
  const view = VIEWS.find(({ sign }) => screen.lines.some((line) => sign.test(line)));
  if (view !== undefined) return { kind: 'view', text: view.name };
  const question = readClaudeQuestion(screen);
  if (question === undefined) {
    const last = screen.lines.findLast((line) => line.trim() !== '')?.trim();
    return last === undefined ? { kind: 'starting' } : { kind: 'starting', text: last.slice(0, MAX_LINE) };
  }
  const text = question.text.replaceAll('\n', ' ').slice(0, MAX_LINE);
  return question.isMenu ? { kind: 'dialog', text, isMenu: true } : { kind: 'dialog', text };
}

/**
 * Matches the chip that a composer shows for a pasted text. The chip of a text with several lines contains the number
 * of line breaks. The chip of one long line contains no number.
 */
const CHIP = /^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$/;

export function isOurDraft(draft: string, text: string): boolean {
  const chip = CHIP.exec(draft);
  return chip === null ? isEndOf(draft, text) : countsLinesOf(chip[1], text);
}
