/** The types of one state machine: a subject that is in one step at a time, and the facts that may move it. */
export interface Machine {
  readonly step: string;
  readonly subject: unknown;
  readonly fact: { readonly type: string };
  /** Everything outside the subject that a handler needs to judge a fact. */
  readonly context: unknown;
  readonly move: unknown;
}

/** One function per fact type. It reads the subject and returns a move; it changes nothing. */
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
  /** One row per step. A step without a row is over. */
  readonly rows: Readonly<Record<M['step'], R>>;
  /** Used in every step whose own row does not handle the fact. */
  readonly inEveryStep: Handlers<M>;
  /**
   * Used for a fact that neither handles. Handoffs ignore it: hooks arrive late, twice or never. Packages refuse it: a
   * caller waits for the answer.
   */
  readonly unknownFact: (subject: M['subject'], fact: M['fact'], context: M['context']) => M['move'];
}

/** undefined: the step is over. */
export const rowAt = <M extends Machine, R extends Row<M>>(table: Table<M, R>, step: string): R | undefined =>
  Object.hasOwn(table.rows, step) ? table.rows[step as M['step']] : undefined;

/** The single lookup of a handler: the row of the step, then the handlers for every step, then `unknownFact`. */
export function moveFor<M extends Machine, R extends Row<M>>(
  table: Table<M, R>,
  step: M['step'],
  subject: M['subject'],
  fact: M['fact'],
  context: M['context'],
): M['move'] {
  const type: M['fact']['type'] = fact.type;
  // TypeScript cannot prove that the handler stored under a fact's type accepts that fact.
  const handler = (table.rows[step].on?.[type] ?? table.inEveryStep[type]) as typeof table.unknownFact | undefined;
  return (handler ?? table.unknownFact)(subject, fact, context);
}
