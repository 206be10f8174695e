import type { Behaviour } from '../behaviour.ts';
import type { Memory } from './memory.ts';

/** What the brain may know when it plans a turn. */
export interface Situation {
  readonly name: string;
  readonly projectName: string;
  readonly memory: Memory;
  readonly behaviour: Pick<Behaviour, 'handoff' | 'injection' | 'packages'>;
  readonly contextPercent: () => number;
  /** Is there such a file in the project? */
  readonly exists: (path: string) => boolean;
}
