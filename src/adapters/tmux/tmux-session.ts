import type { Block } from './connection/block-parser.ts';
import type { Request } from './connection/control-client.ts';
import type { ServerLink } from './connection/server-link.ts';
import { TerminalFault } from './connection/terminal-fault.ts';

export interface TmuxSession {
  /**
   * Sends a request that does no harm if tmux carries it out twice. Returns `undefined` if there is no tmux server;
   * starts no server.
   */
  ask(request: Request): Promise<readonly Block[] | undefined>;
  /** Sends a request that tmux must not carry out twice. After a lost connection, the request is not repeated. */
  askOnce(request: Request): Promise<readonly Block[] | undefined>;
  /** Sends a request that does no harm if tmux carries it out twice. Starts a tmux server if there is none. */
  askStarting(request: Request): Promise<readonly Block[]>;
}

export function createTmuxSession(link: ServerLink): TmuxSession {
  async function askOnce(request: Request): Promise<readonly Block[] | undefined> {
    const client = await link.open('existing');
    return client?.request(request);
  }

  async function askStarting(request: Request): Promise<readonly Block[]> {
    const client = await link.open('start');
    const { operation, target } = request;
    if (client === undefined) throw new TerminalFault('unavailable', operation, target, 'there is no tmux server');
    return client.request(request);
  }

  /**
   * Sends a request a second time if the connection was lost. If the tmux server had died unnoticed, the second attempt
   * finds no server.
   */
  async function twice<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof TerminalFault && error.kind === 'lost') return attempt();
      throw error;
    }
  }

  return {
    askOnce,
    ask: (request) => twice(() => askOnce(request)),
    askStarting: (request) => twice(() => askStarting(request)),
  };
}

/** Returns the answers to a line if every command in the line succeeded, and throws TerminalFault otherwise. */
export function answersOf(request: Request, blocks: readonly Block[], expected: number): readonly Block[] {
  const failed = blocks.find((block) => block.failed);
  const { operation, target } = request;
  if (failed !== undefined) {
    throw new TerminalFault('failed', operation, target, `tmux refused "${operation}": ${failed.lines.join(' ')}`);
  }
  if (blocks.length !== expected) {
    const message = `tmux sent ${blocks.length} replies to "${operation}" instead of ${expected}`;
    throw new TerminalFault('failed', operation, target, message);
  }
  return blocks;
}
