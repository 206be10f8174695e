/** The options with which `npm run bench` was called. */
export interface BenchOptions {
  /**
   * The number of rounds. Each round measures Baton and the floor prototype (a minimal program for comparison) in turn.
   * A result is the median of the rounds.
   */
  readonly rounds: number;
  /**
   * True with the option `--short`. The bench then measures so little that its result shows only whether the bench
   * itself still runs without errors.
   */
  readonly short: boolean;
  /** The folder for CPU profiles of the server; undefined if no profiles are wanted. */
  readonly profile?: string;
  /**
   * Prints a line of progress. A part must print with `say` only, because with --json the last line on stdout must be
   * the result.
   */
  readonly say: (line: string) => void;
}

/**
 * The result of one part of the bench, with keys such as `ratio` and `floor_ms`. A nested object gives the details of a
 * number.
 */
export type PartResult = { readonly [key: string]: number | string | PartResult };

/**
 * One part of the bench, P1 to P10. `bench/parts.ts` lists all parts. A part creates its own home, server and tmux
 * server, and removes all of them at the end. The part throws MissingProgram if the machine lacks a program.
 */
export interface Part {
  /** The id of the part, from `P1` to `P10`. */
  readonly id: string;
  /** One line that says which time or amount the part measures. */
  readonly title: string;
  /** The goal in the words of docs/internals/bench-results.md, such as `ratio at most 8`. */
  readonly goal: string;
  run(options: BenchOptions): Promise<PartResult>;
}

/**
 * Thrown if the machine lacks a program that a part needs, such as cc. The bench prints the message of the error and
 * skips the part.
 */
export class MissingProgram extends Error {}
