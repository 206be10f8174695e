import type { Event, Run } from '../../../../contract/resources.ts';

type Step = Pick<Run['steps'][number], 'step' | 'entered_at'>;

/**
 * Groups events by the step in which they happened. The log's own events mark the start of a step, because several
 * steps may begin in one millisecond. A step that is entered again in the same attempt is listed once, and later events
 * are added to it.
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

/** Returns the index of the last step that this event can have begun. If there is none, returns `at`. */
function placeOf(steps: readonly Step[], at: number, event: Event): number {
  const place = steps.findLastIndex(
    ({ step, entered_at }) => step === event.data.to && Date.parse(entered_at) <= Date.parse(event.at),
  );
  return place >= 0 ? place : at;
}
