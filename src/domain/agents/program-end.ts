import { onOneLine } from '../plain-text.ts';

/** How the program in a pane ended, and the last lines on its screen. */
export interface ProgramEnd {
  /** The exit code; null if a signal ended the program or tmux does not report the code. */
  readonly exitCode: number | null;
  readonly signal: number | null;
  /** True if the ended process still exists as a zombie. Then tmux does not know its exit code yet. */
  readonly isEnding?: boolean;
  /** The last non-blank lines of the pane, oldest first. */
  readonly lines: readonly string[];
}

/**
 * The exit codes of the launch script if it cannot start the program. The last line on the screen then gives the
 * reason.
 */
export const LAUNCH_SCRIPT_EXITS = { noProgram: 96, noFolder: 97, noVariables: 98 } as const;
const OF_LAUNCH_SCRIPT: ReadonlySet<number | null> = new Set(Object.values(LAUNCH_SCRIPT_EXITS));

const MAX_LINES = 6;
const MAX_CHARACTERS_LENGTH = 600;

/**
 * Describes the end of the program in a sentence without the final period.
 *
 * @param ended how the sentence begins: "the program ended at once"
 */
export function endInWords(ended: string, { exitCode, signal, lines }: ProgramEnd): string {
  const said = lines.map((line) => onOneLine(line).trim()).filter((line) => line !== '');
  const last = said.at(-1);
  if (OF_LAUNCH_SCRIPT.has(exitCode) && last !== undefined) return withoutFullStop(last);
  const shown = shorten(said.slice(-MAX_LINES).join(' / '));
  return `${ended} ${howInWords(exitCode, signal)}; ${shown === '' ? 'its terminal showed nothing' : `its terminal last showed: "${shown}"`}`;
}

function howInWords(exitCode: number | null, signal: number | null): string {
  if (exitCode !== null) return `with exit code ${exitCode}`;
  return signal === null ? '(tmux does not report the exit code)' : `by signal ${signal}`;
}

/**
 * Shortens a long text at its beginning, because the end of the text says why the program ended. Counts code points.
 */
function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CHARACTERS_LENGTH ? text : `…${characters.slice(-MAX_CHARACTERS_LENGTH).join('')}`;
}

const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);
