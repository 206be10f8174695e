import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { OTHER_HTTP } from './guard.ts';

/** The maximum number of open connections without a valid token; the page needs six. */
export const MAX_UNPROVEN = 128;

export interface Connections {
  /** Records that a request on this socket had a valid token. */
  proven(socket: Socket): void;
}

/**
 * Limits the number of connections without a valid token. If the limit is exceeded, closes the oldest of these
 * connections. A client that opens hundreds of silent connections thus loses its own connections, and the page can
 * still connect.
 */
export function boundConnections(server: Server, most = MAX_UNPROVEN): Connections {
  const unproven = new Set<Socket>();
  server.on('connection', (socket) => {
    unproven.add(socket);
    socket.once('close', () => unproven.delete(socket));
    if (unproven.size <= most) return;
    const [oldest] = unproven;
    oldest?.destroy();
  });
  return { proven: (socket) => void unproven.delete(socket) };
}

/** Answers requests that Node's HTTP parser rejects. The answer has the same form as every other refusal. */
export function refuseUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const [status, code, sentence] = UNREADABLE[error.code ?? ''] ?? NOT_HTTP;
    const body = JSON.stringify({ error: sentence, code });
    const headers = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  });
}

type Answer = readonly [status: string, code: string, sentence: string];

const NOT_HTTP: Answer = ['400 Bad Request', 'bad_request', 'This is not a valid HTTP request'];
const OTHER_VERSION: Answer = ['505 HTTP Version Not Supported', 'http_version', OTHER_HTTP];
const UNREADABLE: Readonly<Record<string, Answer>> = {
  HPE_INVALID_VERSION: OTHER_VERSION,
  HPE_PAUSED_H2_UPGRADE: OTHER_VERSION,
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'too_large',
    'The headers of this request are larger than 16 KiB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'too_slow',
    'Baton did not receive the whole request in time. Send it again',
  ],
};
