import type { ErrorBody } from '../../../contract/resources.ts';
import { readToken } from './token.ts';

/** The server's refusal. Its sentence is shown unchanged. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.error);
    this.status = status;
    this.body = body;
  }
}

const headers = (): Record<string, string> => {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}` };
};

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read(await reach(path, { headers: headers(), ...(signal && { signal }) }));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const sent = { ...headers(), 'content-type': 'application/json' };
  return read(await reach(path, { method: 'POST', headers: sent, body: JSON.stringify(body) }));
}

/**
 * Returns the body of an answer as a stream. The caller ends the stream through the signal. If the server refuses the
 * request, throws the refusal.
 */
export async function openStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await reach(path, { headers: { ...headers(), accept: 'text/event-stream' }, signal });
  if (!response.ok || response.body === null) throw await refusalIn(response);
  return response.body;
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...request, credentials: 'omit', redirect: 'error' });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Error('Baton does not answer. If Baton is not running, start it on its machine.');
  }
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) throw await refusalIn(response);
  return (await response.json()) as T;
}

async function refusalIn(response: Response): Promise<Refused> {
  const unclear = { error: `Baton answered with status ${response.status}.`, code: 'internal' };
  const body = (await response.json().catch(() => unclear)) as ErrorBody;
  return new Refused(response.status, typeof body.error === 'string' ? body : unclear);
}

/** Returns the sentence of an error and, if there is one, the hint about what to do next. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused) {
    const { error: sentence, hint } = error.body;
    return hint ? `${sentence}${/[.!?]$/.test(sentence) ? '' : '.'} ${hint}` : sentence;
  }
  return error instanceof Error ? error.message : String(error);
}
