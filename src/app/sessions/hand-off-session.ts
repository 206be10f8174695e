import type { Agent } from '../../domain/agents/agent.ts';
import { externalSessionNotFound } from '../../domain/agents/refuse-adoption.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { awaitNews } from '../await-news.ts';
import { requestHandoff } from '../handoffs/request-handoff.ts';
import type { Ports } from '../ports/index.ts';
import { adoptExternalSession } from './adopt-session.ts';
import { listExternalSessions } from './list-external-sessions.ts';

const ADOPTED_WITHIN_MS = 30_000;

/**
 * Adopts an external session and hands it off at once. The session gets the default persona of its project, because a
 * successor needs a persona.
 */
export async function handOffSession(ports: Ports, sessionId: string): Promise<Run | Refusal> {
  const session = (await listExternalSessions(ports)).find((each) => each.sessionId === sessionId);
  if (session === undefined) return externalSessionNotFound(sessionId);
  if (session.whyNot === null && session.defaultPersona === null)
    return {
      code: 'agent_has_no_persona',
      sentence: `Session ${sessionId} cannot be handed off, because its folder has no default persona for the successor`,
      hint: `Set one: baton project default-persona ${session.folder ?? 'FOLDER'} SLUG (see: baton persona list), then try again`,
    };
  const persona = undefined;
  const agent = await adoptExternalSession(ports, { sessionId, runtime: session.runtime, persona, isLeaving: true });
  if (isRefusal(agent)) return agent;
  const adopted = await whenAdopted(ports, agent);
  if (adopted.state === 'ended' || adopted.state === 'starting')
    return {
      code: 'action_not_possible',
      sentence: `Session ${sessionId} was not adopted as agent ${agent.id}: ${adopted.stateReason}`,
      hint: `See the agent: baton agent show ${agent.id}`,
    };
  return requestHandoff(ports, agent.id, { reason: undefined, note: undefined });
}

/** Waits until the adoption is complete or has failed, but at most ADOPTED_WITHIN_MS. */
async function whenAdopted(ports: Ports, agent: Agent): Promise<Agent> {
  const until = ports.clock.monotonicMs() + ADOPTED_WITHIN_MS;
  for (;;) {
    const now = ports.store.read((tx) => tx.agentById(agent.id)) ?? agent;
    const left = until - ports.clock.monotonicMs();
    if (now.state !== 'starting' || left <= 0) return now;
    await awaitNews(ports, left);
  }
}
