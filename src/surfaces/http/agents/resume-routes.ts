import { awaitLimit } from '../../../app/agents/resume/await-limit.ts';
import { continueAgent } from '../../../app/agents/resume/continue-agent.ts';
import { type Restoring, restoreAgents, restoreProgress } from '../../../app/agents/resume/restore-agents.ts';
import { resumeAgent } from '../../../app/agents/resume/resume-agent.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { Restore } from '../../../contract/restore.ts';
import { PATHS } from '../../../contract/routes.ts';
import { type HttpDeps, ID, mapped, OPERATOR, type Route, route } from '../server/route.ts';
import { agentRelations } from './agent-relations.ts';
import { viewAgent } from './views.ts';

/** Routes that resume the conversations of ended agents. */
export const RETURN_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: PATHS.resumeAgent(ID),
    summary: 'Resume the conversation of an ended agent in a new agent in the same folder',
    body: requests.ResumeAgent,
    answer: resources.Agent,
    status: 201,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body }) =>
      mapped(await resumeAgent(deps.ports, id, body), (agent) => viewAgent(agent, agentRelations(deps))),
  }),
  route({
    method: 'POST',
    path: PATHS.continueAgent(ID),
    summary: 'Ask a resumed agent that was cut off in its work to continue, with one short prompt',
    body: requests.Nothing,
    answer: requests.MessageVerdict,
    status: 200,
    callers: OPERATOR,
    limit: 'message',
    afar: 'command',
    handle: ({ deps, id }) => continueAgent(deps.ports, id),
  }),
  route({
    method: 'POST',
    path: PATHS.afterLimit(ID),
    summary: 'Set whether Baton asks an agent to continue, with one short prompt, once its usage limit is over',
    body: requests.AfterLimit,
    answer: resources.Agent,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id, body }) =>
      mapped(await awaitLimit(deps.ports, id, body.continue), (agent) => viewAgent(agent, agentRelations(deps))),
  }),
  route({
    method: 'POST',
    path: PATHS.restoreAgents,
    summary: 'Resume all agents that were lost with the tmux server or the machine, one after another',
    body: requests.RestoreAgents,
    answer: Restore,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, body }) =>
      viewRestore(body.dry_run ? restoreProgress(deps.ports) : await restoreAgents(deps.ports), deps),
  }),
  route({
    method: 'GET',
    path: PATHS.restoreAgents,
    summary: 'The agents that can be resumed after an outage, with the progress of each',
    answer: Restore,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => viewRestore(restoreProgress(deps.ports), deps),
  }),
];

function viewRestore(all: readonly Restoring[], deps: HttpDeps): Restore {
  const around = agentRelations(deps);
  return {
    agents: all.map(({ agent, status, resumedAs, detail }) => {
      const { label, project } = viewAgent(agent, around);
      return {
        agent_id: agent.id,
        label,
        project: project.name,
        status,
        resumed_as: resumedAs?.id ?? null,
        detail,
        cut_off: agent.cutOff ? { ...agent.cutOff } : null,
        context_used_percent: agent.context?.usedPercent ?? null,
      };
    }),
    over: !all.some(({ status }) => status === 'waiting' || status === 'starting'),
  };
}
