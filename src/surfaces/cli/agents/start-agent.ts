import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { Answer, ApiClient } from '../client/api-client.ts';
import { getAgent } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { awaitAgent, isReady } from '../handoffs/watch/await-agent.ts';
import { readAll } from '../inbox/read-all.ts';
import { CROSS, type Part, TICK, WARN } from '../output/ink.ts';
import { knownProject, personaFor } from './projects.ts';

export interface AgentToStart {
  /** The path or number of a project. */
  readonly project: string;
  /** The persona of the agent; false means none, even if the project has a default persona. */
  readonly persona?: string | false;
  /** The agent type; if it is undefined, the server uses the setting `default_runtime`. */
  readonly runtime?: string;
  readonly model?: string;
  /** The name of a new worktree for the agent. True means that Baton chooses the name of the new worktree. */
  readonly worktree?: string | true;
  /** The first prompt; `-` means that the prompt is read from standard input. */
  readonly prompt?: string;
  readonly count?: number;
  readonly wait: boolean;
  /** Arguments for the agent's client. */
  readonly args?: readonly string[];
}

const READY_MS = 60_000;

/**
 * Starts one agent or several equal agents. With --json prints one agent, or a list of agents if --count is more than
 * one.
 */
export async function startAgents(cli: Cli, wanted: AgentToStart): Promise<number> {
  const { count = 1, wait } = wanted;
  const api = operatorClient(cli.deps);
  const request = await requestFor(cli, api, wanted);
  const started: Answer<Agent>[] = [];
  try {
    for (let nth = 0; nth < count; nth += 1) started.push(await api.post(PATHS.agents, request, Agent));
  } catch (error) {
    if (started.length > 0) cli.out.note(`Only ${started.length} of ${count} agents were started.`);
    throw error;
  }
  const ends = wait
    ? await Promise.all(started.map(({ data }) => awaitStarted(cli, api, data)))
    : started.map(notAwaited);
  return showStarted(cli, ends, count > 1);
}

export interface StartEnd {
  readonly body: unknown;
  readonly lines: readonly (readonly Part[])[];
  readonly exitCode: number;
}

function notAwaited({ body, data: { id, first_prompt } }: Answer<Agent>): StartEnd {
  const prompt = first_prompt ? ' Baton sends the prompt when the agent is ready; the inbox reports a failure.' : '';
  return { body, exitCode: EXIT.done, lines: [[`Agent ${id} is starting.${prompt}`]] };
}

function showStarted(cli: Cli, ends: readonly StartEnd[], isList: boolean): number {
  cli.out.clearPassing();
  const bodies = ends.map(({ body }) => body);
  if (cli.json) cli.out.json(isList ? { agents: bodies } : bodies[0]);
  else for (const { lines } of ends) for (const line of lines) cli.out.print(...line);
  return Math.max(...ends.map(({ exitCode }) => exitCode));
}

/** Waits until the agent is ready. If the agent has a first prompt, waits until the outcome of the prompt is known. */
export async function awaitStarted(cli: Cli, api: ApiClient, { id, first_prompt }: Agent): Promise<StartEnd> {
  await awaitReady(cli, api, id, first_prompt ? hasOutcome : isReady);
  const { body, data: agent } = await getAgent(api, id);
  const outcome = agent.first_prompt ?? null;
  return {
    body,
    exitCode: outcome === null ? EXIT.done : EXIT_OF[outcome.state],
    lines: [
      [TICK, ` ${agent.label} (agent ${id}) is ready in ${agent.folder}`],
      ...(agent.worktree === null ? [] : [[`  Worktree branch: ${agent.worktree.branch}`]]),
      ...(outcome === null ? [] : [['  ', SIGN[outcome.state], ` ${outcome.sentence ?? ''}`]]),
      [`  Open its terminal: baton agent attach ${id}`],
    ],
  };
}

type Outcome = NonNullable<Agent['first_prompt']>['state'];

const hasOutcome = ({ first_prompt }: Agent): boolean =>
  first_prompt == null || (first_prompt.state !== 'waiting' && first_prompt.state !== 'sending');

const SIGN: Record<Outcome, Part> = {
  waiting: WARN,
  sending: WARN,
  accepted: TICK,
  refused: CROSS,
  unconfirmed: WARN,
};
const EXIT_OF: Record<Outcome, number> = {
  waiting: EXIT.failed,
  sending: EXIT.unconfirmed,
  accepted: EXIT.done,
  refused: EXIT.failed,
  unconfirmed: EXIT.unconfirmed,
};

export async function awaitReady(
  cli: Cli,
  api: ApiClient,
  id: number,
  isSo: (agent: Agent) => boolean = isReady,
): Promise<void> {
  await awaitAgent(api, id, isSo, {
    timeoutMs: READY_MS,
    what: 'ready',
    isAsked: true,
    onLook: (agent) => cli.out.pass(`Agent ${id} is ${agent.state}: ${agent.state_reason} …`),
  });
  cli.out.clearPassing();
}

async function requestFor(cli: Cli, api: ApiClient, wanted: AgentToStart): Promise<unknown> {
  const { project, persona, runtime, model, worktree, prompt, count = 1, args = [] } = wanted;
  const [first] = args;
  if (first !== undefined && !first.startsWith('-'))
    throw usage(
      `Unexpected argument "${first}". Give a first prompt with --prompt, and arguments for the client after --`,
      'For example: baton agent start --prompt "Do the next step of PLAN.md." -- --verbose',
    );
  if (count > 1 && typeof worktree === 'string')
    throw usage(`Several agents cannot share the new worktree ${worktree}. Use --worktree without a name.`);
  const text = prompt === '-' ? (await readAll(cli)).toString('utf8') : prompt;
  if (text !== undefined && text.trim() === '') throw usage('The prompt is empty; no agent was started.');
  const known = await knownProject(api, project, persona !== undefined);
  const chosen = persona === undefined ? await personaFor(api, known) : persona || null;
  return {
    project_id: known.id,
    ...(runtime === undefined ? {} : { runtime }),
    ...(model === undefined ? {} : { model }),
    ...(args.length === 0 ? {} : { client_args: args }),
    ...(chosen === undefined ? {} : { persona: chosen }),
    ...(worktree === undefined ? {} : { worktree: worktree === true ? '' : worktree }),
    ...(text === undefined ? {} : { prompt: text }),
  };
}

const usage = (sentence: string, hint?: string): CliFault =>
  new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
