import type { Spool, Spooled } from '../../../src/app/ports/spool.ts';

export async function waitingIn(spool: Spool): Promise<readonly Spooled[]> {
  const all: Spooled[] = [];
  for await (const batch of spool.waiting()) all.push(...batch);
  return all;
}
