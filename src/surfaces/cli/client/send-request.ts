import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { CliFault, notRunning, ServerUnreachable } from '../cli-fault.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const NO_SERVER = ['ENOENT', 'ECONNREFUSED'];
const ANSWER_MS = 60_000;

/** Sends one request over the server's Unix socket; resolves when the answer's headers arrive. */
export function sendRequest(homePath: string, call: Call): Promise<IncomingMessage> {
  const text = call.body === undefined ? undefined : JSON.stringify(call.body);
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request({
      socketPath: join(homePath, 'baton.sock'),
      method: call.method,
      path: call.path,
      headers: headersOf(call, text),
      // A kept-alive connection would keep this process alive after its answer is printed.
      agent: false,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    const timer = setTimeout(() => sent.destroy(tooSlow(call)), ANSWER_MS);
    sent.on('close', () => clearTimeout(timer));
    sent.on('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    sent.on('error', (error) => reject(faultFor(error, homePath, call)));
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

function faultFor(error: NodeJS.ErrnoException, homePath: string, { method, path, signal }: Call): unknown {
  if (error instanceof CliFault) return error;
  if (signal?.aborted) return signal.reason;
  if (NO_SERVER.includes(error.code ?? '')) return notRunning(homePath);
  if (error.code === 'EACCES') {
    return new CliFault(`This user cannot open the server's socket in ${homePath}.`, { code: 'forbidden' });
  }
  return new ServerUnreachable(`The connection to Baton was lost during ${method} ${path}: ${error.message}`, {
    code: 'connection_lost',
    hint: 'Check whether it is still running: baton status',
  });
}

const tooSlow = ({ method, path }: Call): CliFault =>
  new CliFault(`Baton did not answer ${method} ${path} within ${ANSWER_MS / 1000} s.`, { code: 'no_answer' });
