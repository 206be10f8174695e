import { explainAgent } from '../../../app/agents/explain-agent.ts';
import { interruptAgent } from '../../../app/agents/interrupt-agent.ts';
import { muteAgent } from '../../../app/agents/mute-agent.ts';
import { showScreen } from '../../../app/agents/show-screen.ts';
import { startAgent } from '../../../app/agents/start-agent.ts';
import { stopAgent } from '../../../app/agents/stop-agent.ts';
import { answerQuestion } from '../../../app/messages/answer-question.ts';
import { sendMessage } from '../../../app/messages/send-message.ts';
import { changeProjectRunsOn } from '../../../app/personas/change-runs-on.ts';
import { changeDefaultPersona } from '../../../app/personas/default-persona.ts';
import { givePersona } from '../../../app/personas/give-persona.ts';
import { registerPersona } from '../../../app/personas/register-persona.ts';
import type { Project } from '../../../app/ports/store.ts';
import { indexedPercent } from '../../../app/search/search-texts.ts';
import { addProject } from '../../../app/settings/add-project.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Agent } from '../../../domain/agents/agent.ts';
import { agentNotFound } from '../../../domain/agents/refuse-unreachable.ts';
import { instantFromMs } from '../../../domain/instant.ts';
import { answerAgents } from '../agents/agent-list.ts';
import { agentRelations } from '../agents/agent-relations.ts';
import { DEMO_ROUTES } from '../agents/demo-routes.ts';
import { ENVIRONMENT_ROUTES } from '../agents/environment-routes.ts';
import { RETURN_ROUTES } from '../agents/resume-routes.ts';
import { RUNTIME_ROUTES } from '../agents/runtime-routes.ts';
import { readRunsOn, viewAgent, viewExplanation, viewPersona, viewProject, viewScreen } from '../agents/views.ts';
import { FLEET_ROUTES } from '../fleet/fleet-routes.ts';
import { remoteRoutes } from '../fleet/remote-routes.ts';
import { HANDOFF_ROUTES } from '../handoffs/handoff-routes.ts';
import { POLICY_ROUTES } from '../handoffs/policy-routes.ts';
import { EVENT_ROUTES } from '../inbox/event-routes.ts';
import { INBOX_ROUTES } from '../inbox/inbox-routes.ts';
import { PACKAGE_ROUTES } from '../packages/package-routes.ts';
import { KNOWLEDGE_ROUTES } from '../personas/knowledge-routes.ts';
import { PERSONA_ROUTES } from '../personas/persona-routes.ts';
import { SEARCH_ROUTES } from '../search/search-routes.ts';
import { ADOPTION_ROUTES } from '../sessions/adoption-routes.ts';
import { LOGIN_ROUTES } from '../sessions/login-routes.ts';
import { SETTINGS_ROUTES } from '../settings/settings-routes.ts';
import { USAGE_ROUTES } from '../usage/usage-routes.ts';
import { WORKTREE_ROUTES } from '../worktrees/worktree-routes.ts';
import { type HttpDeps, ID, mapped, OPERATOR, type Route, route } from './route.ts';

/**
 * Returns a function that converts agents to the format of the API. Each answer needs a new function, because the
 * function caches the rows that it reads.
 */
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

const LOCAL: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.health,
    summary: 'Whether Baton is running, and its current problems',
    answer: resources.Health,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps: { ports, healthProblems, loginAddress } }) =>
      ports.store.read((tx) => ({
        status: healthProblems().length === 0 ? ('ok' as const) : ('trouble' as const),
        version: ports.settings.version,
        host_id: tx.hostId,
        last_seq: tx.lastSeq(),
        address: loginAddress('').split('#', 1)[0] ?? '',
        trouble: [...healthProblems()],
        ...(indexedPercent(ports) === 100 ? {} : { indexed_percent: indexedPercent(ports) }),
      })),
  }),
  route({
    method: 'POST',
    path: PATHS.stopServer,
    summary: 'Stop the Baton server; agents keep running in tmux',
    body: requests.Nothing,
    answer: resources.ServerStopping,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => {
      const live = deps.ports.store.read((tx) => tx.liveAgents()).length;
      const { membership, isConnected } = deps.fleet.status();
      const runsHub = isConnected && membership?.machine === membership?.founder.name;
      deps.stopServer();
      return { status: 'stopping' as const, live_agents: live, hub_runs: runsHub };
    },
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
  ...KNOWLEDGE_ROUTES,
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
    path: PATHS.projectRunsOn(ID),
    summary:
      'Set the agent types for agents of a project, in order of preference; a list of the persona takes precedence',
    body: requests.ProjectRunsOn,
    answer: resources.Project,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body }) =>
      mapped(await changeProjectRunsOn(deps.ports, id, body.runs_on.map(readRunsOn)), showProject(deps)),
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
          model: body.model,
          clientArgs: body.client_args,
          prompt: body.prompt,
        }),
        show(deps),
      ),
  }),
  route({
    method: 'GET',
    path: PATHS.agents,
    summary:
      'Agents, oldest first; ?live=1 for running agents, ?ids=1,2,3 for the agents with these ids, otherwise the newest agents; ?limit= (100 unless given), ?before=ID for agents older than the agent with this id; ?state=idle,working, ?project=, ?persona=SLUG and ?q=TEXT filter; with ?live=1 also ?sort=need, name, project, context, active or started',
    answer: resources.AgentList,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, query }) => answerAgents(deps, query, show(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.agent(ID),
    summary: 'One agent',
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
    handle: ({ deps, id }) => mapped(deps.ports.store.read((tx) => tx.agentById(id)) ?? agentNotFound(id), show(deps)),
  }),
  route({
    method: 'GET',
    path: PATHS.agentWhy(ID),
    summary: 'The facts behind the state of an agent',
    answer: resources.AgentWhy,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
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
    afar: 'command',
    handle: async ({ deps, id, body }) => mapped(await stopAgent(deps.ports, id, body.force), show(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.interruptAgent(ID),
    summary: 'Interrupt a working agent: press Escape once',
    body: requests.Nothing,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    afar: 'act',
    handle: async ({ deps, id }) => mapped(await interruptAgent(deps.ports, id), show(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.givePersona(ID),
    summary:
      'Give a persona to a live agent that has none or, with `replace`, another persona. The agent may ask for permission to write its handoff document, because it was started without access to the folder of its new persona',
    body: requests.GivePersona,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
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
    afar: 'command',
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
    afar: 'command',
    handle: async ({ deps, id }) => mapped(await muteAgent(deps.ports, id, { muted: false }), show(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.messages(ID),
    summary:
      'Type a prompt to an agent, exactly as given, and wait a few seconds for the evidence that the model has the prompt',
    body: requests.SendMessage,
    answer: requests.MessageVerdict,
    status: 200,
    callers: OPERATOR,
    limit: 'message',
    afar: 'command',
    handle: ({ deps, id, body }) => sendMessage(deps.ports, id, body.text),
  }),
  route({
    method: 'POST',
    path: PATHS.answer(ID),
    summary:
      'Answer a question of an agent, with an option or with text; refused if the agent now shows another question',
    body: requests.AnswerQuestion,
    answer: requests.MessageVerdict,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
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
    afar: 'look',
    handle: async ({ deps, id }) => mapped(await showScreen(deps.ports, id), viewScreen),
  }),
  ...RETURN_ROUTES,
  ...WORKTREE_ROUTES,
  ...ADOPTION_ROUTES,
  ...HANDOFF_ROUTES,
  ...POLICY_ROUTES,
  ...PACKAGE_ROUTES,
  ...INBOX_ROUTES,
  ...RUNTIME_ROUTES,
  ...ENVIRONMENT_ROUTES,
  ...SETTINGS_ROUTES,
  ...EVENT_ROUTES,
  ...SEARCH_ROUTES,
  ...USAGE_ROUTES,
  ...DEMO_ROUTES,
  ...FLEET_ROUTES,
];

/** The routes of this machine, and the routes that forward a request to another machine. */
export const ROUTES: readonly Route[] = [...LOCAL, ...remoteRoutes(LOCAL)];
