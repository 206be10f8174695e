import type { Agent } from '../../domain/agents/agent.ts';
import { newFirstPrompt } from '../../domain/messages/first-prompt.ts';
import type { RunsOn } from '../../domain/personas/runs-on.ts';
import { looksLikeCommand, typeable } from '../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { createAgent } from '../engine/record-facts.ts';
import { choosePersona, type PersonaRequest } from '../personas/choose-persona.ts';
import { choicesFor, firstAble, refuseRunsOn } from '../personas/choose-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';
import { insertWorktree, planWorktree } from '../worktrees/plan-worktree.ts';

export interface StartRequest {
  readonly projectId: number;
  readonly personaSlug: PersonaRequest;
  /**
   * The runtime of the agent. If undefined, Baton uses the persona's list of runtimes, then the project's list, then
   * the operator's default.
   */
  readonly runtime?: string | undefined;
  /**
   * The model, as the runtime names it. If undefined, Baton takes the model from the persona's or project's list of
   * runtimes. If no list names a model, the client chooses one.
   */
  readonly model?: string | undefined;
  /** The name of a new worktree for the agent. If the name is an empty string, Baton chooses one. */
  readonly worktree?: string | undefined;
  /** Arguments that are passed to the client unchanged. */
  readonly clientArgs?: readonly string[] | undefined;
  /** The first prompt. Baton sends it when the agent is ready. */
  readonly prompt?: string | undefined;
}

/** Creates an agent, or returns a refusal if a problem can be detected now. The agent's program is launched later. */
export async function startAgent(ports: Ports, request: StartRequest): Promise<Agent | Refusal> {
  const badPrompt = request.prompt === undefined ? undefined : refuseFirstPrompt(ports, request.prompt);
  if (badPrompt !== undefined) return { code: 'bad_request', sentence: badPrompt };
  const project = ports.store.read((tx) => tx.projectById(request.projectId));
  if (project === undefined) return { code: 'project_not_found', sentence: `Project ${request.projectId} not found` };
  const problem = await ports.files.whyNotAProject(project.path);
  if (problem !== undefined) return { code: 'bad_project_path', sentence: problem };
  const chosen = ports.store.read((tx) => choosePersona(tx, project.id, request.personaSlug));
  if (isRefusal(chosen)) return chosen;
  const runsOn = await chooseRunsOn(ports, request, { project, personaId: chosen?.id ?? null });
  if (isRefusal(runsOn)) return runsOn;
  const { runtime, model, args = [] } = runsOn;
  const personaSlug = typeof request.personaSlug === 'string' ? chosen?.slug : request.personaSlug;
  const planned =
    request.worktree === undefined ? undefined : await planWorktree(ports, project, { ...request, personaSlug });
  if (isRefusal(planned)) return planned;
  return ports.store.write((tx) => {
    const persona = choosePersona(tx, project.id, request.personaSlug);
    if (isRefusal(persona)) return persona;
    const worktree = planned && insertWorktree(tx, ports, planned);
    if (isRefusal(worktree)) return worktree;
    return createAgent(tx, ports, {
      ...(worktree && { worktreeId: worktree.id }),
      projectId: project.id,
      personaId: persona?.id ?? null,
      runtime,
      previousAgentId: null,
      ...(args.length === 0 ? {} : { clientArgs: args }),
      ...(model === undefined ? {} : { model }),
      ...(request.prompt === undefined ? {} : { firstPrompt: newFirstPrompt(request.prompt) }),
    });
  });
}

/**
 * Returns the reason why an agent cannot get this text as its first prompt; undefined if the text is accepted. A text
 * with a secret is refused, because Baton stores the first prompt until the agent is ready.
 */
function refuseFirstPrompt({ secrets }: Pick<Ports, 'secrets'>, prompt: string): string | undefined {
  if (typeable(prompt).trim() === '') return 'The first prompt is empty';
  if (looksLikeCommand(prompt))
    return `The first prompt begins with "${typeable(prompt).trim().charAt(0)}", so the agent's client would not treat it as a prompt; begin it with a word`;
  return secrets.redact(prompt) === prompt
    ? undefined
    : 'The first prompt contains a secret, and Baton would have to store it until the agent is ready; start the agent without a prompt, and send the prompt later';
}

/**
 * Returns the runtime, model and arguments of the new agent: the first of the possible choices with which an agent can
 * start in this project. Returns a refusal if there is none.
 */
async function chooseRunsOn(
  ports: Ports,
  { runtime, model, clientArgs: args }: StartRequest,
  { project, personaId }: { readonly project: Project; readonly personaId: number | null },
): Promise<RunsOn | Refusal> {
  const otherwise = { runtime: ports.operatorSettings.current().defaultRuntime };
  const wish = { runtime, model, args: args?.length === 0 ? undefined : args };
  const choices = ports.store.read((tx) => choicesFor(tx, { personaId, projectId: project.id }, wish, otherwise));
  const [first] = choices;
  const refusal = choices.length === 1 && first !== undefined ? refuseRunsOn(ports, first) : undefined;
  if (refusal !== undefined) return refusal;
  const choice = await firstAble(ports, choices, project.path);
  if (choice.able !== undefined) return choice.able;
  const refused = { code: 'runtime_unavailable', sentence: choice.why } as const;
  const others = [...ports.runtimes.keys()].map((id): RunsOn => ({ runtime: id }));
  const instead = (await firstAble(ports, others, project.path)).able?.runtime;
  if (instead === undefined) return refused;
  const asDefault =
    first === otherwise ? `; or make it the default: baton settings set default_runtime ${instead}` : '';
  return { ...refused, hint: `Or use another agent type: baton agent start --runtime ${instead}${asDefault}` };
}
