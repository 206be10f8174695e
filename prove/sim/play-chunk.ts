import { runSeed } from './run-seed.ts';

export interface Tally {
  readonly failed: readonly { readonly seed: number; readonly offences: readonly string[] }[];
  /** For each rare situation, the number of seeds in which the situation occurred. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function playChunk({ from, to }: { from: number; to: number }): Promise<Tally> {
  const failed: Tally['failed'][number][] = [];
  const counts: Record<string, number> = {};
  for (let seed = from; seed <= to; seed++) {
    const { offences, seen } = await runSeed(seed);
    if (offences.length > 0) failed.push({ seed, offences });
    for (const name of seen) counts[name] = (counts[name] ?? 0) + 1;
  }
  return { failed, counts };
}
