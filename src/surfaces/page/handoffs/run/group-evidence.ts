import type { Event, Run } from '../../../../contract/resources.ts';

type Step = Pick<Run['steps'][number], 'step' | 'entered_at'>;

/**
 * Groups events by the step in which they happened. Each group begins with the event that began the step. The times of
 * the steps cannot separate the groups, because several steps may begin in the same millisecond. If the run repeats a
 * step within one attempt, the step still has only one group.
 */
export function groupEvidence(steps: readonly Step[], events: readonly Event[]): readonly (readonly Event[])[] {
  const groups: Event[][] = steps.map(() => []);
  let at = 0;
  for (const event of [...events].sort((one, other) => one.seq - other.seq)) {
    if (event.type === 'handoff_progress') at = placeOf(steps, at, event);
    groups[at]?.push(event);
  }
  return groups;
}

/**
 * Returns the index (in `steps`) of the step that the event began. If `steps` contains this step several times, returns
 * the last index whose step did not begin after the event. If the event began no step, returns `at`, the index of the
 * step that the run was at.
 */
function placeOf(steps: readonly Step[], at: number, event: Event): number {
  const place = steps.findLastIndex(
    ({ step, entered_at }) => step === event.data.to && Date.parse(entered_at) <= Date.parse(event.at),
  );
  return place >= 0 ? place : at;
}
