import { type RunReads, rememberReads } from '../../../app/engine/remember-reads.ts';
import type { ShownPersona } from '../../../app/personas/show-persona.ts';
import type { PersonaText } from '../../../app/ports/files/agent-files.ts';
import type { Store } from '../../../app/ports/store.ts';
import type * as contract from '../../../contract/resources.ts';
import { type Agent, shortUuid } from '../../../domain/agents/agent.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import { viewHandoffSummary, viewPersona } from '../agents/views.ts';
import { mapInTurns } from '../server/in-turns.ts';
import type { RequestedPage } from '../server/page-in.ts';

export const viewPersonaDetail = (
  { persona, skill, experience, agentIds }: ShownPersona,
  homePath: string,
): contract.PersonaDetail => ({
  ...viewPersona(persona, homePath),
  skill: viewText(skill),
  experience: viewText(experience),
  agents: [...agentIds],
});

const viewText = ({ text, sha256, problem }: PersonaText): contract.PersonaDetail['skill'] => ({
  text,
  sha256,
  ...(problem === undefined ? {} : { problem }),
});

/**
 * Returns one page of the list of agents that have had the persona, oldest first. Also returns the handoffs of the
 * agents on this page, newest first.
 */
export async function viewLineage(
  store: Pick<Store, 'read'>,
  persona: Persona,
  { homePath, page }: { readonly homePath: string; readonly page: RequestedPage },
): Promise<contract.Lineage> {
  const tx = rememberReads(store.read);
  const ids = store.read(({ agentIdsOfPersona }) => agentIdsOfPersona(persona.id, page.oneMore));
  const agents = (await mapInTurns(ids.slice(-page.limit), tx.agentById, store)).filter((agent) => agent !== undefined);
  // Look up handoff records only for agents that still have this persona. An agent keeps its persona after a handoff.
  // An agent that now has another persona therefore never handed off as this persona.
  const bearers = agents.filter(({ personaId }) => personaId === persona.id);
  const found = await mapInTurns(bearers, ({ id }) => store.read(({ handoffOfAgent }) => handoffOfAgent(id)), store);
  const records = found.filter((record) => record !== undefined).sort((one, other) => other.id - one.id);
  return {
    persona: viewPersona(persona, homePath),
    agents: await mapInTurns(agents, (agent) => viewBearer(tx, agent, persona), store),
    handoffs: await mapInTurns(records, (record) => viewHandoffSummary(tx, record), store),
    next: ids.length > page.limit ? (agents[0]?.id ?? null) : null,
  };
}

const viewBearer = (
  tx: RunReads,
  agent: Agent,
  { id: personaId, name }: Persona,
): contract.Lineage['agents'][number] => ({
  id: agent.id,
  label: name,
  uuid8: shortUuid(agent),
  state: agent.state,
  project: tx.projectById(agent.projectId)?.name ?? '',
  runtime: agent.runtime,
  previous_agent_id: agent.previousAgentId,
  brought_back: agent.resumesSession !== null,
  wore_until:
    agent.personaId === personaId ? null : (agent.wore?.findLast((e) => e.personaId === personaId)?.until ?? null),
  started_at: agent.startedAt,
  ended_at: agent.endedAt,
});
