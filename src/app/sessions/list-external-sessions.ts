import type { Agent } from '../../domain/agents/agent.ts';
import { refuseAdoption } from '../../domain/agents/refuse-adoption.ts';
import type { Candidate } from '../../domain/sessions/external-session.ts';
import type { Ports } from '../ports/index.ts';

export interface SeenExternalSession extends Candidate {
  readonly alive: boolean;
  /** Why it cannot be adopted, as far as is known without inspecting its terminal. */
  readonly whyNot: string | null;
  /** The persona it would get: the default of the project in its folder. */
  readonly defaultPersona: string | null;
}

/** Tolerance: clocks are adjusted, and process start times are reported in whole seconds. */
const SLACK_MS = 60_000;

/** Is this session already that agent? `/clear` gives the same process another session. */
export const isOf = (agent: Agent, { runtime, sessionId, pid }: Candidate): boolean =>
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
    return tx.candidates().filter((each) => !agents.some((agent) => isOf(agent, each)));
  });
  return Promise.all(
    all.map(async (candidate) => {
      const alive = await isAlive(ports, candidate);
      const whyNot = refuseAdoption(candidate, alive, laterThan(candidate, all))?.sentence ?? null;
      return { ...candidate, alive, whyNot, defaultPersona: defaultIn(ports, candidate) };
    }),
  );
}

/** A later session of the same process: `/clear` begins another one in it. */
export const laterThan = ({ runtime, pid, lastSeenAt }: Candidate, all: readonly Candidate[]): Candidate | undefined =>
  all.find((each) => each.runtime === runtime && each.pid === pid && each.lastSeenAt > lastSeenAt);

const defaultIn = (ports: Pick<Ports, 'store'>, { folder }: Candidate): string | null =>
  ports.store.read((tx) => {
    const personaId = folder === null ? null : tx.projectByPath(folder)?.defaultPersonaId;
    return personaId == null ? null : (tx.personaById(personaId)?.slug ?? null);
  });

export async function isAlive(
  ports: Pick<Ports, 'processStartedMs'>,
  { pid, endedAt, lastSeenAt }: Candidate,
): Promise<boolean> {
  const startedMs = pid === null || endedAt !== null ? undefined : await ports.processStartedMs(pid);
  return startedMs !== undefined && startedMs <= Date.parse(lastSeenAt) + SLACK_MS;
}
