import type { Agent } from '../../domain/agents/agent.ts';
import { refuseAdoption } from '../../domain/agents/refuse-adoption.ts';
import type { ExternalSession } from '../../domain/sessions/external-session.ts';
import type { Ports } from '../ports/index.ts';

export interface SeenExternalSession extends ExternalSession {
  readonly alive: boolean;
  /** Why it cannot be adopted, as far as is known without inspecting its terminal. */
  readonly whyNot: string | null;
  /** The persona it would get: the default of the project in its folder. */
  readonly defaultPersona: string | null;
}

/** Tolerance: clocks are adjusted, and process start times are reported in whole seconds. */
const SLACK_MS = 60_000;

/** Is this session already that agent? `/clear` gives the same process another session. */
export const isOf = (agent: Agent, { runtime, sessionId, pid }: ExternalSession): boolean =>
  agent.runtime === runtime &&
  (agent.runtimeSessionId === sessionId || (agent.adoption === 'adopted' && agent.clientPid === pid));

/**
 * Latest first, without those that are agents. A process that started after the session's report is a different one
 * with a reused pid.
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

/** A later session of the same process: `/clear` begins another one in it. */
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
