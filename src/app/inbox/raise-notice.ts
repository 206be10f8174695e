import type { Notice } from '../../domain/facts.ts';
import { wantedByNotice } from '../../domain/inbox/inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { logNotice, type NoticeAbout } from './append-notice.ts';
import { openItem } from './sync-inbox.ts';

/** Into the log, and into the inbox if somebody has to know of it. */
export function tellOperator(tx: Tx, ports: Ports, notice: Notice, about: NoticeAbout, dedupeKey?: string): void {
  const logged = logNotice(tx, ports, notice, about, dedupeKey ?? null);
  const wish = logged === undefined ? undefined : wantedByNotice(notice, logged.seq);
  if (wish !== undefined) openItem(tx, ports, wish, about);
}
