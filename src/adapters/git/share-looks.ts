import { setTimeout as pause } from 'node:timers/promises';
import type { GitFacts } from '../../domain/handoffs/document/git-facts.ts';

/** Reads the facts of a folder's git repository, and looks up the given commits. Never throws. */
export type Look = (folder: string, commits: readonly string[]) => Promise<GitFacts>;

/**
 * The pause after each read of a folder's facts, as a multiple of the duration of the read. The pause is at most
 * MAX_REST_MS.
 */
const REST_FACTOR = 3;
const MAX_REST_MS = 1_000;

interface Planned {
  readonly commits: Set<string>;
  readonly found: Promise<GitFacts>;
}

/**
 * Lets callers share one read of a folder, because each read starts at least five git processes. All callers that ask
 * while a read runs get the result of the next read, so their facts are never older than their request.
 */
export function shareLooks(look: Look): Look {
  const underWay = new Map<string, Promise<void>>();
  const planned = new Map<string, Planned>();

  const begin = (folder: string, commits: ReadonlySet<string>): Promise<GitFacts> => {
    planned.delete(folder);
    const began = performance.now();
    const found = look(folder, [...commits]);
    const over = found.then(async () => {
      await pause(Math.min(MAX_REST_MS, REST_FACTOR * (performance.now() - began)), undefined, { ref: false });
      // This read and the pause after it are over. If the next read of the folder is planned, the next read begins now
      // and takes the place of this read in `underWay`. If no read is planned, remove this read from `underWay`.
      if (!planned.has(folder)) underWay.delete(folder);
    });
    underWay.set(folder, over);
    return found;
  };

  const plan = (folder: string): Planned => {
    const commits = new Set<string>();
    const before = underWay.get(folder);
    // Begin the read in a later microtask even if no other read is running. Until then, other callers can add the
    // commits that they want to look up.
    const found = Promise.resolve(before).then(() => begin(folder, commits));
    const made = { commits, found };
    planned.set(folder, made);
    return made;
  };

  return async (folder, commits) => {
    const { commits: all, found } = planned.get(folder) ?? plan(folder);
    for (const commit of commits) all.add(commit);
    const facts = await found;
    if (facts.kind !== 'repository') return facts;
    return { ...facts, unknownCommits: commits.filter((commit) => facts.unknownCommits.includes(commit)) };
  };
}
