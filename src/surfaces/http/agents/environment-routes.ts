import { type ShownEnvironment, showEnvironment } from '../../../app/agents/show-environment.ts';
import * as contract from '../../../contract/environment.ts';
import { PATHS } from '../../../contract/routes.ts';
import { mapped, OPERATOR, type Route, route } from '../server/route.ts';

/**
 * Routes that show the environment of agents. No request can set the programs or variables of agents, because both come
 * only from the operator's own files.
 */
export const ENVIRONMENT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.environment,
    summary: 'The environment that an agent would be started with (?agent=ID or ?project=ID); secrets are masked',
    answer: contract.Environment,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps: { ports }, query }) => mapped(await showEnvironment(ports, askedIn(query)), view),
  }),
  route({
    method: 'POST',
    path: PATHS.refreshEnvironment,
    summary: "Read the operator's login shell again",
    answer: contract.Environment,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps: { ports }, query }) => {
      await ports.environment.refresh();
      return mapped(await showEnvironment(ports, askedIn(query)), view);
    },
  }),
];

const idIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  // Return 0 for any text that is not a valid number. No row has the id 0, so the route then answers "not found".
  return text === null ? undefined : /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
};
const askedIn = (query: URLSearchParams) => ({ agentId: idIn(query, 'agent'), projectId: idIn(query, 'project') });

const view = ({ agent, project, state, variables, removed, problems }: ShownEnvironment): contract.Environment => ({
  agent_id: agent?.id ?? null,
  project: project === null ? null : { id: project.id, name: project.name, path: project.path },
  shell: state.shell,
  read_at: state.readAt,
  problems: [...problems],
  variables: variables.map((variable) => ({ ...variable })),
  removed: [...removed],
});
