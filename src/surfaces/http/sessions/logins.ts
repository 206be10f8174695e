import { createHash, randomBytes } from 'node:crypto';
import type { Ports } from '../../../app/ports/index.ts';
import { endPageSessions, isPageSession, openPageSession } from '../../../app/sessions/page-sessions.ts';

/** How the page gets a token of its own: a code from the command line, good once and for a minute. The master token never travels. */
export interface Logins {
  newCode(): string;
  /** undefined: unknown, used or too old. */
  redeem(code: string): Promise<string | undefined>;
  /** What names the session of this token; undefined if it is none. */
  sessionOf(token: string): string | undefined;
  /** Ends this session, or all; how many have ended. */
  end(session: string | 'all'): Promise<number>;
  /** Called with the sessions that have ended: whatever is open for them has to be closed. */
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
