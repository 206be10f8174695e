import type { Event, Run } from '../../../../contract/resources.ts';

type Step = Pick<Run['steps'][number], 'step' | 'entered_at'>;

/**
 * Groups events by the step in which they happened. A step begins at its event in the log and not at its time, because
 * several steps may begin in the same millisecond. If a run enters a step again in the same attempt, the later events
 * join the first group of this step.
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
 * Returns the index of the step that the event began. If the run entered this step several times, returns the latest
 * entry that is not later than the event. Returns `at` if the event began no step.
 */
function placeOf(steps: readonly Step[], at: number, event: Event): number {
  const place = steps.findLastIndex(
    ({ step, entered_at }) => step === event.data.to && Date.parse(entered_at) <= Date.parse(event.at),
  );
  return place >= 0 ? place : at;
}
