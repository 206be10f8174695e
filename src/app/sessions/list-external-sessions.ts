import type { Agent } from '../../domain/agents/agent.ts';
import { refuseAdoption } from '../../domain/agents/refuse-adoption.ts';
import type { ExternalSession } from '../../domain/sessions/external-session.ts';
import type { Ports } from '../ports/index.ts';

export interface SeenExternalSession extends ExternalSession {
  readonly alive: boolean;
  /**
   * The reason why the session cannot be adopted, as far as Baton can tell without inspecting the session's terminal.
   * Null if no reason is known.
   */
  readonly whyNot: string | null;
  /**
   * The persona that the session gets if the operator names none: the default persona of the project in the session's
   * folder.
   */
  readonly defaultPersona: string | null;
}

/**
 * How far two times may differ and still count as equal. Clocks are adjusted now and then, and the start time of a
 * process is known only in whole seconds.
 */
const SLACK_MS = 60_000;

/**
 * Returns whether this session belongs to this agent. Compares the process ids as well as the session ids, because
 * `/clear` begins a new session in the same process.
 */
export const isOf = (agent: Agent, { runtime, sessionId, pid }: ExternalSession): boolean =>
  agent.runtime === runtime &&
  (agent.runtimeSessionId === sessionId || (agent.adoption === 'adopted' && agent.clientPid === pid));

/**
 * Lists the external sessions that are not agents, latest first. A session counts as ended if the process that now has
 * the session's pid started after the session was reported.
 */
export async function listExternalSessions(
  ports: Pick<Ports, 'store' | 'processStartedMs'>,
): Promise<readonly SeenExternalSession[]> {
  const all = ports.store.read((tx) => {
    const agents = tx.liveAgents();
    return tx.externalSessions().filter((each) => !agents.some((agent) => isOf(agent, each)));
  });
  return Promise.all(
    all.map(async (session) => {
      const alive = await isAlive(ports, session);
      const whyNot = refuseAdoption(session, alive, laterThan(session, all))?.sentence ?? null;
      return { ...session, alive, whyNot, defaultPersona: defaultIn(ports, session) };
    }),
  );
}

/**
 * Returns a later session of the same process, if there is one. There may be one, because each `/clear` begins a new
 * session in the same process.
 */
export const laterThan = (
  { runtime, pid, lastSeenAt }: ExternalSession,
  all: readonly ExternalSession[],
): ExternalSession | undefined =>
  all.find((each) => each.runtime === runtime && each.pid === pid && each.lastSeenAt > lastSeenAt);

const defaultIn = (ports: Pick<Ports, 'store'>, { folder }: ExternalSession): string | null =>
  ports.store.read((tx) => {
    const personaId = folder === null ? null : tx.projectByPath(folder)?.defaultPersonaId;
    return personaId == null ? null : (tx.personaById(personaId)?.slug ?? null);
  });

export async function isAlive(
  ports: Pick<Ports, 'processStartedMs'>,
  { pid, endedAt, lastSeenAt }: ExternalSession,
): Promise<boolean> {
  const startedMs = pid === null || endedAt !== null ? undefined : await ports.processStartedMs(pid);
  return startedMs !== undefined && startedMs <= Date.parse(lastSeenAt) + SLACK_MS;
}
