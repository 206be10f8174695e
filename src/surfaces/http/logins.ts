import { createHash, randomBytes } from 'node:crypto';

/** How the page gets a token of its own: a code from the command line, good once and for a minute. The master token never travels. */
export interface Logins {
  newCode(): string;
  /** undefined: unknown, used or too old. */
  redeem(code: string): string | undefined;
  isSession(token: string): boolean;
}

const CODE_LIVES_MS = 60_000;
const MOST_CODES = 100;
const MOST_SESSIONS = 200;

export function createLogins(nowMs: () => number): Logins {
  const codes = new Map<string, number>();
  const sessions = new Set<string>();
  const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
  const secret = (): string => randomBytes(24).toString('base64url');

  return {
    newCode: () => {
      const code = secret();
      codes.set(hash(code), nowMs() + CODE_LIVES_MS);
      dropOldest(codes, MOST_CODES);
      return code;
    },
    redeem: (code) => {
      const key = hash(code);
      const until = codes.get(key);
      codes.delete(key);
      if (until === undefined || nowMs() > until) return undefined;
      const token = secret();
      sessions.add(hash(token));
      dropOldest(sessions, MOST_SESSIONS);
      return token;
    },
    isSession: (token) => sessions.has(hash(token)),
  };
}

function dropOldest(collection: Map<string, number> | Set<string>, most: number): void {
  for (const key of collection.keys()) {
    if (collection.size <= most) return;
    collection.delete(key);
  }
}
