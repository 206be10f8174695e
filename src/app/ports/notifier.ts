export interface Notification {
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
  /** The inbox item that the notification is about. A notification without this field links to the whole inbox. */
  readonly target?: NotificationTarget;
}

/**
 * The inbox item that a notification is about, and the path of the page that shows it. The path alone gives no access,
 * because the page asks for a login.
 */
export interface NotificationTarget {
  /** A path such as /runs/8. */
  readonly path: string;
  readonly itemId: number;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly packageId: string | null;
}

export type Channel = 'os' | 'ntfy' | 'webhook';

export type ChannelOutcome =
  | { readonly channel: Channel; readonly outcome: 'sent' }
  /** `unavailable` means that this machine does not support the channel. `failed` means that sending failed. */
  | { readonly channel: Channel; readonly outcome: 'unavailable' | 'failed'; readonly sentence: string };

/**
 * Notifies the operator outside Baton. Never throws and never waits long: if a notification fails, the inbox still
 * contains the same text.
 */
export interface Notifier {
  /** Returns one outcome for each channel that is switched on. */
  send(notification: Notification): Promise<readonly ChannelOutcome[]>;
}
