import type { LoggedEvent, Notice } from '../../domain/facts.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

export interface NoticeAbout {
  readonly agentId: number | null;
  readonly runId: number | null;
}

/** Logs a notice. Returns undefined, and logs nothing, if a notice with the same key is already in the log. */
export function appendNotice(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  notice: Notice,
  about: NoticeAbout,
  dedupeKey: string | null = null,
): LoggedEvent | undefined {
  const { type, ...told } = notice;
  const data = redactWithin(told, ports.secrets.redact, EXACT);
  return tx.appendEvent({ at: ports.clock.now(), agentId: about.agentId, runId: about.runId, type, data, dedupeKey });
}

/** Names of fields that are not redacted, because Baton searches for their exact values. */
const EXACT: ReadonlySet<string> = new Set(['ref', 'slug', 'path', 'sha256']);
