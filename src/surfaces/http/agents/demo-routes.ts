import { Nothing } from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { mapped, OPERATOR, type Route, route } from '../server/route.ts';

export const DEMO_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: PATHS.demo,
    summary:
      'Run a complete demo handoff with practice agents in a sample project inside the home; only one demo can run at a time',
    body: Nothing,
    answer: resources.DemoStarted,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps }) =>
      mapped(await deps.demo.start(deps.ports), ({ agent, persona, projectId }) => ({
        agent_id: agent.id,
        persona: persona.slug,
        project_id: projectId,
      })),
  }),
];
