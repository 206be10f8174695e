import { existsSync } from 'node:fs';
import type { ClientControl, ControlledSession, ControlStatus } from '../../../app/ports/client-control.ts';
import {
  type AppServer,
  connectToAppServer,
  ServerRefusal,
  type Thread,
  TIME_LIMITS,
  type TimeLimits,
} from './app-server.ts';
import { decisionFor } from './codex-question.ts';
import { socketPath } from './launch-with-server.ts';
import { readRolloutTail } from './rollout/rollout.ts';

/** How long Baton waits after a failed connection before it tries again. */
const RETRY_MS = 2_000;

interface Connection {
  readonly server: AppServer | undefined;
  readonly triedAt: number;
}

/**
 * Creates the control API for Codex agents. The agent's Codex server reports which conversation the terminal shows and
 * whether Codex is busy, and accepts prompts.
 */
export function createCodexControl(
  compactsAt: (window: number) => number,
  limits: TimeLimits = TIME_LIMITS,
): ClientControl {
  const connections = new Map<string, Connection>();

  async function serverOf({ agentFolder }: ControlledSession): Promise<AppServer | undefined> {
    const path = socketPath(agentFolder);
    const known = connections.get(path);
    if (known?.server?.isOpen) return known.server;
    if (!existsSync(path)) {
      connections.delete(path);
      return undefined;
    }
    if (known !== undefined && known.server === undefined && performance.now() - known.triedAt < RETRY_MS)
      return undefined;
    const server = await connectToAppServer(path, limits).catch(() => undefined);
    connections.set(path, { server, triedAt: performance.now() });
    return server;
  }

  /**
   * Returns the agent's server and the conversation that the terminal shows. Returns undefined if the server does not
   * answer, or if Baton cannot tell which conversation the terminal shows.
   */
  async function find(session: ControlledSession) {
    const server = await serverOf(session);
    const threads = await server?.threads().catch(() => undefined);
    const thread = threads && shownIn(threads, session.sessionId);
    return server === undefined || threads === undefined || thread === undefined
      ? undefined
      : { server, threads, thread };
  }

  return {
    readStatus: async (session) => {
      const found = await find(session);
      if (found === undefined) return undefined;
      const { threads, thread } = found;
      const tail = thread.path ? await readRolloutTail(thread.path, compactsAt) : undefined;
      const { turn, context } = tail ?? {};
      return {
        ...stateOf(threads, thread),
        // Report the session id only as long as Baton does not know it. Later changes of the session are reported by
        // hooks.
        ...(session.sessionId === null ? { sessionId: thread.id } : {}),
        ...(session.sessionId === null && thread.path ? { transcriptPath: thread.path } : {}),
        ...(context === undefined ? {} : { context }),
        ...(turn === undefined || turn.runs ? {} : { lastTurn: turn.end }),
      };
    },
    submit: async (session, { text }) => {
      const found = await find(session);
      if (found === undefined)
        return { verdict: 'refused', reason: 'starting', detail: 'the server of this Codex does not answer' };
      // Refuse a prompt while Codex is busy, because Codex would add the prompt to the running turn.
      const { status } = stateOf(found.threads, found.thread);
      if (status !== 'idle') return { verdict: 'refused', reason: 'busy', detail: 'Codex is working' };
      try {
        await found.server.startTurn(found.thread.id, text);
        return { verdict: 'typed', enters: 0 };
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        return error instanceof ServerRefusal
          ? { verdict: 'refused', reason: 'unknown', detail: `Codex refused the prompt: ${detail}` }
          : { verdict: 'unconfirmed', detail };
      }
    },
    answer: async (session, given) => {
      const found = await find(session);
      if (found === undefined) return undefined;
      const server = await connectToAppServer(socketPath(session.agentFolder), limits).catch(() => undefined);
      if (server === undefined) return undefined;
      try {
        const outcome = await server.answerApproval(found.thread.id, (approval) => decisionFor(approval, given));
        if (outcome === 'not_asked') return undefined;
        return outcome === 'answered'
          ? { verdict: 'typed', enters: 0, by: 'api' }
          : { verdict: 'unconfirmed', detail: 'the server of this Codex did not confirm the answer', by: 'api' };
      } catch {
        // If an error is thrown, Baton has not sent an answer to Codex. The caller can still press a digit in the pane.
        return undefined;
      } finally {
        server.close();
      }
    },
    interrupt: async (session) => {
      const found = await find(session);
      if (found === undefined) return 'the server of this Codex does not answer';
      const { server, thread } = found;
      const turn = thread.path ? (await readRolloutTail(thread.path, compactsAt)).turn : undefined;
      if (turn === undefined || !turn.runs) return 'no turn is running';
      return server.interruptTurn(thread.id, turn.id).then(
        () => undefined,
        (error: unknown) => `Codex did not interrupt its turn: ${error instanceof Error ? error.message : error}`,
      );
    },
  };
}

/**
 * Returns the conversation that the terminal shows. After `/clear`, the server has both the old conversation and a new
 * one without prompts. If the operator has gone back to an older conversation, returns undefined, and Baton relies on
 * the hooks, the rollout and the pane.
 */
function shownIn(threads: readonly Thread[], known: string | null): Thread | undefined {
  const own = threads.filter((thread) => !thread.parentThreadId);
  const newest = own.reduce<Thread | undefined>(
    (latest, each) => (latest === undefined || each.createdAt >= latest.createdAt ? each : latest),
    undefined,
  );
  if (newest === undefined) return undefined;
  if (known === null) return own.length === 1 ? newest : undefined;
  return newest.id === known || newest.preview === '' ? newest : undefined;
}

const WAITS: Readonly<Record<string, string>> = {
  waitingOnApproval: 'an approval',
  waitingOnUserInput: 'an answer',
};

/**
 * Returns the state of a conversation. A working subagent keeps the client busy, although the conversation itself may
 * be idle.
 */
function stateOf(threads: readonly Thread[], { status, id }: Thread): Pick<ControlStatus, 'status' | 'waitingFor'> {
  const flag = status.activeFlags?.find((each) => WAITS[each] !== undefined);
  if (status.type === 'active' && flag !== undefined) return { status: 'waiting', waitingFor: WAITS[flag] ?? flag };
  const works = threads.some((each) => each.status.type === 'active' && (each.id === id || each.parentThreadId));
  return { status: works ? 'busy' : 'idle' };
}
