import type { Notification } from '../../app/ports/notifier.ts';

/** Control characters, separators and bidi controls: Baton does not control how other programs show a notification. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

const MAX_TITLE = 120;
const MAX_BODY = 1_000;

export function plainNotification({ title, body, urgency }: Notification): Notification {
  const oneLine = title.replace(/\s+/g, ' ').replace(UNSEEN, '').trim();
  return {
    title: cut(oneLine, MAX_TITLE) || 'Baton',
    body: cut(body.replace(UNSEEN, '').trim(), MAX_BODY),
    urgency,
  };
}

/** Truncate by code point, not by UTF-16 unit. */
function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
