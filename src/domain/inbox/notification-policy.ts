import type { InboxItem } from './inbox.ts';

/** What the operator can be told of outside of Baton. All but failures can be turned off, muted and held back. */
export const SWITCHED_TELLINGS = ['waits', 'finished', 'near_threshold', 'notices'] as const;
type SwitchedNotification = (typeof SWITCHED_TELLINGS)[number];
export type Telling = 'failures' | SwitchedNotification;

/** A run that halted, with whatever agent died in it, and what fails around Baton itself (its database, tmux, the spool). */
export function notificationCategoryOf({ key, kind }: Pick<InboxItem, 'key' | 'kind'>): Telling {
  if (kind === 'failure' || key.startsWith('trouble/')) return 'failures';
  if (/^agent\/\d+\/finished$/.test(key)) return 'finished';
  if (/^agent\/\d+\/near-threshold$/.test(key)) return 'near_threshold';
  return kind === 'notice' ? 'notices' : 'waits';
}

export interface NotificationRules {
  readonly isOn: (telling: SwitchedNotification) => boolean;
  readonly isQuiet: boolean;
  readonly isMuted: boolean;
}

/** `off`: not for as long as it is switched off. The others: later, when that is over. */
export type NotificationVerdict = 'now' | 'off' | 'quiet hours' | 'muted';

export function shouldNotify(item: Pick<InboxItem, 'key' | 'kind'>, rules: NotificationRules): NotificationVerdict {
  const telling = notificationCategoryOf(item);
  if (telling === 'failures') return 'now';
  if (!rules.isOn(telling)) return 'off';
  if (rules.isMuted) return 'muted';
  return rules.isQuiet ? 'quiet hours' : 'now';
}
