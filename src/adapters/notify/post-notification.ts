import type { ChannelOutcome, Notification } from '../../app/ports/notifier.ts';

type WebChannel = 'ntfy' | 'webhook';

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const POSTS: Readonly<Record<WebChannel, (notification: Notification) => Post>> = {
  ntfy: ({ title, body, urgency }) => ({
    headers: { 'content-type': 'text/plain; charset=utf-8', title: headerText(title), priority: PRIORITY[urgency] },
    body: body || title,
  }),
  webhook: ({ title, body, urgency }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'baton', title, body, urgency }),
  }),
};

const PRIORITY = { low: '2', normal: '3', critical: '5' } as const;

/** Encodes text that is not ASCII as in mail headers (RFC 2047), which ntfy decodes, because headers are ASCII only. */
const headerText = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/** Posts the notification. The URL may be a secret (a webhook's often is), so error sentences name only its host. */
export async function post(
  channel: WebChannel,
  url: string,
  notification: Notification,
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
