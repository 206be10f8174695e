import type { Behaviour } from '../behaviour.ts';
import type { Memory } from './memory.ts';

/** The input from which the brain plans a turn. */
export interface Situation {
  readonly name: string;
  readonly projectName: string;
  readonly memory: Memory;
  readonly behaviour: Pick<Behaviour, 'handoff' | 'injection' | 'packages'>;
  readonly contextPercent: () => number;
  /** Returns whether the project has a file with this path. */
  readonly exists: (path: string) => boolean;
}
