import type { Event, Run } from '../../../../contract/resources.ts';

type Step = Pick<Run['steps'][number], 'step' | 'entered_at'>;

/**
 * Groups events by the step in which they happened. Uses the log's events for entering a step and not the time, because
 * several steps may begin in one millisecond. A step that is entered again in the same attempt is listed once and gets
 * the later events, too.
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

/** The index of the last entry of the step that this event enters; `at` if there is none. */
function placeOf(steps: readonly Step[], at: number, event: Event): number {
  const place = steps.findLastIndex(
    ({ step, entered_at }) => step === event.data.to && Date.parse(entered_at) <= Date.parse(event.at),
  );
  return place >= 0 ? place : at;
}
