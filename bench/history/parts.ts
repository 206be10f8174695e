import type { Part } from '../frame/part.ts';
import { measureGrowth, OLD, ROUNDS } from './main.ts';

/**
 * How much history to generate with `--short`. A short run only shows that this benchmark still runs without errors.
 */
const SHORT = { agents: 300, lost: 10, runs: 250, events: 2_000, packages: 250 };

export const parts: readonly Part[] = [
  {
    id: 'P10',
    title: 'each part after years of history, divided by the same part in a young store',
    goal: 'ratio of the worst part at most 1.2, longest_block_ms at most 50',
    run: async ({ short, say }) => ({ ...(await measureGrowth(short ? SHORT : OLD, short ? 1 : ROUNDS, say)) }),
  },
];
