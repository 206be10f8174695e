import { describe, expect, it } from 'vitest';
import { describeOffence, holds, isOffence } from '../../bench/delivery/referee.ts';
import { runBench } from '../../bench/delivery/run.ts';

/** Runs the same benchmark as `npm run bench:delivery`, with fewer deliveries. */
describe('the delivery bench', () => {
  it('the delivery bench finds no delivery that is lost, doubled or wrongly reported', {
    timeout: 600_000,
  }, async () => {
    const { result, rulings, breakdowns } = await runBench({ scale: 'smoke' });
    expect([...breakdowns, ...rulings.filter(isOffence).map(describeOffence)]).toEqual([]);
    expect(result.deliveries).toBeGreaterThanOrEqual(60);
    expect(result).toMatchObject({ accepted_once: result.deliverable, server_crashes: 0, dialog_approved: 0 });
    expect(holds(result)).toBe(true);
  });

  it.each([
    // The planted bug `no_guard` is tested with the `copy` profile, which puts panes into copy mode. A profile with dead
    // panes would find this bug only with tmux 3.3a, because newer versions of tmux survive a paste into a dead pane.
    { plant: 'no_guard', profile: 'copy', seen: 'typed_wrongly' },
    { plant: 'mark_after_paste', profile: 'crash', seen: 'doubled' },
    { plant: 'hook_alone', profile: 'policy', seen: 'false_success' },
  ] as const)('with the planted bug $plant, the delivery bench fails', async ({ plant, profile, seen }) => {
    const { result } = await runBench({ scale: 'smoke', plant, only: [profile] });
    expect(result[seen]).toBeGreaterThan(0);
    expect(holds(result)).toBe(false);
  });
});
