import type { Event } from '../../../contract/resources.ts';

export interface Note {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

const MAX_AT_ONCE = 3;

/**
 * The server's notifications, in its words. The server has already applied switched-off kinds, quiet hours and mutes. A
 * page that was disconnected gets many at once, which are merged into one.
 */
export function notesIn(events: readonly Event[]): readonly Note[] {
  const notes = events.flatMap(({ type, seq, data: { title, body } }) =>
    type === 'operator_notified' && typeof title === 'string' && typeof body === 'string'
      ? [{ title, body, tag: `baton-${seq}` }]
      : [],
  );
  if (notes.length <= MAX_AT_ONCE) return notes;
  const tag = notes.at(-1)?.tag ?? '';
  return [
    {
      title: `Baton: ${notes.length} notifications`,
      body: notes
        .map(({ title }) => title)
        .slice(0, 5)
        .join('\n'),
      tag,
    },
  ];
}
