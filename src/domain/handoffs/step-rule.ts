import type { Agent } from '../agents/agent.ts';
import type { Effect } from '../effects.ts';
import type { Fact, FactOf } from '../facts.ts';
import type { Instant } from '../instant.ts';
import type { Identity } from './prompts/prompts.ts';
import type { Templates } from './prompts/templates.ts';
import type { ActiveStep, Failure, Run, Step } from './run.ts';

/** What is true around a run at the moment a fact is judged. */
export interface World {
  readonly agent: Agent;
  readonly successor: Agent | null;
  /** The agent in which the predecessor's conversation goes on after an undo. */
  readonly broughtBack: Agent | null;
  readonly identity: Identity;
  /** What the outgoing agent works at, in words that somebody else gave it or that it acknowledged; null: nobody has said. */
  readonly task: string | null;
  readonly now: Instant;
  readonly deadlines: Record<ActiveStep, number>;
  /** A longer pause between two looks was suspend, a jump of the clock, or Baton being down. */
  readonly longestGapMs: number;
  /** How the two prompts are worded. */
  readonly templates: Templates;
  /** A later run of the same agent, or one of its successor or of the agent that was brought back: then this one is history, and nothing can be done about it any more. */
  readonly newerRunId: number | null;
  /** Can the runtime go on with a conversation that has ended? */
  readonly canBringBack: boolean;
  /** The agent in which the conversation of the outgoing one goes on by `baton agent resume`; null: in none. */
  readonly resumedAs: number | null;
}

/** What the store itself must write in the same transaction. */
export type Write =
  | { readonly kind: 'record_handoff'; readonly filePath: string | null; readonly injectionPrompt: string }
  | { readonly kind: 'create_successor' }
  | { readonly kind: 'prime_successor_again' }
  | { readonly kind: 'bring_back' };

/** A rule's answer: go to another step, or stay and remember something. `undefined`: this fact means nothing here. */
export interface Move {
  readonly to?: Step;
  readonly patch?: Partial<Run>;
  readonly effects?: readonly Effect[];
  readonly writes?: readonly Write[];
  readonly warning?: string;
  /** The step is alive: its deadline counts anew. */
  readonly rearm?: boolean;
}

export interface StepRule {
  /** Whose facts this step listens to. The other agent's facts mean nothing here. */
  readonly watches: 'agent' | 'successor';
  readonly enter?: (run: Run, world: World) => Move;
  readonly on?: { readonly [T in Fact['type']]?: (run: Run, fact: FactOf<T>, world: World) => Move | undefined };
  /** Looked at after every fact and on every tick: what the world shows, however we came to know. */
  readonly level?: (run: Run, world: World) => Move | undefined;
  readonly tooLate: (run: Run, world: World, lastScreen: string | undefined) => Move;
}

/** A failure halts the run where it is; nothing is undone, and the sentence says what to do. */
export function fail(run: Run, failure: Omit<Failure, 'at'>): Move {
  // Details from outside may end with a mark of their own.
  const sentence = failure.sentence.replace(/([.?!])\./g, '$1');
  return {
    to: 'failed',
    patch: { failure: { at: run.step as ActiveStep, ...failure, sentence }, failures: run.failures + 1 },
  };
}
