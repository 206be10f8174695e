import { PackageList } from '../../../contract/packages/package-resources.ts';
import { type Agent, Inbox, RuntimeList } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgents, getCandidates, getPersonas, getRuns } from '../client/look-up.ts';
import type { ValueKind } from './value-kinds.ts';

export interface Value {
  readonly value: string;
  readonly summary: string;
}

/** The maximum number of entries that completion reads from a long list, such as the list of handoffs. */
const SOME = 30;

/** The functions that request values from the server: one for each kind of value that completion offers. */
export const SERVER_VALUES: Readonly<Record<ValueKind, (api: ApiClient) => Promise<readonly Value[]>>> = {
  agents: async (api) => agentValues((await getAgents(api, { live: true })).data.agents),
  'ended agents': async (api) => {
    const { agents } = (await getAgents(api, { page: { limit: SOME } })).data;
    return agentValues(agents.filter(({ ended_at }) => ended_at !== null));
  },
  handoffs: async (api) =>
    (await getRuns(api, { limit: SOME })).data.runs.map(({ id, agent_id, step }) => ({
      value: String(id),
      summary: `agent ${agent_id}, ${step}`,
    })),
  inbox: async (api) =>
    (await api.get(PATHS.inbox, Inbox)).data.items.map(({ id, sentence }) => ({
      value: String(id),
      summary: sentence,
    })),
  packages: async (api) =>
    (await api.get(`${PATHS.packages}?limit=${SOME}`, PackageList)).data.packages.map(({ id, state, summary }) => ({
      value: id,
      summary: `${state}: ${summary}`,
    })),
  personas: async (api) =>
    (await getPersonas(api)).data.flatMap(({ slug, name, role }) => [
      { value: slug, summary: `${name}, ${role}` },
      { value: name, summary: slug },
    ]),
  runtimes: async (api) =>
    (await api.get(PATHS.runtimes, RuntimeList)).data.runtimes.map(({ id, title }) => ({ value: id, summary: title })),
  sessions: async (api) =>
    (await getCandidates(api)).data.map(({ session_id, folder }) => ({ value: session_id, summary: folder ?? '' })),
};

/** Returns the number of each agent. Also returns the agent's name if no other agent in the list has this name. */
function agentValues(agents: readonly Agent[]): readonly Value[] {
  const isAlone = ({ label }: Agent): boolean => agents.filter((each) => each.label === label).length === 1;
  return [
    ...agents.map(({ id, label, state, project }) => ({
      value: String(id),
      summary: `${label}, ${state.replaceAll('_', ' ')}, ${project.name}`,
    })),
    ...agents.filter(isAlone).map(({ id, label }) => ({ value: label, summary: `agent ${id}` })),
  ];
}
