export interface Notification {
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
}

export type Channel = 'os' | 'ntfy' | 'webhook';

export type ChannelOutcome =
  | { readonly channel: Channel; readonly outcome: 'sent' }
  /** unavailable: this machine cannot; failed: it should have. */
  | { readonly channel: Channel; readonly outcome: 'unavailable' | 'failed'; readonly sentence: string };

/** Tells the operator where he is. Never throws and never waits long: what is told is stored elsewhere, always. */
export interface Notifier {
  /** One outcome for each channel that is switched on. */
  send(notification: Notification): Promise<readonly ChannelOutcome[]>;
}
