import { createHash, randomBytes } from 'node:crypto';
import type { Ports } from '../../../app/ports/index.ts';
import { endPageSessions, isPageSession, openPageSession } from '../../../app/sessions/page-sessions.ts';

/**
 * Gives a page its own token for a code from the command line; a code works once, within a minute. The operator's own
 * token never reaches a browser.
 */
export interface Logins {
  newCode(): string;
  /** Resolves to the page's token; to undefined if the code is unknown, used or too old. */
  redeem(code: string): Promise<string | undefined>;
  /** The id of this token's session; undefined if it has none. */
  sessionOf(token: string): string | undefined;
  /** Ends this session or all sessions; resolves to the number of ended sessions. */
  end(session: string | 'all'): Promise<number>;
  /** Calls `listener` with the sessions that have ended, so that it can close their streams. */
  onEnd(listener: (sessions: readonly string[]) => void): void;
}

const CODE_LIVES_MS = 60_000;
const MAX_CODES = 100;

export function createLogins(ports: Pick<Ports, 'store' | 'clock' | 'log'>): Logins {
  const codes = new Map<string, number>();
  const listeners: ((sessions: readonly string[]) => void)[] = [];
  const nowMs = ports.clock.monotonicMs;
  const ended = (sessions: readonly string[]): number => {
    for (const listener of listeners) listener(sessions);
    return sessions.length;
  };

  return {
    newCode: () => {
      const code = secret();
      codes.set(hash(code), nowMs() + CODE_LIVES_MS);
      dropOldest(codes);
      return code;
    },
    redeem: async (code) => {
      const key = hash(code);
      const until = codes.get(key);
      codes.delete(key);
      if (until === undefined || nowMs() > until) return undefined;
      const token = secret();
      ended(await openPageSession(ports, hash(token)));
      return token;
    },
    sessionOf: (token) => (isPageSession(ports, hash(token)) ? hash(token) : undefined),
    end: async (session) => ended(await endPageSessions(ports, session)),
    onEnd: (listener) => void listeners.push(listener),
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const secret = (): string => randomBytes(24).toString('base64url');

function dropOldest(codes: Map<string, number>): void {
  for (const key of codes.keys()) {
    if (codes.size <= MAX_CODES) return;
    codes.delete(key);
  }
}
