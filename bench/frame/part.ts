/** The options with which `npm run bench` was called. */
export interface BenchOptions {
  /** The number of rounds. In each round floor and product take turns, and a result is the median over the rounds. */
  readonly rounds: number;
  /** True in `npm run prove`: the numbers are small and only show that the part still runs. */
  readonly short: boolean;
  /** The folder for CPU profiles of the server; undefined if no profiles are wanted. */
  readonly profile?: string;
  /** Prints a line of progress. Only `say` may print, because with --json the last line is the result. */
  readonly say: (line: string) => void;
}

/**
 * The result of a part, with keys such as `ratio` and `floor_ms`. Nested objects explain a number.
 */
export type PartResult = { readonly [key: string]: number | string | PartResult };

/**
 * One part of the bench, P1 to P10. `bench/parts.ts` lists all parts. A part creates what it needs (home, server,
 * tmux), removes it afterwards, and throws MissingProgram if the machine lacks a program.
 */
export interface Part {
  /** The id of the part, from `P1` to `P10`. */
  readonly id: string;
  /** One line that says which time or amount is measured. */
  readonly title: string;
  /** The goal in the words of docs/internals/bench-results.md, such as `ratio at most 8`. */
  readonly goal: string;
  run(options: BenchOptions): Promise<PartResult>;
}

/**
 * Thrown if the machine lacks a program that a part needs, such as cc. The bench prints the sentence and skips the
 * part.
 */
export class MissingProgram extends Error {}
