import type { GivenChoice } from '../../../app/ports/client-control.ts';
import type { Screen, ScreenQuestion } from '../../../app/ports/terminal.ts';
import type { Approval, Decision } from './app-server.ts';

/**
 * Reads a dialog of Codex. `›` marks the highlighted option, and the last row names the keys. In questions of the agent
 * and in approval dialogs, pressing a digit chooses an option at once (measured with 0.166.0). For all other dialogs
 * Baton offers no options.
 */
const OPTION = /^ {0,2}([› ]) (\d)\. (\S.*)$/;
/**
 * Matches the row of keys, for example `Press enter to confirm or esc to cancel`, `enter select · esc back`, `tab to
 * add notes | enter to submit answer`.
 */
const KEYS =
  /^ {2}(?: *Press enter to | *enter (?:select|confirm|to )|.*\| enter to submit (?:answer|all)|.*\benter (?:confirm|select|continue|submit)\b ·)/i;
/** Matches an arrow at the left edge, which says that there are more options above or below. */
const MORE = /^[↑↓]\s*$/;
/** Matches the first row of a dialog in which one digit key chooses an option at once. */
const BY_DIGIT = /^ {2}(?:Would you like to |Do you want to (?:approve|allow)|Allow |Question \d+\/\d+)/;
const SELECTED_AS = /^ {2}(?:Select |Update |Choose |Approval |Personality|Review preset|Keymap)/;
const MAX_TEXT = 600;
const MAX_LABEL = 160;

export function readCodexQuestion({ lines }: Screen): ScreenQuestion | undefined {
  const keys = lines.findLastIndex((line) => KEYS.test(line));
  if (keys === -1 || lines.slice(keys + 1).some((line) => /^›/.test(line))) return undefined;
  const first = firstOption(lines, keys);
  if (first === -1) return undefined;
  const rows = lines.slice(first, keys);
  const options = optionsIn(rows);
  const top = topOf(lines, first);
  const words = lines.slice(top, first).map((line) => line.trim());
  const isByDigit = lines.slice(top, first).some((line) => BY_DIGIT.test(line));
  // Detect a dialog that does not fit on the screen. Some of its options or the beginning of its text are hidden.
  const isCut = top === 0 || rows.some((row) => MORE.test(row));
  const isMenu = SELECTED_AS.test(lines[top] ?? '');
  return {
    text: words
      .join('\n')
      .replace(/\n{2,}/g, '\n')
      .trim()
      .slice(0, MAX_TEXT),
    options: isByDigit && !isCut ? options.map(({ number, label }) => ({ number, label })) : [],
    textOption: null,
    ...(isMenu ? { isMenu } : {}),
    ...(isCut ? { isCut } : {}),
    highlighted: options.find(({ isMarked }) => isMarked)?.number ?? null,
    fingerprint: JSON.stringify([words, options.map(({ number, label }) => [number, label])]),
  };
}

/** Returns the row of the first option in the block of options that ends right above the row of keys. */
function firstOption(lines: readonly string[], keys: number): number {
  const marked = lines.findLastIndex((line, at) => at < keys && OPTION.test(line) && line.trimStart().startsWith('›'));
  if (marked === -1) return -1;
  let first = marked;
  for (let at = marked - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (OPTION.test(line)) first = at;
    else if (!/^ {5,}\S/.test(line)) break;
  }
  return first;
}

/** Returns the first row of the dialog. Directly above it are two empty rows, or a row of the conversation. */
function topOf(lines: readonly string[], first: number): number {
  const text = lines.findLastIndex((line, at) => at < first && line.trim() !== '');
  for (let at = text; at > 0; at--) {
    if (/^[›•■✔✗⚠]/.test(lines[at] ?? '')) return nextText(lines, at + 1);
    if ((lines[at] ?? '').trim() === '' && (lines[at - 1] ?? '').trim() === '') return nextText(lines, at);
  }
  return 0;
}

const nextText = (lines: readonly string[], from: number): number => {
  const found = lines.findIndex((line, at) => at >= from && line.trim() !== '');
  return found === -1 ? from : found;
};

function optionsIn(rows: readonly string[]) {
  const options: { number: number; label: string; isMarked: boolean }[] = [];
  for (const row of rows) {
    const [, mark, number, label = ''] = OPTION.exec(row) ?? [];
    const last = options.at(-1);
    if (number !== undefined)
      options.push({ number: Number(number), label: label.slice(0, MAX_LABEL), isMarked: mark === '›' });
    else if (last !== undefined && /^ {5,}\S/.test(row)) last.label = `${last.label} ${row.trim()}`.slice(0, MAX_LABEL);
  }
  return options;
}

/**
 * How many characters of a command Baton compares with the screen. Codex truncates a long command on the screen, so
 * Baton compares only the beginning. A shorter command must be shown completely.
 */
const MIN_COMMAND = 80;

/**
 * Returns the decision that belongs to an option on the screen. Codex shows the decisions in the order of the approval
 * request. Returns undefined if the screen and the request are about different questions.
 */
export function decisionFor(
  { command, commandActions, availableDecisions }: Approval,
  { question, choice, labels }: GivenChoice,
): Decision | undefined {
  const decision = availableDecisions[choice - 1];
  const label = labels[choice - 1];
  if (decision === undefined || label === undefined || availableDecisions.length !== labels.length) return undefined;
  const name = typeof decision === 'string' ? decision : (Object.keys(decision)[0] ?? '');
  if (/^Yes\b/.test(label) !== /^accept/.test(name)) return undefined;
  const bare = (text: string): string => text.replace(/\s+/g, '');
  const commands = [command ?? '', ...(commandActions ?? []).map((action) => action.command)].filter(Boolean);
  const isShown = commands.some((each) => bare(question).includes(bare(each).slice(0, MIN_COMMAND)));
  return isShown ? decision : undefined;
}
