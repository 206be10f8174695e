import type { CliDeps, Writer } from '../cli-deps.ts';
import { columnsOf, cutLines, cutText } from './cut-lines.ts';
import { type Part, render } from './ink.ts';
import { plainJson, plainLine } from './plain-text.ts';

const CLEAR_SCREEN = '\u001b[H\u001b[2J';
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Prints all output of a command. Every text passes through `render` or `plainJson`, which makes the text safe to
 * print.
 */
export class Output {
  private readonly stdout: Writer;
  private readonly stderr: Writer;
  private readonly env: NodeJS.ProcessEnv;
  private passing = false;
  private readerGone = false;

  constructor({ stdout, stderr, env }: Pick<CliDeps, 'stdout' | 'stderr' | 'env'>) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.env = env;
    for (const writer of [stdout, stderr]) writer.on?.('error', (error) => this.failed(error));
  }

  /** True if the reader has closed the pipe (`baton events | head`). The command then ends without further output. */
  get isUnread(): boolean {
    return this.readerGone;
  }

  /** Truncates lines to the width of the terminal. The lines stay as they are if standard output is not a terminal. */
  fit(lines: readonly (readonly Part[])[]): readonly (readonly Part[])[] {
    return cutLines(lines, columnsOf(this.stdout));
  }

  print(...parts: readonly Part[]): void {
    this.line(this.stdout, parts);
  }

  /** Prints to stderr. Use this for every text that is not the answer of the command. */
  note(...parts: readonly Part[]): void {
    this.line(this.stderr, parts);
  }

  json(value: unknown): void {
    this.clearPassing();
    this.stdout.write(`${plainJson(value, 2)}\n`);
  }

  jsonLine(value: unknown): void {
    this.clearPassing();
    this.stdout.write(`${plainJson(value)}\n`);
  }

  /** Clears the screen and shows the lines. Without a terminal, prints `heading` above the lines instead. */
  frame(heading: string, lines: readonly string[]): void {
    if (this.stdout.isTTY) this.stdout.write(CLEAR_SCREEN);
    else this.print(heading);
    for (const line of this.fit(lines.map((text) => [text]))) this.print(...line);
  }

  /** Shows a line in place of the line that the previous call showed. Without a terminal, prints nothing. */
  pass(text: string): void {
    if (!this.stderr.isTTY) return;
    this.stderr.write(`${CLEAR_LINE}${cutText(plainLine(text), (columnsOf(this.stderr) ?? 80) - 1)}`);
    this.passing = true;
  }

  clearPassing(): void {
    if (this.passing) this.stderr.write(CLEAR_LINE);
    this.passing = false;
  }

  private failed(error: NodeJS.ErrnoException): void {
    if (error.code !== 'EPIPE') throw error;
    this.readerGone = true;
  }

  private line(to: Writer, parts: readonly Part[]): void {
    this.clearPassing();
    to.write(`${render(parts, this.isColoured(to))}\n`);
  }

  private isColoured(to: Writer): boolean {
    return to.isTTY === true && !this.env.NO_COLOR && this.env.TERM !== 'dumb';
  }
}
