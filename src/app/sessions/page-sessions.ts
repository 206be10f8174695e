import {
  dayOf,
  isExpired,
  MAX_PAGE_SESSIONS,
  type PageSession,
  sessionIdOf,
} from '../../domain/sessions/page-session.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

type SessionPorts = Pick<Ports, 'store' | 'clock' | 'log' | 'secrets'>;

/**
 * Stores the session of a page that has logged in. Also ends expired sessions and, if there are too many sessions, the
 * least recently used ones. Returns the hashes of the ended sessions.
 */
export function openPageSession(ports: SessionPorts, tokenHash: string, name: string): Promise<readonly string[]> {
  return ports.store.write((tx) => {
    const today = dayOf(ports.clock.now());
    tx.savePageSession({ tokenHash, name: ports.secrets.redact(name), createdOn: today, usedOn: today });
    const all = tx.pageSessions();
    const expired = all.filter((session) => isExpired(session, today));
    const others = all.filter((session) => !expired.includes(session) && session.tokenHash !== tokenHash);
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - MAX_PAGE_SESSIONS));
    return end(tx, [...expired, ...tooMany]);
  });
}

/**
 * Returns whether this token belongs to a valid page session. Called for each request of a page. The first request on
 * each day is recorded as the last use of the session.
 */
export function isPageSession(ports: SessionPorts, tokenHash: string): boolean {
  const today = dayOf(ports.clock.now());
  const session = ports.store.read((tx) => tx.pageSession(tokenHash));
  if (session === undefined || isExpired(session, today)) return false;
  if (session.usedOn !== today) {
    const remember = ports.store.write((tx) => {
      // If the page has logged out in the meantime, do not save its session again.
      if (tx.pageSession(tokenHash) !== undefined) tx.savePageSession({ ...session, usedOn: today });
    });
    // If today cannot be recorded as the last use of the session, only log the error: the page is logged in and must
    // stay usable.
    remember.catch((error: unknown) => ports.log.warn(`could not record the use of a page: ${errorMessage(error)}`));
  }
  return true;
}

/** Lists the valid sessions, the most recently used first. */
export function listPageSessions(ports: SessionPorts): readonly PageSession[] {
  const today = dayOf(ports.clock.now());
  const all = ports.store.read((tx) => tx.pageSessions());
  return all.filter((session) => !isExpired(session, today)).reverse();
}

/** Logs out the session with this hash or id, or all sessions; returns the hashes of the ended sessions. */
export const endPageSessions = (ports: SessionPorts, which: string | 'all'): Promise<readonly string[]> =>
  ports.store.write((tx) =>
    end(
      tx,
      tx
        .pageSessions()
        .filter((session) => which === 'all' || session.tokenHash === which || sessionIdOf(session) === which),
    ),
  );

function end(tx: Tx, sessions: readonly PageSession[]): readonly string[] {
  for (const { tokenHash } of sessions) tx.deletePageSession(tokenHash);
  return sessions.map(({ tokenHash }) => tokenHash);
}
