import { z } from 'zod';
import { openTextSocket, type TextSocket } from './web-socket.ts';

/** The part of the JSON-RPC protocol of `codex app-server` that Baton uses (measured with 0.166.0). */
const Thread = z.looseObject({
  id: z.string(),
  ephemeral: z.boolean().nullish(),
  parentThreadId: z.string().nullish(),
  threadSource: z.string().nullish(),
  path: z.string().nullish(),
  createdAt: z.number(),
  /** The beginning of the conversation's first prompt; empty if there was no prompt yet. */
  preview: z.string(),
  status: z.looseObject({ type: z.string(), activeFlags: z.array(z.string()).nullish() }),
});
export type Thread = z.infer<typeof Thread>;

const LoadedList = z.looseObject({ data: z.array(z.string()) });
const ReadThread = z.looseObject({ thread: Thread });
const Reply = z.looseObject({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

/**
 * The message in which the app server asks whether a command may run. The message lists the decisions that the app
 * server accepts.
 */
const ApprovalRequest = z.looseObject({
  id: z.union([z.number(), z.string()]),
  method: z.literal('item/commandExecution/requestApproval'),
  params: z.looseObject({
    command: z.string().nullish(),
    commandActions: z.array(z.looseObject({ command: z.string() })).nullish(),
    availableDecisions: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
  }),
});
export type Approval = z.infer<typeof ApprovalRequest>['params'];
export type Decision = Approval['availableDecisions'][number];

const RequestResolved = z.looseObject({
  method: z.literal('serverRequest/resolved'),
  params: z.looseObject({ requestId: z.union([z.number(), z.string()]) }),
});

/** Thrown if the Codex server answered with an error, so the request was not carried out. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal';
}

export interface AppServer {
  /**
   * Returns the conversations that the server has loaded, including those of subagents. Leaves out conversations that
   * Codex uses only to find a title.
   */
  threads(): Promise<readonly Thread[]>;
  /**
   * Starts a turn with a prompt. Throws ServerRefusal if the server refused the prompt. Any other error means that the
   * outcome is unknown.
   */
  startTurn(threadId: string, text: string): Promise<void>;
  interruptTurn(threadId: string, turnId: string): Promise<void>;
  /**
   * Answers the open approval for which `decide` returns a decision. Returns `not_asked` if there is no such approval
   * or more than one, and `unknown` if the server did not confirm the answer. Use a separate connection for this
   * function, because after the call the server sends all events to the connection.
   */
  answerApproval(
    threadId: string,
    decide: (approval: Approval) => Decision | undefined,
  ): Promise<'answered' | 'not_asked' | 'unknown'>;
  readonly isOpen: boolean;
  close(): void;
}

/** How long Baton waits for the Codex server, in milliseconds. */
export interface TimeLimits {
  readonly connect: number;
  readonly answer: number;
  readonly submit: number;
  /** The server repeats its open approval requests right after it has answered `thread/resume`. */
  readonly repeat: number;
  readonly confirm: number;
}

export const TIME_LIMITS: TimeLimits = { connect: 800, answer: 1_000, submit: 10_000, repeat: 1_000, confirm: 3_000 };

export async function connectToAppServer(path: string, limits: TimeLimits): Promise<AppServer> {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let serial = 0;
  let isOpen = true;
  let listen: (message: object) => void = () => undefined;
  const socket: TextSocket = await openTextSocket(
    path,
    {
      onText: (text) => {
        const message = jsonOf(text);
        // A request of the server may have the same id as a request of Baton. A message with a method is a request or
        // an event of the server, and never a reply to Baton.
        if (typeof message === 'object' && message !== null && 'method' in message) {
          listen(message);
          return;
        }
        const reply = Reply.safeParse(message);
        const asked = reply.success ? pending.get(reply.data.id) : undefined;
        if (!reply.success || asked === undefined) return;
        pending.delete(reply.data.id);
        if (reply.data.error === undefined) asked.resolve(reply.data.result);
        else asked.reject(new ServerRefusal(reply.data.error.message));
      },
      onClose: () => {
        isOpen = false;
        for (const { reject } of pending.values()) reject(new Error("codex's app server closed the connection"));
        pending.clear();
      },
    },
    limits.connect,
  );
  const ask = (method: string, params: object, withinMs = limits.answer): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++serial;
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new Error(`codex's app server did not answer ${method} in time`));
      }, withinMs);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          settle(value);
        };
      pending.set(id, { resolve: settled(resolve), reject: settled(reject) });
      socket.send(JSON.stringify({ id, method, params }));
    });
  // Codex 0.150.0 resumes a conversation without its turns, and lists the decisions of an approval, only for a client
  // that declares this capability.
  const capabilities = { experimentalApi: true };
  await ask('initialize', { clientInfo: { name: 'baton', title: 'Baton', version: '1' }, capabilities });
  socket.send(JSON.stringify({ method: 'initialized' }));
  const read = async (threadId: string): Promise<Thread | undefined> => {
    const answer = await ask('thread/read', { threadId, includeTurns: false });
    const parsed = ReadThread.safeParse(answer);
    return parsed.success ? parsed.data.thread : undefined;
  };
  return {
    threads: async () => {
      const { data: ids } = LoadedList.parse(await ask('thread/loaded/list', {}));
      const all = await Promise.all(ids.map(read));
      return all.filter((thread) => thread !== undefined).filter(isConversation);
    },
    startTurn: async (threadId, text) => {
      await ask('turn/start', { threadId, input: [{ type: 'text', text, text_elements: [] }] }, limits.submit);
    },
    interruptTurn: async (threadId, turnId) => void (await ask('turn/interrupt', { threadId, turnId })),
    answerApproval: async (threadId, decide) => {
      const open: { readonly id: number | string; readonly decision: Decision }[] = [];
      const resolved = new Set<number | string>();
      const news = createSignal();
      listen = (message) => {
        const request = ApprovalRequest.safeParse(message).data;
        const decision = request && decide(request.params);
        if (request !== undefined && decision !== undefined) open.push({ id: request.id, decision });
        const over = RequestResolved.safeParse(message).data;
        if (over !== undefined) resolved.add(over.params.requestId);
        news.raise();
      };
      await ask('thread/resume', { threadId, excludeTurns: true }, limits.submit);
      if (!(await news.until(() => open.length > 0, limits.repeat))) return 'not_asked';
      // Make one more request and wait for its reply. The server sends messages in order, so it sends all of its open
      // requests again before this reply.
      await ask('thread/loaded/list', {});
      const [found] = open;
      if (found === undefined || open.length > 1) return 'not_asked';
      socket.send(JSON.stringify({ id: found.id, result: { decision: found.decision } }));
      return (await news.until(() => resolved.has(found.id), limits.confirm)) ? 'answered' : 'unknown';
    },
    get isOpen() {
      return isOpen;
    },
    close: () => socket.close(),
  };
}

const isConversation = ({ ephemeral, parentThreadId, threadSource }: Thread): boolean =>
  ephemeral !== true && (Boolean(parentThreadId) || (threadSource ?? 'user') === 'user');

/**
 * Returns two functions. `until` waits for a condition. `raise` must be called when something has changed, so that
 * `until` checks its condition at once.
 */
function createSignal() {
  let wake = (): void => undefined;
  return {
    raise: () => wake(),
    /** Resolves to true once `isSo` returns true, and to false if this does not happen within the given time. */
    until: (isSo: () => boolean, withinMs: number): Promise<boolean> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(isSo()), withinMs);
        wake = () => {
          if (!isSo()) return;
          clearTimeout(timer);
          resolve(true);
        };
        wake();
      }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
