import type { Screen, ScreenState } from '../../../app/ports/terminal.ts';
import { readClaudeQuestion } from './claude-question.ts';

/**
 * Reads Claude Code's screen (recorded from 2.1.325, see test/fixtures/claude-code). The composer stands between two
 * rules and begins with `❯` or, in shell mode, `!`, and a NO-BREAK space; prompts that were sent are shown above it
 * with a plain one. A dialog, a menu or a view takes the composer's place.
 */
const COMPOSER = /^([❯!])\u00a0(.*)$/;
/** The upper one may carry a label: `─── History 9/9 ───`. */
const TOP_RULE = /^─{3}/;
const RULE = /^─{8,}/;
/** The line that moves while a turn runs. What the agent says is indented or begins with `●`, so it cannot look like this. */
const SPINNER = /^[·✢✳✶✻✽*] \S.*…/;
/** The same where motion is reduced, which begins as a sentence of the agent does. */
const STILL_SPINNER = /^● \S+… \((?:\d|running |thinking)/;
/** `✻ 500 Internal server error · Retrying in 3s · attempt 3/10`, whatever the error is. */
const RETRYING = /^[·✢✳✶✻✽*●] .* · Retrying in \d/;
const WAITING_FOR_WORK = /^[·✢✳✶✻✽*●] Waiting for \d+ /;
/** `✻ Baked for 2s · done 9:33 AM`, and what stands in its place after a compaction. */
const TURN_OVER = /^[·✢✳✶✻✽*] (?:\S.* for \d+\s?[smhd]\b|Conversation compacted)/;
/** What the last thing said may begin with: the agent, a prompt, a command, a note, the banner. */
const SAID = /^[●⏺❯!⎿▎│╭╰╌─※▐▛▜▝▘▖▗█▀▄▌▟▙]/u;
/** Marks at which a new line begins, also where the row above is full. */
const SIGN = /^[·✢✳✶✻✽*●⏺❯!⎿▎│╭╰╌─※▐▛▜▝▘▖▗█▀▄▌▟▙]/u;
const FOOTER_BUSY = /\besc to interrupt\b/;
/** A usage limit: it waits, and goes on by itself unless somebody presses Escape. */
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
 * Claude Code 2.0 sometimes leaves a whole frame on the screen and draws the next one below it. Only the lines behind the older
 * composer are of the frame that counts: the line that moves stands directly above the composer of its own frame.
 */
function endOfOlderFrame(lines: readonly string[], top: number): number {
  const older = composerAbove(lines, top - 1);
  const end = older === -1 ? -1 : bottomOf(lines, older);
  return end < top - 1 ? end + 1 : 0;
}

/** Above or below the composer. */
function workIn(above: readonly string[], footer: readonly string[], width: number): ScreenState | undefined {
  const continues = footer.map((line) => FOOTER_CONTINUES.exec(line)?.[0]).find((found) => found !== undefined);
  if (continues !== undefined)
    return { kind: 'busy', doing: `Usage limit reached · ${continues.replace('Continuing', 'continuing')}` };
  const last = lastSaid(above.slice(0, -1), width) ?? '';
  const isBusy =
    above.some((line) => SPINNER.test(line)) ||
    [STILL_SPINNER, RETRYING, WAITING_FOR_WORK].some((sign) => sign.test(last)) ||
    footer.some((line) => FOOTER_BUSY.test(line));
  return isBusy ? { kind: 'busy' } : undefined;
}

/**
 * The line at the left edge that stands last; what belongs to it is indented below it, and hints stand at the right. In 2.0 a
 * line that fills the window goes on at the left edge of the next row.
 */
function lastSaid(above: readonly string[], width: number): string | undefined {
  const last = above.findLastIndex((line) => /^\S/.test(line));
  const goesOn = (at: number): boolean => (above[at - 1] ?? '').length >= width && !SIGN.test(above[at] ?? '');
  let first = last;
  while (first > 0 && goesOn(first)) first -= 1;
  return last === -1 ? undefined : above.slice(first, last + 1).join('');
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

/** What the operator has opened to look at, by a line that stands in it and nowhere else. */
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
