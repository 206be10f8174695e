import { askForHandoff } from '../../../app/handoffs/policy/ask-for-handoff.ts';
import { changeCountdown } from '../../../app/handoffs/policy/change-countdown.ts';
import { setAgentPolicy, setPersonaPolicy, setProjectPolicy } from '../../../app/handoffs/policy/set-policy.ts';
import * as policies from '../../../contract/policies.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Agent } from '../../../domain/agents/agent.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { agentRelations } from '../agents/agent-relations.ts';
import { viewAgent, viewPersona, viewProject } from '../agents/views.ts';
import { type HttpDeps, ID, mapped, OPERATOR, type Route, route, SLUG } from '../server/route.ts';
import { readPolicy } from './policy-views.ts';

const show = (deps: HttpDeps, changed: Agent | Refusal): resources.Agent | Refusal =>
  mapped(changed, (agent) => viewAgent(agent, agentRelations(deps)));

export const POLICY_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: PATHS.agentPolicy(ID),
    summary: 'Set the handoff policy of an agent and its successors; null removes it',
    body: policies.SetPolicy,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body: { policy } }) =>
      show(deps, await setAgentPolicy(deps.ports, id, policy && readPolicy(policy))),
  }),
  route({
    method: 'POST',
    path: PATHS.personaPolicy(SLUG),
    summary: 'Set the handoff policy of the agents of a persona; null removes it',
    body: policies.SetPolicy,
    answer: resources.Persona,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, slug, body: { policy } }) =>
      mapped(await setPersonaPolicy(deps.ports, slug, policy && readPolicy(policy)), (persona) =>
        viewPersona(persona, deps.homePath),
      ),
  }),
  route({
    method: 'POST',
    path: PATHS.projectPolicy(ID),
    summary: 'Set the handoff policy of the agents of a project; null removes it',
    body: policies.SetPolicy,
    answer: resources.Project,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body: { policy } }) =>
      mapped(await setProjectPolicy(deps.ports, id, policy && readPolicy(policy)), (project) =>
        viewProject(
          project,
          deps.ports.store.read((tx) => tx.personaById(project.defaultPersonaId ?? 0)),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: PATHS.countdown(ID),
    summary: 'Cancel or snooze the automatic handoff of an agent, whether its countdown runs or not',
    body: policies.ChangeCountdown,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body: { action, minutes } }) =>
      show(deps, await changeCountdown(deps.ports, id, { do: action, minutes })),
  }),
  route({
    method: 'POST',
    path: PATHS.askForHandoff,
    summary: 'An agent asks for its own handoff; its policy decides whether a countdown begins or a person is asked',
    body: policies.AskForHandoff,
    answer: policies.HandoffAsked,
    status: 200,
    callers: ['agent'],
    limit: 'message',
    handle: async ({ deps, caller, body: { reason } }) =>
      mapped(
        await askForHandoff(deps.ports, caller.kind === 'agent' ? caller.agentId : 0, reason),
        ({ decidedBy, sentence }) => ({ decided_by: decidedBy, sentence }),
      ),
  }),
];
