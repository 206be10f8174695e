import type { Screen, ScreenState } from '../../../app/ports/terminal.ts';
import { isEndOf } from '../shown-draft.ts';
import { readCodexQuestion } from './codex-question.ts';

/**
 * Reads Codex's screen (recorded from 0.166.0, see test/fixtures/codex). The composer begins with `›` at the left edge,
 * or with `!` if Enter would run its text as a shell command. Sent prompts look the same, so only the last such row is
 * the composer. While Codex writes an answer, the screen shows no sign of work. So this reader never reports that Codex
 * is idle. Baton learns from the rollout, the hooks and the server when Codex is idle.
 */
const COMPOSER = /^([›!])(?: (.*))?$/;
/** The column in which the composer's text begins. */
const INDENT = 2;
/**
 * The text that Baton reports for a draft without any visible character before the cursor. If Baton typed `/exit` after
 * such a draft, Codex would send `/exit` to the model.
 */
const BLANK = 'only spaces or empty lines before the cursor';
/**
 * Matches the row of a running turn, for example `• Working (2s • esc to interrupt)` or `• Reconnecting... 2/4 (4s •
 * esc to interrupt)`.
 */
const WORKING = /^\S (.{1,80}?) ?\((?:\d+[hms] ?){1,3}• esc to interrupt\)/;
/** Matches the row which says that the terminal program has lost its server and waits for a new connection. */
const RECONNECTING = /^\S (Reconnecting to server…)/;
const INTERRUPTED = /^■ Conversation interrupted\b/;
/**
 * Matches the hint below the composer if Codex will submit the text of the composer only after the session is loaded.
 */
const STARTING = /^ {2}Waiting for startup\b/;
/**
 * Matches the only row below the composer while Codex loads its session. Text that is typed during this time stays a
 * draft, and Enter submits it later or never. After loading, this row also shows the free context, or another row shows
 * the model.
 */
const LOADING = /^ {2}\? for shortcuts\s*$/;
/** The hint below a search in earlier prompts. Keys go to the search, although the composer looks empty. */
const SEARCH = /^ {2}(?:reverse|forward)-i-search:/;
const MAX_LINE = 300;

/** Views that the operator can open, each recognized by a line that occurs only in that view. */
const VIEWS: readonly { readonly sign: RegExp; readonly name: string }[] = [
  { sign: /^ {2}.*\besc dismiss & close\b/, name: 'its list of warnings is open (Esc closes it)' },
  { sign: /^\/ T R A N S C R I P T\b/, name: 'its transcript is open (Esc closes it)' },
  // A side conversation counts as an open view, because Codex refuses its command /exit there.
  { sign: /^ {2}.*\bSide from main thread · /, name: 'a side conversation is open (Ctrl+C closes it)' },
  { sign: /^ {2}Resume a previous session/, name: 'its list of sessions to resume is open (Esc closes it)' },
];

export function readCodexScreen(screen: Screen): ScreenState {
  const { lines, solid = lines } = screen;
  const view = VIEWS.find(({ sign }) => lines.some((line) => sign.test(line)));
  if (view !== undefined) return { kind: 'view', text: view.name };
  const question = readCodexQuestion(screen);
  if (question !== undefined) {
    const text = question.text.replaceAll('\n', ' ').slice(0, MAX_LINE);
    return question.isMenu ? { kind: 'dialog', text, isMenu: true } : { kind: 'dialog', text };
  }
  const top = lines.findLastIndex((line) => COMPOSER.test(line));
  if (top === -1) return withoutComposer(lines);
  if (lines.slice(top).some((line) => STARTING.test(line))) return { kind: 'starting', text: 'Waiting for startup' };
  const above = lines.slice(0, top);
  const doing = above
    .map((line) => (WORKING.exec(line) ?? RECONNECTING.exec(line))?.[1])
    .findLast((found) => found !== undefined);
  if (doing !== undefined) return doing === 'Working' ? { kind: 'busy' } : { kind: 'busy', doing };
  if (lines.slice(top).some((line) => SEARCH.test(line)))
    return { kind: 'view', text: 'the search in its earlier prompts is open (Esc closes it)' };
  const text = draftIn(solid, top) || textToCursor(solid, top, screen.cursorY);
  const [, sign] = COMPOSER.exec(lines[top] ?? '') ?? [];
  if (sign === '!') return { kind: 'draft', text: `!${text}` };
  if (text !== '') return { kind: 'draft', text };
  if (isBlankDraft(screen, top)) return { kind: 'draft', text: BLANK };
  const below = lines.slice(top + 1).filter((line) => line.trim() !== '');
  if (below.length === 1 && LOADING.test(below[0] ?? '')) return { kind: 'starting', text: 'its session is loading' };
  return isInterrupted(above) ? { kind: 'ready', interrupted: true } : { kind: 'ready' };
}

/**
 * Returns the draft: the rows from the composer's first row to the next empty row. If the draft itself contains an
 * empty row, only the part before that row is returned.
 */
function draftIn(solid: readonly string[], top: number): string {
  const rows = [COMPOSER.exec(solid[top] ?? '')?.[2] ?? ''];
  for (const row of solid.slice(top + 1)) {
    if (row.trim() === '') break;
    rows.push(row.replace(/^ {2}/, ''));
  }
  return rows.join('\n').trim();
}

/**
 * Returns the text between the composer's first row and the cursor. A draft that begins with empty rows has its text
 * there. Below the cursor, the text of such a draft cannot be told from the hints below the composer.
 */
const textToCursor = (solid: readonly string[], top: number, cursorY: number): string =>
  solid
    .slice(top + 1, cursorY + 1)
    .map((row) => row.replace(/^ {2}/, ''))
    .join('\n')
    .trim();

/** True if the cursor shows that the composer, which looks empty, contains spaces or line breaks. */
const isBlankDraft = ({ cursorX, cursorY }: Screen, top: number): boolean =>
  cursorY === top ? cursorX > INDENT : cursorY > top;

/** True if the last entry above the composer says that the turn was interrupted. */
const isInterrupted = (above: readonly string[]): boolean =>
  INTERRUPTED.test(above.findLast((line) => /^[■•›✔✗⚠]/.test(line) || /^ {2}Worked for /.test(line)) ?? '');

function withoutComposer(lines: readonly string[]): ScreenState {
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  return last === undefined ? { kind: 'starting' } : { kind: 'starting', text: last.slice(0, MAX_LINE) };
}

/** Matches the chip that a composer shows for a long paste. The chip contains the number of characters. */
const CHIP = /^\[Pasted Content (\d+) chars\]$/;

export function isOurDraft(draft: string, text: string): boolean {
  const chip = CHIP.exec(draft);
  return chip === null ? isEndOf(draft, text) || isBeginOf(draft, text) : Number(chip[1]) === [...text].length;
}

/**
 * True if the text begins with the draft. The rest of the text may be missing from the draft, because a draft that was
 * read from the screen ends at its first empty row.
 */
const isBeginOf = (draft: string, text: string): boolean => {
  const bare = (each: string): string => each.replace(/[\s\p{Cf}]+/gu, '');
  return bare(draft).length >= MIN_BEGIN && bare(text).startsWith(bare(draft));
};

/** The minimum length of a draft that `isBeginOf` accepts. A shorter draft may come from the operator. */
const MIN_BEGIN = 12;
