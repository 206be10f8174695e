import type { IncomingMessage } from 'node:http';
import { ErrorBody } from '../../contract/resources.ts';
import { ANSWER_MS } from './send-request.ts';
import { SocketFault } from './socket-fault.ts';

/**
 * An answer of the server: the body if the request succeeded, and the refusal in the server's own words if not. The
 * body is undefined if it is not JSON.
 */
export type Answered = { readonly body: unknown } | { readonly refused: ErrorBody };

export async function readAnswer(answer: IncomingMessage, path: string): Promise<Answered> {
  const body = await readJson(answer);
  const status = answer.statusCode ?? 0;
  return status >= 200 && status < 300 ? { body } : { refused: refusalIn(body, `${path} with status ${status}`) };
}

export function refusalIn(body: unknown, what: string): ErrorBody {
  const refusal = ErrorBody.safeParse(body);
  return refusal.success ? refusal.data : { error: `Baton answered ${what}, without an explanation.`, code: 'failed' };
}

/** Reads the whole body as JSON. Throws SocketFault if the connection breaks or no more data arrive in time. */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  answer.setEncoding('utf8');
  answer.setTimeout(ANSWER_MS, () => answer.destroy(new Error(`Baton sent nothing more within ${ANSWER_MS / 1000} s`)));
  let text = '';
  try {
    for await (const chunk of answer) text += chunk;
  } catch (error) {
    throw new SocketFault('connection_lost', (error as Error).message);
  }
  return parseJson(text);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
