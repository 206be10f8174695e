import { instantFromMs } from '../../domain/instant.ts';
import { afterSighting, MAX_EXTERNAL_SESSIONS } from '../../domain/sessions/external-session.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { SpooledSession } from '../ports/spool.ts';
import type { Tx } from '../ports/store.ts';

/** Records that an external session was seen, for the first time or again. */
export function recordSessionSeen(
  tx: Tx,
  ports: Pick<Ports, 'runtimes' | 'secrets' | 'clock' | 'log'>,
  spooled: SpooledSession,
): void {
  const { runtime, pid, tmux, hooks, event, payload } = spooled;
  const told = ports.runtimes.get(runtime)?.operatorHooks?.readSession({ event, payload });
  if (told === undefined) {
    ports.log.warn('ignored a report of an external session with an unrecognized payload', { event });
    return;
  }
  const { sessionId } = told;
  if (tx.liveAgents().some((agent) => [agent.sessionUuid, agent.runtimeSessionId].includes(sessionId))) return;
  // If the report has a time in the future, use the current time instead. Otherwise this session would stay first in
  // the list.
  const at = instantFromMs(Math.min(spooled.writtenAtMs, Date.parse(ports.clock.now())));
  const known = tx.externalSessions().find((each) => each.runtime === runtime && each.sessionId === sessionId);
  const session = afterSighting(known, { ...told, runtime, pid, tmux, hooks, at });
  if (session === undefined) return;
  tx.saveExternalSessionRow(session);
  const { moment } = told;
  appendNotice(tx, ports, { type: 'own_session_seen', runtime, moment }, { agentId: null, runId: null });
  for (const forgotten of tx.externalSessions().slice(MAX_EXTERNAL_SESSIONS)) tx.deleteExternalSession(forgotten);
}
