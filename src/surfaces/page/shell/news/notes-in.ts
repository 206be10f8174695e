import type { Event } from '../../../../contract/resources.ts';

export interface Note {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** The path of the page where the operator can act. */
  readonly path: string;
}

const MAX_AT_ONCE = 3;

/**
 * Returns the browser notifications for the given events, in the server's words. If there are many notifications, for
 * example after a lost connection, merges them into one. The server has already left out notifications that are
 * switched off, muted or in quiet hours.
 */
export function notesIn(events: readonly Event[]): readonly Note[] {
  const notes = events.flatMap(({ type, seq, data: { title, body, path } }) =>
    type === 'operator_notified' && typeof title === 'string' && typeof body === 'string'
      ? [{ title, body, tag: `baton-${seq}`, path: typeof path === 'string' ? path : '/inbox' }]
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
      path: '/inbox',
    },
  ];
}
