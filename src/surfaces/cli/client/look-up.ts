import { AgentsAnywhere, RunsAnywhere } from '../../../contract/fleet.ts';
import {
  Agent,
  type Candidate,
  CandidateList,
  type Event,
  EventPage,
  Health,
  type Persona,
  PersonaDetail,
  PersonaList,
  type Project,
  ProjectList,
  Run,
} from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Answer, ApiClient } from './api-client.ts';
import { type ListPage, pagePath } from './list-page.ts';

export const getHealth = (api: ApiClient): Promise<Answer<Health>> => api.get(PATHS.health, Health);
export const getAgent = (api: ApiClient, id: number): Promise<Answer<Agent>> => api.get(PATHS.agent(id), Agent);
/** Finds an agent by its number, or by the name or slug of its persona. Returns the agent's number. */
export const agentIdOf = async (api: ApiClient, name: string): Promise<number> =>
  /^\d+$/.test(name) ? Number(name) : (await api.get(PATHS.agent(name), Agent)).data.id;
export const getRun = (api: ApiClient, id: number): Promise<Answer<Run>> => api.get(PATHS.run(id), Run);
export const getPersona = (api: ApiClient, slug: string): Promise<Answer<PersonaDetail>> =>
  api.get(PATHS.persona(slug), PersonaDetail);
export const getAgents = (
  api: ApiClient,
  { live = false, page = {} }: { readonly live?: boolean; readonly page?: ListPage } = {},
): Promise<Answer<AgentsAnywhere>> =>
  api.get(live ? `${PATHS.agents}?live=1` : pagePath(PATHS.agents, page), AgentsAnywhere);
export const getRuns = (
  api: ApiClient,
  { state, ...page }: ListPage & { readonly state?: string },
): Promise<Answer<RunsAnywhere>> =>
  api.get(
    pagePath(state === undefined ? PATHS.runs : `${PATHS.runs}?state=${encodeURIComponent(state)}`, page),
    RunsAnywhere,
  );
export const getPersonas = (api: ApiClient): Promise<Answer<Persona[]>> =>
  api.get(
    PATHS.personas,
    PersonaList.transform(({ personas }) => personas),
  );
export const getProjects = (api: ApiClient): Promise<Answer<Project[]>> =>
  api.get(
    PATHS.projects,
    ProjectList.transform(({ projects }) => projects),
  );
export const getCandidates = (api: ApiClient): Promise<Answer<Candidate[]>> =>
  api.get(
    PATHS.candidates,
    CandidateList.transform(({ candidates }) => candidates),
  );
export function getEvents(
  api: ApiClient,
  filter: Readonly<Record<string, number | string | undefined>>,
): Promise<Answer<Event[]>> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) if (value !== undefined) query.set(key, `${value}`);
  return api.get(
    `${PATHS.events}?${query}`,
    EventPage.transform(({ events }) => events),
  );
}

export const lastSeq = async (api: ApiClient): Promise<number> => (await getHealth(api)).data.last_seq;
