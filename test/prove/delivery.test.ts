import { describe, expect, it } from 'vitest';
import { describeOffence, holds, isOffence } from '../../bench/delivery/referee.ts';
import { runBench } from '../../bench/delivery/run.ts';

/** The same as `npm run bench:delivery`, with fewer deliveries. */
describe('the delivery bench', () => {
  it('finds no lost, doubled or misreported delivery in any profile or size', { timeout: 120_000 }, async () => {
    const { result, rulings, breakdowns } = await runBench({ scale: 'smoke' });
    expect([...breakdowns, ...rulings.filter(isOffence).map(describeOffence)]).toEqual([]);
    expect(result.deliveries).toBeGreaterThanOrEqual(60);
    expect(result).toMatchObject({ accepted_once: result.deliverable, server_crashes: 0, dialog_approved: 0 });
    expect(holds(result)).toBe(true);
  });

  it.each([
    // Versions of tmux after 3.3a survive a paste into a dead pane, so use the copy profile instead of a server crash.
    { plant: 'no_guard', profile: 'copy', seen: 'typed_wrongly' },
    { plant: 'mark_after_paste', profile: 'crash', seen: 'doubled' },
    { plant: 'hook_alone', profile: 'policy', seen: 'false_success' },
  ] as const)('fails with the planted bug $plant', { timeout: 60_000 }, async ({ plant, profile, seen }) => {
    const { result } = await runBench({ scale: 'smoke', plant, only: [profile] });
    expect(result[seen]).toBeGreaterThan(0);
    expect(holds(result)).toBe(false);
  });
});
