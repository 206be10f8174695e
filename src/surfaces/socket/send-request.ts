import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { MAX_BODY_BYTES } from '../../contract/routes.ts';
import { SocketFault, type SocketFaultCode } from './socket-fault.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the beginning of the answer, in milliseconds. */
  readonly answerMs?: number;
}

export const ANSWER_MS = 60_000;

/** Maps the error codes of Node to faults. Any other code means that the connection was lost. */
const FAULTS: Readonly<Record<string, SocketFaultCode>> = {
  ENOENT: 'not_running',
  ECONNREFUSED: 'not_running',
  EACCES: 'forbidden',
};

/**
 * Sends a request over the server's Unix socket, as all of Baton's programs do. Resolves when the answer's headers
 * arrive. Rejects with SocketFault, or with the signal's reason if the request is aborted.
 */
export function sendRequest(homePath: string, call: Call): Promise<IncomingMessage> {
  const text = call.body === undefined ? undefined : JSON.stringify(call.body);
  const { method, path, signal, answerMs = ANSWER_MS } = call;
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath: join(homePath, 'baton.sock'),
      method,
      path,
      headers: headersOf(call, text),
      // Use a new connection for each request, so that a request reaches a restarted server and no idle connection
      // keeps this process alive.
      agent: false,
      ...(signal === undefined ? {} : { signal }),
    });
    const slow = new SocketFault('no_answer', `no answer within ${answerMs / 1000} s`);
    const timer = setTimeout(() => sent.destroy(slow), answerMs);
    sent.on('close', () => clearTimeout(timer));
    sent.on('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    sent.on('error', (error) => reject(signal?.aborted ? signal.reason : faultFor(error, text)));
    sent.end(text);
  });
}

function headersOf({ token, headers }: Call, text: string | undefined): Record<string, string> {
  return {
    host: 'localhost',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  };
}

function faultFor(error: NodeJS.ErrnoException, sent = ''): SocketFault {
  if (error instanceof SocketFault) return error;
  const code = FAULTS[error.code ?? ''] ?? 'connection_lost';
  // The server refuses a body that is too large and closes the connection, perhaps before this program can read the
  // refusal. Therefore the size of the body decides whether the fault is `too_large`.
  const isTooLarge = code === 'connection_lost' && Buffer.byteLength(sent) > MAX_BODY_BYTES;
  return new SocketFault(isTooLarge ? 'too_large' : code, error.message);
}
