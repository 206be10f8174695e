export interface Notification {
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
}

export type Channel = 'os' | 'ntfy' | 'webhook';

export type ChannelOutcome =
  | { readonly channel: Channel; readonly outcome: 'sent' }
  /** `unavailable`: this machine does not support the channel. `failed`: it does, but sending failed. */
  | { readonly channel: Channel; readonly outcome: 'unavailable' | 'failed'; readonly sentence: string };

/** Notifies the operator outside Baton. Never throws and never waits long, because the inbox has the same text. */
export interface Notifier {
  /** Returns one outcome for each channel that is switched on. */
  send(notification: Notification): Promise<readonly ChannelOutcome[]>;
}
