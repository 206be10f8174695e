import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ErrorBody, type Event } from '../../../contract/resources.ts';
import { PATHS, PROCESSES_HEADER } from '../../../contract/routes.ts';
import { CliFault, ServerUnreachable } from '../cli-fault.ts';
import { type Following, followEvents, framesIn } from './follow-events.ts';
import { explain, type Reply } from './replies.ts';
import { type Call, sendRequest } from './send-request.ts';

export interface Answer<T> {
  /** The body as received, for --json. */
  readonly body: unknown;
  readonly data: T;
}

export interface ApiClient {
  get<T>(path: string, reply: Reply<T>): Promise<Answer<T>>;
  post<T>(path: string, body: unknown, reply: Reply<T>): Promise<Answer<T>>;
  /** Never ends by itself: reconnects after a dropped connection and goes on behind the last event seen. */
  follow(following: Following): AsyncGenerator<Event, never>;
  /** Events of this name from a live path until the server ends the stream; throws the refusal sent as `gone`. */
  live<T>(path: string, event: string, reply: Reply<T>): AsyncGenerator<T>;
}

export interface Connection {
  readonly homePath: string;
  readonly version: string;
  readonly token: () => string;
  /** This process and its ancestors, sent with the operator's token so that the server detects an agent's shell. */
  readonly processes?: readonly number[];
  /** How long a GET keeps trying while no server answers; for commands that watch across a restart. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

const RETRY_MS = 50;

const processHeader = ({ processes = [] }: Connection): Readonly<Record<string, string>> =>
  processes.length === 0 ? {} : { [PROCESSES_HEADER]: processes.join(' ') };

export function createApiClient(connection: Connection): ApiClient {
  const { homePath, signal } = connection;
  const send = (call: Pick<Call, 'method' | 'path' | 'body' | 'headers'>, until = signal) =>
    sendRequest(homePath, {
      ...call,
      token: connection.token(),
      signal: until,
      headers: { ...call.headers, ...processHeader(connection) },
    });

  const ask = async <T>(call: Pick<Call, 'method' | 'path' | 'body'>, reply: Reply<T>): Promise<Answer<T>> => {
    const answer = await send(call);
    const body = await readBody(answer, call.path);
    return { body, data: understand(body, reply, `${call.method} ${call.path}`, connection.version) };
  };

  return {
    get: (path, reply) => patiently(connection, () => ask({ method: 'GET', path }, reply)),
    post: (path, body, reply) => ask({ method: 'POST', path, body }, reply),
    follow: (following) =>
      followEvents(
        async (after, until) => {
          const headers = { accept: 'text/event-stream', 'last-event-id': String(after) };
          const answer = await send({ method: 'GET', path: `${PATHS.events}?after=${after}`, headers }, until);
          if (answer.statusCode !== 200) await readBody(answer, PATHS.events);
          return answer;
        },
        { understand: (body, reply) => understand(body, reply, 'an event', connection.version) },
        signal === undefined ? following : { signal, ...following },
      ),
    live: async function* (path, event, reply) {
      const answer = await send({ method: 'GET', path, headers: { accept: 'text/event-stream' } });
      if (answer.statusCode !== 200) await readBody(answer, path);
      for await (const frame of framesIn(answer)) {
        if (frame.event === 'gone') throw refusalIn(parse(frame.data), path);
        if (frame.event === event) yield understand(parse(frame.data), reply, `GET ${path}`, connection.version);
      }
    },
  };
}

async function patiently<T>({ patienceMs = 0, signal }: Connection, ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServerUnreachable) || performance.now() >= until) throw error;
      await pause(RETRY_MS, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

/** Throws the server's refusal, in the server's own words. */
async function readBody(answer: IncomingMessage, path: string): Promise<unknown> {
  const body = parse(await readText(answer));
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return body;
  throw refusalIn(body, `${path} with status ${status}`);
}

function refusalIn(body: unknown, what: string): CliFault {
  const refusal = ErrorBody.safeParse(body);
  if (!refusal.success) return new CliFault(`Baton answered ${what}, without an explanation.`);
  const { error, ...details } = refusal.data;
  return new CliFault(error, details);
}

async function readText(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of answer) text += chunk;
  } catch (error) {
    throw new ServerUnreachable(`Baton's answer was cut off: ${(error as Error).message}`, { code: 'connection_lost' });
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function understand<T>(body: unknown, reply: Reply<T>, what: string, version: string): T {
  const parsed = reply.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new CliFault(
    `This CLI and the server are not compatible: ${what} is not what version ${version} expects (${explain(parsed.error)}).`,
    { code: 'does_not_fit', hint: 'Restart the server with this version: baton start' },
  );
}
