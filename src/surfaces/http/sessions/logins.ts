import { createHash, randomBytes } from 'node:crypto';
import type { Ports } from '../../../app/ports/index.ts';
import {
  endPageSessions,
  isPageSession,
  listPageSessions,
  openPageSession,
} from '../../../app/sessions/page-sessions.ts';
import type { PageSession } from '../../../domain/sessions/page-session.ts';

/**
 * Lets a page exchange a login code for a new token. The operator gets the code on the command line. The code can be
 * used only once, and only within one minute. The operator's own token never reaches a browser.
 */
export interface Logins {
  newCode(): string;
  /**
   * Exchanges a login code for the token of a new session. `name` is the name of the browser. Resolves to undefined if
   * the code is unknown, was already used, or is too old.
   */
  redeem(code: string, name?: string): Promise<string | undefined>;
  /** Returns the id of the session to which the token belongs; undefined if there is none. */
  sessionOf(token: string): string | undefined;
  /** Returns the valid sessions, the most recently used first. */
  list(): readonly PageSession[];
  /** Ends the session that has the given hash or id, or ends all sessions. Resolves to the number of ended sessions. */
  end(session: string | 'all'): Promise<number>;
  /**
   * Calls `listener` with the sessions that have just ended, so that the server can close the streams of these
   * sessions.
   */
  onEnd(listener: (sessions: readonly string[]) => void): void;
}

const CODE_LIVES_MS = 60_000;
const MAX_CODES = 100;

export function createLogins(ports: Pick<Ports, 'store' | 'clock' | 'log' | 'secrets'>): Logins {
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
    redeem: async (code, name = '') => {
      const key = hash(code);
      const until = codes.get(key);
      codes.delete(key);
      if (until === undefined || nowMs() > until) return undefined;
      const token = secret();
      ended(await openPageSession(ports, hash(token), name));
      return token;
    },
    sessionOf: (token) => (isPageSession(ports, hash(token)) ? hash(token) : undefined),
    list: () => listPageSessions(ports),
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
