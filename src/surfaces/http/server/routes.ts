import { explainAgent } from '../../../app/agents/explain-agent.ts';
import { muteAgent } from '../../../app/agents/mute-agent.ts';
import { showScreen } from '../../../app/agents/show-screen.ts';
import { startAgent } from '../../../app/agents/start-agent.ts';
import { stopAgent } from '../../../app/agents/stop-agent.ts';
import { answerQuestion } from '../../../app/messages/answer-question.ts';
import { sendMessage } from '../../../app/messages/send-message.ts';
import { changeDefaultPersona } from '../../../app/personas/default-persona.ts';
import { givePersona } from '../../../app/personas/give-persona.ts';
import { registerPersona } from '../../../app/personas/register-persona.ts';
import type { Project } from '../../../app/ports/store.ts';
import { addProject } from '../../../app/settings/add-project.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { instantFromMs } from '../../../domain/instant.ts';
import { agentRelations } from '../agents/agent-relations.ts';
import { DEMO_ROUTES } from '../agents/demo-routes.ts';
import { ENVIRONMENT_ROUTES } from '../agents/environment-routes.ts';
import { RETURN_ROUTES } from '../agents/resume-routes.ts';
import { RUNTIME_ROUTES } from '../agents/runtime-routes.ts';
import { viewAgent, viewExplanation, viewPersona, viewProject, viewScreen } from '../agents/views.ts';
import { HANDOFF_ROUTES } from '../handoffs/handoff-routes.ts';
import { EVENT_ROUTES, seqIn } from '../inbox/event-routes.ts';
import { INBOX_ROUTES } from '../inbox/inbox-routes.ts';
import { PACKAGE_ROUTES } from '../packages/package-routes.ts';
import { PERSONA_ROUTES } from '../personas/persona-routes.ts';
import { ADOPTION_ROUTES } from '../sessions/adoption-routes.ts';
import { LOGIN_ROUTES } from '../sessions/login-routes.ts';
import { SETTINGS_ROUTES } from '../settings/settings-routes.ts';
import { WORKTREE_ROUTES } from '../worktrees/worktree-routes.ts';
import { cutAt, pageIn } from './page-in.ts';
import { agentNotFound, type HttpDeps, ID, mapped, OPERATOR, type Route, route } from './route.ts';

/** Called once per answer, because `agentRelations` caches the rows that it reads for one list. */
const show = (deps: HttpDeps) => {
  const around = agentRelations(deps);
  return (agent: Agent) => viewAgent(agent, around);
};

const showProject =
  ({ ports }: HttpDeps) =>
  (project: Project): resources.Project =>
    viewProject(
      project,
      project.defaultPersonaId === null
        ? undefined
        : ports.store.read((tx) => tx.personaById(project.defaultPersonaId ?? 0)),
    );

const MAX_IDS = 200;

interface AgentPage {
  readonly agents: readonly Agent[];
  readonly next: number | null;
}

/**
 * `?live=1` selects live agents, `?ids=1,2,3` the agents with these ids. Otherwise the answer is a page of all agents,
 * by default the newest ones.
 */
function wantedAgents({ ports }: HttpDeps, query: URLSearchParams): AgentPage {
  const ids = query.get('ids')?.split(',').slice(0, MAX_IDS);
  const isLiveOnly = query.get('live') === '1';
  return ports.store.read((tx) => {
    const asked = ids === undefined ? undefined : [...new Set(ids)].map(seqIn).map((id) => tx.agentById(id));
    if (asked !== undefined) {
      const found = asked.filter((agent) => agent !== undefined);
      return { agents: isLiveOnly ? found.filter(isLive) : found, next: null };
    }
    if (isLiveOnly) return { agents: tx.liveAgents(), next: null };
    const page = pageIn(query);
    const { rows, next } = cutAt(tx.agents(page.oneMore).toReversed(), page);
    return { agents: rows.toReversed(), next };
  });
}

export const ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.health,
    summary: 'Whether Baton is running, and its current problems',
    answer: resources.Health,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps: { ports, healthProblems } }) =>
      ports.store.read((tx) => ({
        status: healthProblems().length === 0 ? ('ok' as const) : ('trouble' as const),
        version: ports.settings.version,
        host_id: tx.hostId,
        last_seq: tx.lastSeq(),
        trouble: [...healthProblems()],
      })),
  }),
  ...LOGIN_ROUTES,
  route({
    method: 'POST',
    path: PATHS.registerPersona,
    summary: 'Register a persona; missing files are created, existing ones are not overwritten',
    body: requests.RegisterPersona,
    answer: resources.Persona,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, body }) =>
      mapped(await registerPersona(deps.ports, body.role, body.name), (persona) => viewPersona(persona, deps.homePath)),
  }),
  route({
    method: 'GET',
    path: PATHS.personas,
    summary: 'All personas',
    answer: resources.PersonaList,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => ({
      personas: deps.ports.store.read((tx) => tx.personas()).map((persona) => viewPersona(persona, deps.homePath)),
    }),
  }),
  ...PERSONA_ROUTES,
  route({
    method: 'POST',
    path: PATHS.projects,
    summary: 'Add a project: a folder in which agents may run',
    body: requests.AddProject,
    answer: resources.Project,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, body }) => mapped(await addProject(deps.ports, body.path, body.name), showProject(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.projects,
    summary: 'All projects',
    answer: resources.ProjectList,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => ({ projects: deps.ports.store.read((tx) => tx.projects()).map(showProject(deps)) }),
  }),
  route({
    method: 'POST',
    path: PATHS.defaultPersona(ID),
    summary: 'Set the default persona of a project, for agents started without a named persona',
    body: requests.DefaultPersona,
    answer: resources.Project,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body }) =>
      mapped(await changeDefaultPersona(deps.ports, id, body.persona), showProject(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.agents,
    summary: 'Start an agent in tmux',
    body: requests.StartAgent,
    answer: resources.Agent,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, body }) =>
      mapped(
        await startAgent(deps.ports, {
          projectId: body.project_id,
          personaSlug: body.persona,
          runtime: body.runtime,
          worktree: body.worktree,
          clientArgs: body.client_args,
        }),
        show(deps),
      ),
  }),
  route({
    method: 'GET',
    path: PATHS.agents,
    summary:
      'Agents, oldest first; ?live=1 for running agents, ?ids=1,2,3 for these, otherwise the newest; ?limit= (100 unless given), ?before=ID for those older than it',
    answer: resources.AgentList,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, query }) => {
      const { agents, next } = wantedAgents(deps, query);
      return { agents: agents.map(show(deps)), next };
    },
  }),
  route({
    method: 'GET',
    path: PATHS.agent(ID),
    summary: 'One agent',
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, id }) => mapped(deps.ports.store.read((tx) => tx.agentById(id)) ?? agentNotFound, show(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.agentWhy(ID),
    summary: 'The facts behind the state of an agent',
    answer: resources.AgentWhy,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, id }) =>
      mapped(explainAgent(deps.ports, id), (explanation) =>
        viewExplanation(explanation, show(deps)(explanation.agent)),
      ),
  }),
  route({
    method: 'POST',
    path: PATHS.stopAgent(ID),
    summary: 'Stop an agent: ask it to exit, or with force, end its pane',
    body: requests.StopAgent,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body }) => mapped(await stopAgent(deps.ports, id, body.force), show(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.givePersona(ID),
    summary:
      'Give a persona to a live agent that has none or, with replace, another one. Its client may ask before it writes a handoff document, because it was started without access to that folder',
    body: requests.GivePersona,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body }) =>
      mapped(await givePersona(deps.ports, id, { slug: body.persona, replace: body.replace }), show(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.muteAgent(ID),
    summary: 'Mute notifications for an agent until a time or until it is unmuted (failures are still sent)',
    body: requests.MuteAgent,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body: { until = null } }) => {
      const instant = until === null ? null : instantFromMs(Date.parse(until));
      return mapped(await muteAgent(deps.ports, id, { muted: true, until: instant }), show(deps));
    },
  }),
  route({
    method: 'POST',
    path: PATHS.unmuteAgent(ID),
    summary: 'Unmute an agent; held-back notifications are sent as one summary',
    body: requests.Nothing,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await muteAgent(deps.ports, id, { muted: false }), show(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.messages(ID),
    summary:
      'Type a prompt to an agent, exactly as given, and wait a few seconds for the receipt that its model has it',
    body: requests.SendMessage,
    answer: requests.MessageVerdict,
    status: 200,
    callers: OPERATOR,
    limit: 'message',
    handle: ({ deps, id, body }) => sendMessage(deps.ports, id, body.text),
  }),
  route({
    method: 'POST',
    path: PATHS.answer(ID),
    summary: 'Answer exactly this question of an agent, with an option or with text; another question is not answered',
    body: requests.AnswerQuestion,
    answer: requests.MessageVerdict,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, id, body }) => answerQuestion(deps.ports, id, body),
  }),
  route({
    method: 'GET',
    path: PATHS.screen(ID),
    summary:
      'The current screen of an agent; with Accept: text/event-stream, an event `screen` at once and after each change, and `gone` when the screen no longer exists',
    answer: resources.ScreenView,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await showScreen(deps.ports, id), viewScreen),
  }),
  ...RETURN_ROUTES,
  ...WORKTREE_ROUTES,
  ...ADOPTION_ROUTES,
  ...HANDOFF_ROUTES,
  ...PACKAGE_ROUTES,
  ...INBOX_ROUTES,
  ...RUNTIME_ROUTES,
  ...ENVIRONMENT_ROUTES,
  ...SETTINGS_ROUTES,
  ...EVENT_ROUTES,
  ...DEMO_ROUTES,
];
