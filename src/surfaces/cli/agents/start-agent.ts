import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgent } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { awaitAgent, isReady } from '../handoffs/watch/await-agent.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';
import { postProject } from './projects.ts';

export interface AgentToStart {
  /** The path or number of the project. */
  readonly project: string;
  /** false means no persona, even if the project has a default. */
  readonly persona?: string | false;
  readonly runtime: string;
  /** true means that Baton chooses the worktree's name. */
  readonly worktree?: string | true;
  readonly wait: boolean;
  /** Arguments for the agent's client. */
  readonly args?: readonly string[];
}

const READY_MS = 60_000;

export async function startAgent(cli: Cli, wanted: AgentToStart): Promise<number> {
  const api = operatorClient(cli.deps);
  const started = await api.post(PATHS.agents, await requestFor(api, wanted), Agent);
  const { id } = started.data;
  if (!wanted.wait) return showAnswer(cli, started, () => [[`Agent ${id} is starting.`]]);
  await awaitReady(cli, api, id);
  return showAnswer(cli, await getAgent(api, id), (agent) => [
    [TICK, ` ${agent.label} (agent ${id}) is ready in ${agent.folder}`],
    ...(agent.worktree === null ? [] : [[`  Worktree branch: ${agent.worktree.branch}`]]),
    [`  Open its terminal: baton agent attach ${id}`],
  ]);
}

export async function awaitReady(cli: Cli, api: ApiClient, id: number): Promise<void> {
  await awaitAgent(api, id, isReady, {
    timeoutMs: READY_MS,
    what: 'ready',
    isAsked: true,
    onLook: (agent) => cli.out.pass(`Agent ${id} is ${agent.state}: ${agent.state_reason} …`),
  });
  cli.out.clearPassing();
}

async function requestFor(
  api: ApiClient,
  { project, persona, runtime, worktree, args = [] }: AgentToStart,
): Promise<unknown> {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-'))
    throw new CliFault(`Unexpected argument "${first}". Put arguments for the client after --`, {
      code: 'usage',
      exitCode: EXIT.usage,
      hint: 'For example: baton agent start -- --model opus',
    });
  const project_id = /^\d+$/.test(project) ? Number(project) : (await postProject(api, project)).data.id;
  return {
    project_id,
    runtime,
    ...(args.length === 0 ? {} : { client_args: args }),
    ...(persona === undefined ? {} : { persona: persona || null }),
    ...(worktree === undefined ? {} : { worktree: worktree === true ? '' : worktree }),
  };
}
