import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the probe returns true. Returns false when the time is up. */
export async function holds(probe: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await probe())) {
    if (performance.now() > deadline) return false;
    await sleep(8);
  }
  return true;
}

export async function until(what: string, probe: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  if (!(await holds(probe, withinMs))) throw new Error(`the bench waited ${withinMs} ms for: ${what}`);
}
