/**
 * The party that causes a transition. Some checks allow only transitions of certain parties, to show that these parties
 * can end a run without the others.
 */
export type By = 'baton' | 'agent' | 'hook' | 'operator' | 'cancel' | 'fault';

export interface Move<S> {
  readonly name: string;
  readonly by: By;
  readonly to: () => S;
}

export interface System<S> {
  readonly start: S;
  /** States with equal keys are treated as one state. */
  readonly key: (state: S) => string;
  readonly moves: (state: S) => readonly Move<S>[];
  readonly isEnd: (state: S) => boolean;
}

/** Thrown when a state breaks a rule. `explore` adds the list of transitions that led to this state. */
export class Broken extends Error {}

export interface Graph<S> {
  readonly states: readonly S[];
  readonly transitions: number;
  /** Returns the shortest path to a state, one transition per line. */
  readonly wayTo: (index: number) => string;
  /**
   * Returns the first state from which the given parties alone cannot reach a final state. Returns undefined if they
   * can reach a final state from every state.
   */
  readonly stuckWith: (movers: ReadonlySet<By>) => number | undefined;
}

interface Edge {
  readonly from: number;
  readonly by: By;
}

/** Explores breadth first, so the path to the first broken rule is the shortest path. */
export function explore<S>(system: System<S>): Graph<S> {
  const states: S[] = [system.start];
  const known = new Map<string, number>([[system.key(system.start), 0]]);
  const cameBy: { readonly from: number; readonly name: string }[] = [{ from: -1, name: 'start' }];
  const into: Edge[][] = [[]];
  let transitions = 0;

  const wayTo = (index: number): string => {
    const names: string[] = [];
    for (let at = index; at > 0; at = cameBy[at]?.from ?? 0) names.push(cameBy[at]?.name ?? '');
    return names.reverse().join('\n  ');
  };

  const arrive = (state: S, from: number, { name, by }: Move<S>): void => {
    const key = system.key(state);
    let index = known.get(key);
    if (index === from) return;
    transitions++;
    if (index === undefined) {
      index = states.length;
      known.set(key, index);
      states.push(state);
      cameBy.push({ from, name });
      into.push([]);
    }
    into[index]?.push({ from, by });
  };

  for (let at = 0; at < states.length; at++) {
    let doing = 'what can happen next';
    try {
      for (const move of system.moves(states[at] as S)) {
        doing = move.name;
        arrive(move.to(), at, move);
      }
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      throw new Error(`${error.message}. The way there:\n  ${wayTo(at)}\n  ${doing}`);
    }
  }

  const stuckWith = (movers: ReadonlySet<By>): number | undefined => {
    const reaches = new Uint8Array(states.length);
    const open: number[] = [];
    for (let at = 0; at < states.length; at++) if (system.isEnd(states[at] as S)) open.push(at);
    for (const end of open) reaches[end] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { from, by } of into[at] ?? []) {
        if (reaches[from] === 1 || !movers.has(by)) continue;
        reaches[from] = 1;
        open.push(from);
      }
    }
    const stuck = reaches.indexOf(0);
    return stuck === -1 ? undefined : stuck;
  };

  return { states, transitions, wayTo, stuckWith };
}

/**
 * Creates a function that gives each value a number. Equal values get the same number. The key of a state consists of
 * the numbers of its parts.
 */
export function createNumbering<T extends object>(describe: (value: T) => string): (value: T) => number {
  const numbers = new Map<string, number>();
  const seen = new WeakMap<T, number>();
  return (value) => {
    const before = seen.get(value);
    if (before !== undefined) return before;
    const text = describe(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    seen.set(value, number);
    return number;
  };
}
