import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorBody, Event } from '../../../contract/resources.ts';
import { PATHS, PROCESSES_HEADER } from '../../../contract/routes.ts';
import { parseJson, readAnswer, refusalIn } from '../../socket/read-answer.ts';
import { readFrames } from '../../socket/read-frames.ts';
import { type Call, sendRequest } from '../../socket/send-request.ts';
import { CliFault, ServerUnreachable } from '../cli-fault.ts';
import { type Following, followEvents } from './follow-events.ts';
import { explain, type Reply } from './replies.ts';
import { wordFault } from './word-fault.ts';

export interface Answer<T> {
  /** The body of the answer, exactly as the server sent it. With --json the command prints this body. */
  readonly body: unknown;
  readonly data: T;
}

export interface ApiClient {
  get<T>(path: string, reply: Reply<T>): Promise<Answer<T>>;
  post<T>(path: string, body: unknown, reply: Reply<T>): Promise<Answer<T>>;
  /** Yields events without end. After a dropped connection, reconnects and continues after the last event received. */
  follow(following: Following): AsyncGenerator<Event, never>;
  /**
   * Yields the server-sent events whose name is `event` until the server ends the stream. If the server sends an event
   * named `gone`, throws the refusal that the event `gone` contains.
   */
  live<T>(path: string, event: string, reply: Reply<T>): AsyncGenerator<T>;
}

export interface Connection {
  readonly homePath: string;
  readonly version: string;
  readonly token: () => string;
  /**
   * The process ids of this process and of its ancestors. From these ids the server detects that an agent uses the
   * operator's token.
   */
  readonly processes?: readonly number[];
  /**
   * How long a GET request is repeated while no server answers. Set by commands that must survive a restart of the
   * server.
   */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

const RETRY_MS = 50;

const processHeader = ({ processes = [] }: Connection): Readonly<Record<string, string>> =>
  processes.length === 0 ? {} : { [PROCESSES_HEADER]: processes.join(' ') };

type Asked = Pick<Call, 'method' | 'path' | 'body' | 'headers'>;

export function createApiClient(connection: Connection): ApiClient {
  const { homePath, signal } = connection;
  const wording =
    ({ method, path }: Asked) =>
    (error: unknown): never => {
      throw wordFault(error, homePath, `${method} ${path}`);
    };
  const send = (call: Asked, until = signal) =>
    sendRequest(homePath, {
      ...call,
      token: connection.token(),
      signal: until,
      headers: { ...call.headers, ...processHeader(connection) },
    }).catch(wording(call));

  const readBody = async (answer: IncomingMessage, call: Asked): Promise<unknown> => {
    const answered = await readAnswer(answer, call.path).catch(wording(call));
    if ('refused' in answered) throw refused(answered.refused);
    return answered.body;
  };

  const ask = async <T>(call: Asked, reply: Reply<T>): Promise<Answer<T>> => {
    const body = await readBody(await send(call), call);
    return { body, data: understand(body, reply, `${call.method} ${call.path}`, connection.version) };
  };

  const stream = async (path: string, headers: Asked['headers'] = {}, until = signal): Promise<IncomingMessage> => {
    const call = { method: 'GET', path, headers: { accept: 'text/event-stream', ...headers } };
    const answer = await send(call, until);
    if (answer.statusCode !== 200) await readBody(answer, call);
    return answer;
  };

  return {
    get: (path, reply) => patiently(connection, () => ask({ method: 'GET', path }, reply)),
    post: (path, body, reply) => ask({ method: 'POST', path, body }, reply),
    follow: (following) =>
      followEvents(
        (after, until) => stream(`${PATHS.events}?after=${after}`, { 'last-event-id': String(after) }, until),
        { understand: (body, reply) => understand(body, reply, 'an event', connection.version) },
        signal === undefined ? following : { signal, ...following },
      ),
    live: async function* (path, event, reply) {
      for await (const frame of readFrames(await stream(path))) {
        if (frame.event === 'gone') throw refused(refusalIn(parseJson(frame.data), path));
        if (frame.event === event) yield understand(parseJson(frame.data), reply, `GET ${path}`, connection.version);
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

/**
 * Turns the server's refusal into a CliFault, in the server's own words. The refusal of a stopping server becomes
 * ServerUnreachable, so that a command that waits for a restart continues to wait.
 */
const refused = ({ error, ...details }: ErrorBody): CliFault =>
  details.code === 'stopping' || details.code === 'stopped'
    ? new ServerUnreachable(error, details)
    : new CliFault(error, details);

function understand<T>(body: unknown, reply: Reply<T>, what: string, version: string): T {
  const parsed = reply.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new CliFault(
    `This CLI and the server are not compatible: ${what} is not what version ${version} expects (${explain(parsed.error)}).`,
    { code: 'does_not_fit', hint: 'Restart the server with this version: baton stop, then baton start' },
  );
}
