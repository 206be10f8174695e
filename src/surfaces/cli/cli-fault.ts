import type { ErrorBody } from '../../contract/resources.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, notRunning: 3, unconfirmed: 4, interrupted: 130 } as const;

type Details = Partial<Omit<ErrorBody, 'error'>> & { readonly exitCode?: number };

/** An error with a sentence for the person who typed the command, and an exit code for scripts. */
export class CliFault extends Error {
  override readonly name: string = 'CliFault';
  readonly exitCode: number;
  readonly body: ErrorBody;

  constructor(sentence: string, { exitCode = EXIT.failed, code = 'failed', ...rest }: Details = {}) {
    super(sentence);
    this.exitCode = exitCode;
    this.body = { error: sentence, code, ...rest };
  }
}

/**
 * Thrown if the server does not answer, or if the connection breaks before the whole answer has arrived. Both can
 * happen while a server restarts.
 */
export class ServerUnreachable extends CliFault {
  override readonly name = 'ServerUnreachable';
}

export const notRunning = (homePath: string): ServerUnreachable =>
  new ServerUnreachable(`Baton is not running on ${homePath}. Start it with: baton start`, {
    code: 'not_running',
    exitCode: EXIT.notRunning,
  });
