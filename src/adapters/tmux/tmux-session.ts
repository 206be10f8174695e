import type { Block } from './connection/block-parser.ts';
import type { Request } from './connection/control-client.ts';
import type { ServerLink } from './connection/server-link.ts';
import { TerminalFault } from './connection/terminal-fault.ts';

export interface TmuxSession {
  /** For requests that may be carried out twice. Returns `undefined` if there is no server, and starts none. */
  ask(request: Request): Promise<readonly Block[] | undefined>;
  /** For requests that must not be carried out twice. */
  askOnce(request: Request): Promise<readonly Block[] | undefined>;
  /** Starts a server if there is none. For requests that may be carried out twice. */
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
   * A server that died unnoticed looks like a lost connection; the second attempt then finds out that the server is
   * gone.
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

/** Returns the answers of a line if every command in it succeeded. Throws TerminalFault otherwise. */
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
