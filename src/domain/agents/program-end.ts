import { onOneLine } from '../plain-text.ts';

/** How the program in a pane ended, and what stood there at its end. */
export interface ProgramEnd {
  /** null: it was ended by a signal, or tmux does not say. */
  readonly exitCode: number | null;
  readonly signal: number | null;
  /** tmux has not collected it yet: its exit code is still to come. */
  readonly isEnding?: boolean;
  /** The last lines of the pane that are not blank, oldest first. */
  readonly lines: readonly string[];
}

/** The launch script ends with these if it cannot start the program, and its last line says why. */
export const LAUNCH_SCRIPT_EXITS = { noProgram: 96, noFolder: 97, noVariables: 98 } as const;
const OF_LAUNCH_SCRIPT: ReadonlySet<number | null> = new Set(Object.values(LAUNCH_SCRIPT_EXITS));

const MAX_LINES = 6;
const MAX_CHARACTERS_LENGTH = 600;

/**
 * For a sentence, without its full stop.
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
  return signal === null ? '(tmux does not say with which exit code)' : `by signal ${signal}`;
}

/** By code points; the end is kept, because the reason stands there. */
function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CHARACTERS_LENGTH ? text : `…${characters.slice(-MAX_CHARACTERS_LENGTH).join('')}`;
}

const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);
