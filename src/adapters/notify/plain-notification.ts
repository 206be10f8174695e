import type { Notification } from '../../app/ports/notifier.ts';
import { withoutHidden } from '../../domain/hidden-characters.ts';

/** A notification with the address of the item's page. */
export interface Linked extends Notification {
  readonly url: string;
}

const MAX_TITLE = 120;
const MAX_BODY = 1_000;

/** Removes hidden characters, because Baton does not control how other programs show a notification. */
export function plainNotification({ title, body, ...rest }: Notification): Notification {
  const oneLine = withoutHidden(title.replace(/\s+/g, ' ')).trim();
  return {
    title: cut(oneLine, MAX_TITLE) || 'Baton',
    body: cut(withoutHidden(body).replaceAll('\t', '').trim(), MAX_BODY),
    ...rest,
  };
}

/** Truncates by code point, because a cut between two UTF-16 units could split a character. */
function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
