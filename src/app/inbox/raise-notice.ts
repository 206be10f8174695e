import type { Notice } from '../../domain/facts.ts';
import { inboxEntryForNotice } from '../../domain/inbox/inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { appendNotice, type NoticeAbout } from './append-notice.ts';
import { openItem } from './sync-inbox.ts';

/** Logs the notice. Also opens an inbox item for the notice if the operator must know of it. */
export function raiseNotice(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  notice: Notice,
  about: NoticeAbout,
  dedupeKey?: string,
): void {
  const logged = appendNotice(tx, ports, notice, about, dedupeKey ?? null);
  const entry = logged === undefined ? undefined : inboxEntryForNotice(notice, logged.seq);
  if (entry !== undefined) openItem(tx, ports, entry, about);
}
