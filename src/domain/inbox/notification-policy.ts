import type { InboxItem } from './inbox.ts';

/**
 * Categories of notifications that can be turned off, muted and delayed. Notifications of failures are always sent at
 * once.
 */
export const SWITCHED_TELLINGS = ['waits', 'finished', 'near_threshold', 'notices'] as const;
type SwitchedNotification = (typeof SWITCHED_TELLINGS)[number];
export type Telling = 'failures' | SwitchedNotification;

/**
 * Returns the category of a notification. Failures are the inbox items of the kind `failure` and the problems of Baton
 * itself (its database, tmux, the spool).
 */
export function notificationCategoryOf({ cause, kind }: Pick<InboxItem, 'cause' | 'kind'>): Telling {
  if (kind === 'failure' || cause.of === 'trouble') return 'failures';
  if (cause.of === 'agent' && cause.what === 'finished') return 'finished';
  if (cause.of === 'agent' && (cause.what === 'near-threshold' || cause.what === 'countdown')) return 'near_threshold';
  return kind === 'notice' ? 'notices' : 'waits';
}

export interface NotificationRules {
  readonly isOn: (telling: SwitchedNotification) => boolean;
  readonly isQuiet: boolean;
  readonly isMuted: boolean;
}

/**
 * Whether Baton sends a notification now. `off`: the operator has turned the category of the notification off, so Baton
 * never sends it. `quiet hours`, `muted`: Baton sends the notification when the quiet hours or the mute end.
 */
export type NotificationVerdict = 'now' | 'off' | 'quiet hours' | 'muted';

export function shouldNotify(item: Pick<InboxItem, 'cause' | 'kind'>, rules: NotificationRules): NotificationVerdict {
  const telling = notificationCategoryOf(item);
  if (telling === 'failures') return 'now';
  if (!rules.isOn(telling)) return 'off';
  if (rules.isMuted) return 'muted';
  return rules.isQuiet ? 'quiet hours' : 'now';
}
