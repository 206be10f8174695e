import type { Event, Run } from '../../../../contract/resources.ts';

type Step = Pick<Run['steps'][number], 'step' | 'entered_at'>;

/**
 * Groups events by the step in which they happened. The event that begins a step divides the groups. The times of the
 * steps could not divide them, because several steps may begin in the same millisecond. If the run repeats a step
 * within one attempt, the step still has only one group.
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
 * Returns the index of the step that the event began, or `at` if the event began no step. If the run entered this step
 * several times, returns the last time that is not later than the event.
 */
function placeOf(steps: readonly Step[], at: number, event: Event): number {
  const place = steps.findLastIndex(
    ({ step, entered_at }) => step === event.data.to && Date.parse(entered_at) <= Date.parse(event.at),
  );
  return place >= 0 ? place : at;
}
