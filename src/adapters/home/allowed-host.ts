import type { z } from 'zod';

const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the reason why this text cannot be the name of a TLS proxy in front of Baton. Returns undefined if the text
 * can be such a name. The text must equal the name in the browser's Host header, so Baton refuses any other spelling
 * instead of correcting it.
 */
function whyNotAHost(text: string): string | undefined {
  if (text.includes('*')) return 'must be an exact name, without a wildcard';
  if (/[/@?#\s\\]/.test(text)) return 'must be only a name with or without a port (no http://, no path)';
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  if (name.includes(':') || name.startsWith('[') || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(name))
    return 'must be a name, not an IP address: only a name can have a certificate that browsers trust';
  if (/[A-Z]/.test(name)) return 'must be in lower case, as browsers send it';
  if (!NAME.test(name) || name.length > 253) return 'must be a host name such as baton.my-tailnet.ts.net';
  if (/(?:^|\.)localhost$/.test(name))
    return 'must be the name of a proxy; loopback is always allowed on the port that Baton listens on';
  if (port === undefined) return undefined;
  if (port === '443') return 'must leave out :443, as browsers do';
  return /^[1-9]/.test(port) && Number(port) <= 65_535 ? undefined : 'must have a port from 1 to 65535';
}

export function refuseHost(text: string, context: z.core.$RefinementCtx<string>): void {
  const message = whyNotAHost(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}
