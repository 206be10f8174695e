import type { Behaviour } from '../behaviour.ts';
import type { Memory } from './memory.ts';

/** The input from which the brain plans a turn. */
export interface Situation {
  readonly name: string;
  readonly projectName: string;
  readonly memory: Memory;
  readonly behaviour: Pick<Behaviour, 'handoff' | 'injection' | 'packages'>;
  readonly contextPercent: () => number;
  /** True if the project has this file. */
  readonly exists: (path: string) => boolean;
}
