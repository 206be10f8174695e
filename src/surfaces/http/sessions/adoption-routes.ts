import { releaseAgent } from '../../../app/agents/release-agent.ts';
import { adoptExternalSession } from '../../../app/sessions/adopt-session.ts';
import { handOffSession } from '../../../app/sessions/hand-off-session.ts';
import { listExternalSessions } from '../../../app/sessions/list-external-sessions.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { agentRelations } from '../agents/agent-relations.ts';
import { viewAgent, viewExternalSession } from '../agents/views.ts';
import { type HttpDeps, ID, mapped, OPERATOR, type Route, route, SESSION } from '../server/route.ts';

const shown = (deps: HttpDeps) => (agent: Parameters<typeof viewAgent>[0]) => viewAgent(agent, agentRelations(deps));

/** Routes about external sessions, which the operator started outside Baton. */
export const ADOPTION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.candidates,
    summary: 'Sessions that the operator started outside Baton, newest first (see: baton hooks)',
    answer: resources.CandidateList,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps }) => ({ candidates: (await listExternalSessions(deps.ports)).map(viewExternalSession) }),
  }),
  route({
    method: 'POST',
    path: PATHS.adoptExternalSession(SESSION),
    summary:
      "Adopt a session in the operator's own tmux as an agent: Baton reads its screen and hooks, and can type into the session; a handoff ends the session",
    body: requests.AdoptCandidate,
    answer: resources.Agent,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, sessionId, body: { persona, runtime } }) =>
      mapped(await adoptExternalSession(deps.ports, { sessionId, runtime, persona }), shown(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.handOffSession(SESSION),
    summary:
      "Adopt a session in the operator's own tmux, with the default persona of its project, and hand it off at once",
    body: requests.Nothing,
    answer: requests.HandoffInitiated,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, sessionId }) =>
      mapped(await handOffSession(deps.ports, sessionId), ({ id }) => ({ status: 'initiated' as const, run_id: id })),
  }),
  route({
    method: 'POST',
    path: PATHS.releaseAgent(ID),
    summary: 'Release an adopted session: it continues without Baton',
    body: requests.Nothing,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await releaseAgent(deps.ports, id), shown(deps)),
  }),
];
