/** The parts of one request, before they are joined into bytes. */
export interface RequestParts {
  readonly method: string;
  readonly path: string;
  readonly version: string;
  /** The value of the Host header; null if the request has no Host header. */
  readonly host: string | null;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A change that makes an ordinary request hostile. Baton must refuse the changed request on every route. */
export interface RequestShape {
  readonly name: string;
  readonly change: (
    parts: RequestParts,
    own: { readonly port: number; readonly token: string },
  ) => Partial<RequestParts>;
}

type Own = Parameters<RequestShape['change']>[1];

const host = (name: string, make: (own: Own) => string | null): RequestShape => ({
  name: `Host: ${name}`,
  change: (_, own) => ({ host: make(own) }),
});
const more = (name: string, make: (own: Own) => readonly string[]): RequestShape => ({
  name,
  change: ({ headers }, own) => ({ headers: [...headers, ...make(own)] }),
});
const origin = (name: string, make: (own: Own) => string): RequestShape =>
  more(`Origin: ${name}`, (own) => [`Origin: ${make(own)}`]);
const instead = (name: string, line: string, make: (own: Own) => readonly string[]): RequestShape => ({
  name,
  change: ({ headers }, own) => ({
    headers: [...headers.filter((each) => !each.startsWith(`${line}:`)), ...make(own)],
  }),
});
const token = (name: string, make: (own: Own) => readonly string[]): RequestShape =>
  instead(`token: ${name}`, 'Authorization', make);
const path = (name: string, make: (path: string) => string): RequestShape => ({
  name: `path: ${name}`,
  change: (parts) => ({ path: make(parts.path) }),
});
const method = (name: string): RequestShape => ({ name: `method ${name}`, change: () => ({ method: name }) });
/**
 * A POST whose content type is not JSON. A page from another site can send most of these requests without a preflight
 * request.
 */
const type = (name: string, lines: readonly string[]): RequestShape => ({
  name: `content type: ${name}`,
  change: ({ headers }) => ({
    method: 'POST',
    body: '{}',
    headers: [...headers.filter((each) => !each.startsWith('Content-Type:')), ...lines],
  }),
});

/**
 * Host names of the operator's own proxy. The server under attack lists them in `allowed_hosts`. Each host name allows
 * exactly one Origin.
 */
export const ALLOWED = 'baton.example.test';
export const OTHER_ALLOWED = 'other.example.test:8443';

const through = (name: string, make: (own: Own) => readonly string[]): RequestShape => ({
  name: `allowed Host: ${name}`,
  change: ({ headers }, own) => ({ host: ALLOWED, headers: [...headers, ...make(own)] }),
});
const withoutToken = ({ headers }: RequestParts): readonly string[] =>
  headers.filter((line) => !line.startsWith('Authorization:'));

/**
 * Baton must refuse a host name or an Origin that only resembles an allowed one. Baton must also ignore the forwarding
 * headers of a proxy.
 */
const THROUGH_A_PROXY: readonly RequestShape[] = [
  ...[
    ...[`http://${ALLOWED}`, `https://${ALLOWED}:443`, `https://${ALLOWED}.`, `https://${OTHER_ALLOWED}`],
    ...[`https://evil.${ALLOWED}`, `https://${ALLOWED}.evil.test`, 'https://evil.test', 'null'],
  ].map((value) => through(`Origin ${value}`, () => [`Origin: ${value}`])),
  through('Origin of loopback', ({ port }) => [`Origin: http://127.0.0.1:${port}`]),
  origin('of an allowed host', () => `https://${ALLOWED}`),
  origin('another name of loopback', ({ port }) => `http://localhost:${port}`),
  ...[
    `${ALLOWED}:80`,
    `${ALLOWED}.`,
    ALLOWED.toUpperCase(),
    `evil.${ALLOWED}`,
    `${ALLOWED}.evil.test`,
    'example.test',
  ].map((value) => host(`almost allowed, ${value}`, () => value)),
  host('allowed, of another port', () => OTHER_ALLOWED.replace(/:\d+$/, '')),
  host('allowed, with our port', ({ port }) => `${ALLOWED}:${port}`),
  {
    name: 'a rebound name with its own Origin',
    change: ({ headers }, { port }) => ({
      host: `evil.test:${port}`,
      headers: [...headers, `Origin: http://evil.test:${port}`],
    }),
  },
  {
    name: 'a foreign Host that a proxy calls allowed',
    change: ({ headers }) => ({
      host: 'evil.test',
      headers: [...headers, `X-Forwarded-Host: ${ALLOWED}`, 'X-Forwarded-Proto: https', `Forwarded: host=${ALLOWED}`],
    }),
  },
  through('a foreign Origin that a proxy calls allowed', () => [
    ...['Origin: https://evil.test', `X-Forwarded-Host: ${ALLOWED}`, 'X-Forwarded-For: 127.0.0.1'],
  ]),
  {
    name: 'allowed Host: no token',
    change: (parts) => ({ host: ALLOWED, headers: [...withoutToken(parts), `Origin: https://${ALLOWED}`] }),
  },
  {
    name: 'allowed Host: no token, from a proxy on this machine',
    change: (parts) => ({
      host: ALLOWED,
      headers: [...withoutToken(parts), 'X-Forwarded-For: 127.0.0.1', 'Tailscale-User-Login: con@example.test'],
    }),
  },
];

const otherCase = (text: string): string =>
  text.replace(/[a-z]/i, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));

export const REQUEST_SHAPES: readonly RequestShape[] = [
  ...THROUGH_A_PROXY,
  host('foreign', () => 'evil.test'),
  host('foreign with our port', ({ port }) => `evil.test:${port}`),
  host('other port', ({ port }) => `127.0.0.1:${port + 1}`),
  host('no port', () => '127.0.0.1'),
  host('trailing dot', ({ port }) => `localhost.:${port}`),
  host('upper case', ({ port }) => `LOCALHOST:${port}`),
  host('another loopback address', ({ port }) => `127.0.0.2:${port}`),
  host('short form', ({ port }) => `127.1:${port}`),
  host('as one number', ({ port }) => `2130706433:${port}`),
  host('all addresses', ({ port }) => `0.0.0.0:${port}`),
  host('mapped into IPv6', ({ port }) => `[::ffff:127.0.0.1]:${port}`),
  host('with a user', ({ port }) => `evil@127.0.0.1:${port}`),
  host('ours as a beginning', ({ port }) => `127.0.0.1:${port}.evil.test`),
  host('empty', () => ''),
  host('none', () => null),
  more('Host twice', () => ['Host: evil.test']),
  { name: 'HTTP/1.0 without Host', change: () => ({ version: 'HTTP/1.0', host: null }) },
  origin('null', () => 'null'),
  origin('foreign', () => 'http://evil.test'),
  origin('foreign with our port', ({ port }) => `http://evil.test:${port}`),
  origin('another scheme', ({ port }) => `https://127.0.0.1:${port}`),
  origin('another port', ({ port }) => `http://127.0.0.1:${port + 1}`),
  origin('ours as a beginning', ({ port }) => `http://127.0.0.1:${port}.evil.test`),
  origin('a file', () => 'file://'),
  origin('an extension', () => 'chrome-extension://abcdefghijklmnop'),
  more('Origin: ours and a foreign one', ({ port }) => [
    `Origin: http://127.0.0.1:${port}`,
    'Origin: http://evil.test',
  ]),
  token('none', () => []),
  token('wrong', () => [`Authorization: Bearer ${'x'.repeat(43)}`]),
  token('cut short', (own) => [`Authorization: Bearer ${own.token.slice(0, -1)}`]),
  token('more behind it', (own) => [`Authorization: Bearer ${own.token}x`]),
  token('one letter in the other case', (own) => [`Authorization: Bearer ${otherCase(own.token)}`]),
  token('as Basic', (own) => [`Authorization: Basic ${own.token}`]),
  token('bare', (own) => [`Authorization: ${own.token}`]),
  token('in a cookie', (own) => [`Cookie: token=${own.token}`]),
  token('in a header of its own', (own) => [`X-Api-Key: ${own.token}`]),
  token('twice', (own) => [`Authorization: Bearer ${own.token}`, `Authorization: Bearer ${'y'.repeat(43)}`]),
  {
    name: 'token: in the query',
    change: ({ headers, path: plain }, own) => ({
      path: `${plain}?token=${own.token}`,
      headers: headers.filter((each) => !each.startsWith('Authorization:')),
    }),
  },
  path('dot-dot', (plain) => `/x/..${plain}`),
  path('one dot', (plain) => `/.${plain}`),
  path('doubled slash', (plain) => `/${plain}`),
  path('encoded dots', (plain) => `/x/%2e%2e${plain}`),
  path('encoded letter', (plain) => plain.replace('a', '%61')),
  path('encoded twice', (plain) => plain.replace('a', '%2561')),
  path('encoded NUL', (plain) => `${plain}%00`),
  path('parameters', (plain) => `${plain};x=1`),
  path('backslash', (plain) => plain.replace('/api', '\\api')),
  path('absolute form', (plain) => `http://evil.test${plain}`),
  path('upper case', (plain) => plain.toUpperCase()),
  path('slash at the end', (plain) => `${plain}/`),
  ...['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'].map(method),
  type('text', ['Content-Type: text/plain']),
  type('a form', ['Content-Type: application/x-www-form-urlencoded']),
  type('parts', ['Content-Type: multipart/form-data; boundary=x']),
  type('nearly JSON', ['Content-Type: application/jsonx']),
  type('none', []),
  more('two lengths of one body', () => ['Transfer-Encoding: chunked']),
  more('a length that is none', () => ['Content-Length: -1']),
  more('a header that never ends', () => [`X-Long: ${'x'.repeat(20_000)}`]),
];

export function compose(parts: RequestParts): string {
  return [
    `${parts.method} ${parts.path} ${parts.version}`,
    ...(parts.host === null ? [] : [`Host: ${parts.host}`]),
    ...parts.headers,
    `Content-Length: ${Buffer.byteLength(parts.body)}`,
    '',
    parts.body,
  ].join('\r\n');
}

export const plainRequest = (method: string, target: string, { port, token: own }: Own): RequestParts => ({
  method,
  path: target,
  version: 'HTTP/1.1',
  host: `127.0.0.1:${port}`,
  headers: [`Authorization: Bearer ${own}`, 'Content-Type: application/json', 'Connection: close'],
  body: method === 'POST' ? '{}' : '',
});
