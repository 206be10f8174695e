import { onOneLine } from '../plain-text.ts';

/** How the program in a pane ended, and the last lines on its screen. */
export interface ProgramEnd {
  /** null: a signal ended the program, or tmux does not report the exit code. */
  readonly exitCode: number | null;
  readonly signal: number | null;
  /** True if tmux has not collected the ended process yet, so that its exit code is not available. */
  readonly isEnding?: boolean;
  /** The last non-blank lines of the pane, oldest first. */
  readonly lines: readonly string[];
}

/** Exit codes of the launch script when it cannot start the program. The last line on the screen is the reason. */
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

/** Cuts off the beginning of a long text, by code points. The end stays because it contains the reason. */
function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CHARACTERS_LENGTH ? text : `…${characters.slice(-MAX_CHARACTERS_LENGTH).join('')}`;
}

const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);
