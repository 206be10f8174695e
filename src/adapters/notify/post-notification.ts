import type { ChannelOutcome, Notification } from '../../app/ports/notifier.ts';
import type { Linked } from './plain-notification.ts';

type WebChannel = 'ntfy' | 'webhook';

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const POSTS: Readonly<Record<WebChannel, (notification: Linked) => Post>> = {
  ntfy: ({ title, body, urgency, target, url }) => ({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: headerText(title),
      priority: PRIORITY[urgency],
      click: url,
      actions: JSON.stringify([{ action: 'view', label: labelOf(target), url }]),
    },
    body: body || title,
  }),
  webhook: ({ title, body, urgency, target, url }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      source: 'baton',
      title,
      body,
      urgency,
      url,
      item_id: target?.itemId ?? null,
      agent_id: target?.agentId ?? null,
      run_id: target?.runId ?? null,
      package_id: target?.packageId ?? null,
    }),
  }),
};

/**
 * Returns the label of the button in ntfy. The button only opens the page. Baton offers no button that sends a request,
 * because a notification alone must not allow anybody to change anything in Baton.
 */
function labelOf(target: Notification['target']): string {
  if (target === undefined || target.path === '/inbox') return 'Open inbox';
  if (target.path.startsWith('/packages/')) return `Open ${target.packageId}`;
  return target.path.startsWith('/runs/') ? `Open handoff ${target.runId}` : `Open agent ${target.agentId}`;
}

const PRIORITY = { low: '2', normal: '3', critical: '5' } as const;

/** Headers may contain only ASCII, so other text is encoded as in mail headers (RFC 2047). ntfy decodes this form. */
const headerText = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/**
 * Posts the notification to an address. The URL of a webhook is often a secret, so error messages contain only the
 * host.
 */
export async function post(
  channel: WebChannel,
  url: string,
  notification: Linked,
  timeoutMs: number,
): Promise<ChannelOutcome> {
  const { host } = new URL(url);
  const failed = (what: string): ChannelOutcome => ({
    channel,
    outcome: 'failed',
    sentence: `The notification could not be sent to the ${channel} at ${host}: ${what}.`,
  });
  try {
    const answer = await fetch(url, {
      method: 'POST',
      ...POSTS[channel](notification),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    if (answer.ok) return { channel, outcome: 'sent' };
    const isRedirect = answer.status >= 300 && answer.status < 400;
    return failed(
      isRedirect ? 'it answered with a redirect, which Baton does not follow' : `it answered ${answer.status}`,
    );
  } catch (error) {
    return failed(reasonOf(error, timeoutMs));
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if ((error as Error).name === 'TimeoutError') return `it did not answer within ${timeoutMs / 1000} seconds`;
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  return typeof code === 'string' ? `it cannot be reached (${code})` : 'it cannot be reached';
}
