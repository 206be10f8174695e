import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCall } from '../../contract/packages/package-tools.ts';
import { ErrorBody } from '../../contract/resources.ts';

export type Answered = { readonly body: unknown } | { readonly refused: ErrorBody };

export interface BatonApi {
  /** Never throws: faults come back in the same form as the server's refusals. */
  ask(call: ToolCall): Promise<Answered>;
}

export interface Connection {
  readonly homePath: string;
  /** The agent's token, never the operator's; empty outside an agent's session. */
  readonly token: string;
  /** How long to wait for a server that is restarting. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 5_000;
const RETRY_MS = 100;
const ANSWER_MS = 60_000;
const NOBODY_THERE = ['ENOENT', 'ECONNREFUSED'];

/** Opens one connection per call, so that the next call reaches a server that was killed and restarted. */
export function createBatonApi({ homePath, token, patienceMs = PATIENCE_MS }: Connection): BatonApi {
  const once = async (call: ToolCall): Promise<Answered> => read(await send(join(homePath, 'baton.sock'), token, call));
  return {
    ask: async (call) => {
      if (token === '') return { refused: NO_TOKEN };
      const until = performance.now() + patienceMs;
      for (;;) {
        try {
          return await once(call);
        } catch (error) {
          const isSafe = call.method === 'GET' || wasNotSent(error);
          if (!isSafe || performance.now() >= until) return { refused: faultOf(error, homePath) };
          await pause(RETRY_MS);
        }
      }
    },
  };
}

function send(socketPath: string, token: string, { method, path, body }: ToolCall): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost',
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    };
    const sent = request({ socketPath, method, path, headers, agent: false, timeout: ANSWER_MS }, resolve);
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(text);
  });
}

async function read(answer: IncomingMessage): Promise<Answered> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  const body: unknown = JSON.parse(text);
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return { body };
  return { refused: ErrorBody.parse(body) };
}

const wasNotSent = (error: unknown): boolean => NOBODY_THERE.includes((error as NodeJS.ErrnoException).code ?? '');

const NO_TOKEN: ErrorBody = {
  code: 'unauthorized',
  error: 'These tools work only for an agent that Baton started, but BATON_AGENT_TOKEN is not set here.',
};

function faultOf(error: unknown, homePath: string): ErrorBody {
  if (wasNotSent(error))
    return { code: 'not_running', error: `Baton is not running on ${homePath}, so nothing was done.` };
  // The server refuses a body that is too large while it is still being sent.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE')
    return { code: 'too_large', error: 'The request is too large for Baton, so nothing was done.' };
  return {
    code: 'connection_lost',
    error: `The connection to Baton was lost, so it is not known whether this was done: ${(error as Error).message}.`,
  };
}
