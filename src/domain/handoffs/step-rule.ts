import type { Agent } from '../agents/agent.ts';
import type { Effect } from '../effects.ts';
import type { Fact } from '../facts.ts';
import type { Instant } from '../instant.ts';
import type { OpenPoint } from '../personas/open-point.ts';
import type { Row } from '../transition-table.ts';
import type { Identity } from './prompts/prompts.ts';
import type { Templates } from './prompts/templates.ts';
import type { ActiveStep, Failure, Run, Step } from './run.ts';

/** Everything outside the run that the rules need to judge a fact. */
export interface RunContext {
  readonly agent: Agent;
  readonly successor: Agent | null;
  /** The agent that continues the predecessor's conversation after an undo. */
  readonly broughtBack: Agent | null;
  readonly identity: Identity;
  /** The outgoing agent's task, from a person's prompt or from the agent's acknowledgment; null if it is unknown. */
  readonly task: string | null;
  readonly now: Instant;
  readonly deadlines: Record<ActiveStep, number>;
  /**
   * The longest normal gap between two checks of a run. A longer gap means a sleep, a clock jump or a stop of Baton.
   */
  readonly longestGapMs: number;
  /** The wording of the two handoff prompts, one for the outgoing agent and one for the successor. */
  readonly templates: Templates;
  /**
   * The id of a later run that concerns the same agent, its successor, or the agent that an undo started; null if there
   * is none. If there is a later run, this run offers no actions.
   */
  readonly newerRunId: number | null;
  /** Whether the runtime can resume a conversation that has ended. */
  readonly canBringBack: boolean;
  /**
   * Reads the open points of the outgoing agent's chain of successors, oldest first. The points are read only when a
   * rule asks for them, because few rules need them.
   */
  readonly openPoints: () => readonly OpenPoint[];
  /**
   * The agent that `baton agent resume` started to continue the outgoing agent's conversation; null if there is none.
   */
  readonly resumedAs: number | null;
}

/** A write to the store. The transaction that changes the run also performs this write. */
export type Write =
  | { readonly kind: 'record_handoff'; readonly filePath: string | null; readonly injectionPrompt: string }
  | { readonly kind: 'create_successor' }
  | { readonly kind: 'prime_successor_again' }
  | { readonly kind: 'bring_back' };

/**
 * The result of a rule: the run enters another step, or it stays at its step and some fields change. A rule returns
 * `undefined` if the fact changes nothing.
 */
export interface Move {
  readonly to?: Step;
  readonly patch?: Partial<Run>;
  readonly effects?: readonly Effect[];
  readonly writes?: readonly Write[];
  readonly warning?: string;
  /** True if the agent showed activity, so that the deadline of the step starts anew. */
  readonly rearm?: boolean;
}

export interface HandoffMachine {
  readonly step: ActiveStep;
  readonly subject: Run;
  readonly fact: Fact;
  readonly context: RunContext;
  readonly move: Move | undefined;
}

export interface StepRule extends Row<HandoffMachine> {
  /**
   * The agent that this step is about: the outgoing agent or the successor. Facts about the other agent change nothing
   * at this step.
   */
  readonly watches: 'agent' | 'successor';
  readonly enter?: (run: Run, world: RunContext) => Move;
  /**
   * A rule that Baton applies after every fact and tick. The rule reads only the current state of the run and its
   * agents, not the last fact.
   */
  readonly level?: (run: Run, world: RunContext) => Move | undefined;
  readonly tooLate: (run: Run, world: RunContext, lastScreen: string | undefined) => Move;
}

/**
 * Halts the run at its current step and undoes nothing. The failure's sentence says what happened. The failure's hint
 * says what is kept and what to fix first; `adviceFor` adds the actions of the run to the hint.
 */
export function fail(run: Run, failure: Omit<Failure, 'at' | 'lead'>): Move {
  // Removes a double period, because a quoted detail may end with its own punctuation.
  const sentence = failure.sentence.replace(/([.?!])\./g, '$1');
  return {
    to: 'failed',
    patch: {
      failure: { at: run.step as ActiveStep, ...failure, sentence, lead: failure.hint },
      failures: run.failures + 1,
    },
  };
}
