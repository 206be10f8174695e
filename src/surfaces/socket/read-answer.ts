import type { IncomingMessage } from 'node:http';
import { ErrorBody } from '../../contract/resources.ts';
import { ANSWER_MS } from './send-request.ts';
import { SocketFault } from './socket-fault.ts';

/**
 * An answer of the server. After a success it has the body, which is undefined if the body is not JSON. After a failure
 * it has the refusal in the server's own words.
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
