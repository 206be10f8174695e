import type { Part } from '../frame/part.ts';
import { measureFlood } from './flood.ts';
import { measureHook } from './hook.ts';
import { measureIngest } from './ingest.ts';
import { measureStarting } from './starting.ts';
import { measureWatching } from './watching.ts';

/** The parts that measure the server itself: storing events, watching idle agents, start and memory. */
export const parts: readonly Part[] = [
  {
    id: 'P6',
    title: 'hook events of 8 agents from the spool into the store',
    goal: 'ratio at least 0.25, p99 at 1,000 events a second at most 4 times the floor',
    run: measureIngest,
  },
  {
    id: 'P7',
    title: 'the hook script, as the agent sees it, beside a static C program',
    goal: 'ratio at most 2.5',
    run: measureHook,
  },
  {
    id: 'P8',
    title: 'CPU time of watching 100 idle agents',
    goal: 'ratio at most 5',
    run: measureWatching,
  },
  {
    id: 'P9',
    title: 'start until the first answer, memory when idle, and one command',
    goal: 'ratio at most 4, 115 MB, cli_ratio at most 2.3',
    run: measureStarting,
  },
  {
    id: 'flood',
    title: '1,000 hook events a second for a minute',
    goal: 'health p99 under 200 ms, memory under 250 MB, no event lost',
    run: measureFlood,
  },
];
