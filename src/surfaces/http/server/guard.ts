import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../../domain/refusals.ts';

/** The caller of a request, according to the request's token. An agent can use only the routes for agents. */
export type Caller =
  /**
   * The operator. `session` is set only if the request came from a logged-in page. `machine` is set only if the
   * operator sent the request from another machine.
   */
  | { readonly kind: 'operator'; readonly session?: string; readonly machine?: string }
  | { readonly kind: 'agent'; readonly agentId: number }
  | { readonly kind: 'nobody' };

/** One address that requests may use: the exact value of the Host header, and the Origin of pages from this address. */
export interface Address {
  readonly host: string;
  readonly origin: string;
}

export interface GuardRules {
  /** The server's own addresses; undefined on the Unix socket, which browsers cannot reach. */
  readonly addresses: readonly Address[] | undefined;
  readonly callerOf: (token: string) => Caller;
  /** The exact paths that the page shell needs before it has a token. */
  readonly openPaths: ReadonlySet<string>;
}

/**
 * Checks every request before a route is chosen. Compares the Origin only with fixed addresses: under DNS rebinding,
 * the Host header has the same false value as the Origin. Refuses an unusual form of a path instead of normalizing it.
 */
export function validateHttp(request: IncomingMessage, rules: GuardRules): Caller | Refusal {
  return (
    refuseVersion(request) ??
    refuseTarget(request) ??
    refuseSource(request, rules) ??
    refuseBody(request) ??
    identify(request, rules)
  );
}

const forbidden = (sentence: string): Refusal => ({ code: 'forbidden', sentence });

export const OTHER_HTTP = 'Baton supports only HTTP/1.1';

/**
 * Refuses HTTP/2.0. Node's parser would accept a request line with HTTP/2.0, and the server would answer in HTTP/1.1.
 */
const refuseVersion = ({ httpVersionMajor }: IncomingMessage): Refusal | undefined =>
  httpVersionMajor === 1 ? undefined : { code: 'http_version', sentence: OTHER_HTTP };

function refuseTarget({ url = '', method = '' }: IncomingMessage): Refusal | undefined {
  if (!['GET', 'POST'].includes(method)) return forbidden(`Method ${method} is not supported`);
  const path = url.split('?', 1)[0] ?? '';
  const plain =
    /^\/[A-Za-z0-9/._-]*$/.test(path) &&
    !path.includes('//') &&
    !path.split('/').includes('..') &&
    !path.split('/').includes('.');
  return plain
    ? undefined
    : {
        code: 'bad_request',
        sentence:
          'A request path may contain only letters, digits and / . _ -; none of its parts may be empty, "." or ".."',
      };
}

/** Ignores X-Forwarded-… headers, because any client that reaches this port can forge them. */
function refuseSource(request: IncomingMessage, { addresses }: GuardRules): Refusal | undefined {
  if (addresses === undefined) return undefined;
  const given = valuesOf(request, 'host');
  const address = given.length === 1 ? addresses.find(({ host }) => host === given[0]) : undefined;
  if (address === undefined)
    return forbidden('This Host header is not an address of Baton; use the address that `baton open` prints');
  if (valuesOf(request, 'origin').some((origin) => origin !== address.origin))
    return forbidden('Baton refuses requests from other websites');
  return undefined;
}

/**
 * The addresses that requests may use: the loopback names over HTTP, and the allowed hosts over HTTPS. The operator's
 * own proxy provides HTTPS.
 */
export const addressesOf = (port: number, allowedHosts: readonly string[]): readonly Address[] => [
  ...['127.0.0.1', 'localhost', '[::1]'].map((name) => ({
    host: `${name}:${port}`,
    origin: `http://${name}:${port}`,
  })),
  ...allowedHosts.map((host) => ({ host, origin: `https://${host}` })),
];

function refuseBody(request: IncomingMessage): Refusal | undefined {
  if (request.method === 'GET') return undefined;
  const type = (valuesOf(request, 'content-type')[0] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json'
    ? undefined
    : { code: 'unsupported_media_type', sentence: 'Send the body as application/json' };
}

function identify(request: IncomingMessage, { callerOf, openPaths }: GuardRules): Caller | Refusal {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const given = valuesOf(request, 'authorization');
  const token = given.length === 1 ? /^Bearer ([A-Za-z0-9_-]{16,200})$/.exec(given[0] ?? '')?.[1] : undefined;
  const caller: Caller = token === undefined ? { kind: 'nobody' } : callerOf(token);
  if (caller.kind !== 'nobody' || openPaths.has(path)) return caller;
  return {
    code: 'unauthorized',
    sentence: 'This request needs a valid token; `baton open` prints an address that logs the page in',
  };
}

/** Reads a header from the raw headers, because Node joins or drops duplicates, and a duplicate Host is an attack. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** Compares two hashes of the same length in constant time. */
export const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
