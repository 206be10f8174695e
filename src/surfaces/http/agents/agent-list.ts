import { listAgents } from '../../../app/agents/list-agents.ts';
import type { Agent as AgentView } from '../../../contract/resources.ts';
import { AGENT_ORDERS, isAgentOrder } from '../../../contract/words/agent-orders.ts';
import type { Agent } from '../../../domain/agents/agent.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { seqIn } from '../inbox/event-routes.ts';
import { mapInTurns } from '../server/in-turns.ts';
import { cutAt, pageIn } from '../server/page-in.ts';
import type { HttpDeps } from '../server/route.ts';

const MAX_IDS = 200;
const MAX_TEXT = 200;

interface AgentPage {
  readonly agents: AgentView[];
  readonly next: number | null;
}

/**
 * Answers GET /api/agents. `?live=1` asks for the live agents, and `?ids=1,2,3` for the agents with these ids. With
 * neither parameter, the answer is one page of all agents. By default, this page has the newest agents.
 */
export async function answerAgents(
  { ports }: HttpDeps,
  query: URLSearchParams,
  view: (agent: Agent) => AgentView,
): Promise<AgentPage | Refusal> {
  const given = (name: string): string | undefined => query.get(name)?.slice(0, MAX_TEXT) || undefined;
  const ids = query.get('ids')?.split(',').slice(0, MAX_IDS).map(seqIn);
  const isLiveOnly = query.get('live') === '1';
  const isPage = ids === undefined && !isLiveOnly;
  const sort = given('sort');
  const refusal = refuseSort(sort, isPage);
  if (refusal !== undefined) return refusal;
  const wanted = { ids, isLiveOnly, state: given('state'), project: given('project') };
  const page = pageIn(query);
  const found = listAgents(ports, { ...wanted, persona: given('persona'), text: given('q') }, page.oneMore);
  if (isRefusal(found)) return found;
  const { rows, next } = isPage ? cutAt(found.toReversed(), page) : { rows: found.toReversed(), next: null };
  const agents = await mapInTurns(rows.toReversed(), view, ports.store);
  return { agents: sort !== undefined && isAgentOrder(sort) ? agents.toSorted(AGENT_ORDERS[sort]) : agents, next };
}

function refuseSort(sort: string | undefined, isPage: boolean): Refusal | undefined {
  if (sort === undefined || sort === 'started') return undefined;
  const names = Object.keys(AGENT_ORDERS).join(', ');
  if (!isAgentOrder(sort))
    return { code: 'bad_request', sentence: `Agents cannot be sorted by "${sort}"; ?sort= is one of ${names}` };
  return isPage
    ? { code: 'bad_request', sentence: `?sort=${sort} needs ?live=1, because a page of all agents is sorted by start` }
    : undefined;
}
