/**
 * The types of a state machine. A state machine has a subject, such as a run or a package. The subject is at one step
 * at a time, and facts can move it to another step.
 */
export interface Machine {
  readonly step: string;
  readonly subject: unknown;
  readonly fact: { readonly type: string };
  /** Everything outside the run or package (the subject) that a handler needs to judge a fact. */
  readonly context: unknown;
  readonly move: unknown;
}

/**
 * One handler per fact type. A handler reads the run or package (the subject) and returns the change to make (the
 * move). The handler itself changes nothing.
 */
export type Handlers<M extends Machine> = {
  readonly [T in M['fact']['type']]?: (
    subject: M['subject'],
    fact: Extract<M['fact'], { readonly type: T }>,
    context: M['context'],
  ) => M['move'];
};

export interface Row<M extends Machine> {
  readonly on?: Handlers<M>;
}

export interface Table<M extends Machine, R extends Row<M>> {
  /** One row of handlers for each step. Final steps have no row. */
  readonly rows: Readonly<Record<M['step'], R>>;
  /**
   * Handlers that apply at every step. A handler in the row of the current step takes precedence over a handler here.
   */
  readonly inEveryStep: Handlers<M>;
  /**
   * Called for a fact that has no handler, neither in the row of the current step nor in `inEveryStep`. Handoffs ignore
   * such a fact, because hooks may arrive late, twice or never. Packages refuse it, because a caller waits for an
   * answer.
   */
  readonly unknownFact: (subject: M['subject'], fact: M['fact'], context: M['context']) => M['move'];
}

/** Returns the row of a step; undefined for a final step. */
export const rowAt = <M extends Machine, R extends Row<M>>(table: Table<M, R>, step: string): R | undefined =>
  Object.hasOwn(table.rows, step) ? table.rows[step as M['step']] : undefined;

/**
 * Calls the handler of a fact and returns the result. A handler in the row of the step comes first, then one in
 * `inEveryStep`. If there is neither, calls `unknownFact`.
 */
export function moveFor<M extends Machine, R extends Row<M>>(
  table: Table<M, R>,
  step: M['step'],
  subject: M['subject'],
  fact: M['fact'],
  context: M['context'],
): M['move'] {
  const type: M['fact']['type'] = fact.type;
  // The cast is needed because TypeScript cannot prove that the handler stored under a fact's type accepts that fact.
  const handler = (table.rows[step].on?.[type] ?? table.inEveryStep[type]) as typeof table.unknownFact | undefined;
  return (handler ?? table.unknownFact)(subject, fact, context);
}
