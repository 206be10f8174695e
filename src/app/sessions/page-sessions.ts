import { dayOf, isExpired, MAX_PAGE_SESSIONS, type PageSession } from '../../domain/sessions/page-session.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

type SessionPorts = Pick<Ports, 'store' | 'clock' | 'log'>;

/** Logs a page in for good. What it pushes out, by their hashes: the longest unused where there are too many, and the expired. */
export function openPageSession(ports: SessionPorts, tokenHash: string): Promise<readonly string[]> {
  return ports.store.write((tx) => {
    const today = dayOf(ports.clock.now());
    tx.savePageSession({ tokenHash, createdOn: today, usedOn: today });
    const all = tx.pageSessions();
    const expired = all.filter((session) => isExpired(session, today));
    const others = all.filter((session) => !expired.includes(session) && session.tokenHash !== tokenHash);
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - MAX_PAGE_SESSIONS));
    return end(tx, [...expired, ...tooMany]);
  });
}

/** Asked at each request of a page; the first of a day is remembered. */
export function isPageSession(ports: SessionPorts, tokenHash: string): boolean {
  const today = dayOf(ports.clock.now());
  const session = ports.store.read((tx) => tx.pageSession(tokenHash));
  if (session === undefined || isExpired(session, today)) return false;
  if (session.usedOn !== today) {
    const remember = ports.store.write((tx) => {
      // It may have been logged out meanwhile, and must not come back by this.
      if (tx.pageSession(tokenHash) !== undefined) tx.savePageSession({ ...session, usedOn: today });
    });
    // The page is let in all the same: it is logged in, whatever the disk says.
    remember.catch((error: unknown) => ports.log.warn(`the use of a page could not be noted: ${errorMessage(error)}`));
  }
  return true;
}

/** Logs out this page, or all of them; whose sessions have ended, by their hashes. */
export const endPageSessions = (ports: SessionPorts, which: string | 'all'): Promise<readonly string[]> =>
  ports.store.write((tx) =>
    end(
      tx,
      tx.pageSessions().filter(({ tokenHash }) => which === 'all' || tokenHash === which),
    ),
  );

function end(tx: Tx, sessions: readonly PageSession[]): readonly string[] {
  for (const { tokenHash } of sessions) tx.deletePageSession(tokenHash);
  return sessions.map(({ tokenHash }) => tokenHash);
}
