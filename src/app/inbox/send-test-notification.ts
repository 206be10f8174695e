import type { Ports } from '../ports/index.ts';
import type { ChannelOutcome } from '../ports/notifier.ts';

/**
 * Sends a notification to every channel that is on, so that the operator can test the channels without waiting for a
 * failure.
 */
export async function sendTestNotification({
  notifier,
  secrets: { redact },
}: Pick<Ports, 'notifier' | 'secrets'>): Promise<readonly ChannelOutcome[]> {
  const body = 'This channel works. A tap on a notification opens Baton at the item that needs you.';
  const sent = await notifier.send({ title: 'Baton: test notification', body, urgency: 'normal' });
  return sent.map((each) => ('sentence' in each ? { ...each, sentence: redact(each.sentence) } : each));
}
