import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCall } from '../../contract/packages/package-tools.ts';
import type { ErrorBody } from '../../contract/resources.ts';
import { type Answered, readAnswer } from '../socket/read-answer.ts';
import { sendRequest } from '../socket/send-request.ts';
import { SocketFault } from '../socket/socket-fault.ts';

export interface BatonApi {
  /**
   * Calls the API. Never throws: returns a fault, such as a lost connection, in the same form as a refusal of the
   * server.
   */
  ask(call: ToolCall): Promise<Answered>;
}

export interface Connection {
  readonly homePath: string;
  /** The token of the agent; empty outside an agent's session. The operator's token is never used here. */
  readonly token: string;
  /** How long to wait for a server that is restarting. */
  readonly patienceMs?: number;
}

/**
 * Longer than a restart of the server on a busy machine, which takes more than ten seconds, and shorter than the minute
 * for which MCP clients wait for a tool.
 */
const PATIENCE_MS = 20_000;
const RETRY_MS = 100;

/**
 * Opens a new connection for each call, so that a call succeeds even if the server was restarted after the previous
 * call.
 */
export function createBatonApi({ homePath, token, patienceMs = PATIENCE_MS }: Connection): BatonApi {
  const once = async (call: ToolCall): Promise<Answered> => {
    const answered = await readAnswer(await sendRequest(homePath, { ...call, token }), call.path);
    if ('body' in answered && answered.body === undefined)
      throw new SocketFault('connection_lost', 'the answer is not valid JSON');
    // After the refusal `stopping`, send the call again, because the stopping server has not begun the call. The next
    // server then answers the call.
    if ('refused' in answered && answered.refused.code === 'stopping')
      throw new SocketFault('not_running', answered.refused.error);
    return answered;
  };
  return {
    ask: async (call) => {
      if (token === '') return { refused: NO_TOKEN };
      const until = performance.now() + patienceMs;
      for (;;) {
        try {
          return await once(call);
        } catch (error) {
          const isSafe = call.method === 'GET' || isNotRunning(error);
          if (!isSafe || performance.now() >= until) return { refused: wordFault(error, homePath) };
          await pause(RETRY_MS);
        }
      }
    },
  };
}

const isNotRunning = (error: unknown): boolean => error instanceof SocketFault && error.code === 'not_running';

const NO_TOKEN: ErrorBody = {
  code: 'unauthorized',
  error: 'These tools work only for an agent that Baton started, but BATON_AGENT_TOKEN is not set here.',
};

/** Turns a fault of the socket into a sentence for the agent. */
function wordFault(error: unknown, homePath: string): ErrorBody {
  if (isNotRunning(error))
    return { code: 'not_running', error: `Baton is not running on ${homePath}, so nothing was done.` };
  if (error instanceof SocketFault && error.code === 'too_large')
    return { code: 'too_large', error: 'The request is too large for Baton, so nothing was done.' };
  return {
    code: 'connection_lost',
    error: `The connection to Baton was lost, so it is not known whether the request was performed: ${(error as Error).message}.`,
  };
}
