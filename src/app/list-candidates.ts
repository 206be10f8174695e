import type { Candidate } from '../domain/candidate.ts';
import type { Ports } from './world.ts';

export interface SeenCandidate extends Candidate {
  readonly alive: boolean;
}

/** Clocks are set, and starts of processes are told in whole seconds. */
const SLACK_MS = 60_000;

/** Latest first. A process that began after the session told of itself is another one that got its number. */
export async function listCandidates(ports: Ports): Promise<readonly SeenCandidate[]> {
  const all = ports.store.read((tx) => tx.candidates());
  return Promise.all(
    all.map(async (candidate) => {
      const { pid, endedAt, lastSeenAt } = candidate;
      const startedMs = pid === null || endedAt !== null ? undefined : await ports.processStartedMs(pid);
      return { ...candidate, alive: startedMs !== undefined && startedMs <= Date.parse(lastSeenAt) + SLACK_MS };
    }),
  );
}
