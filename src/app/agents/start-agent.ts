import type { Agent } from '../../domain/agents/agent.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { createAgent } from '../engine/record-facts.ts';
import { choosePersona, type PersonaRequest } from '../personas/choose-persona.ts';
import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import { insertWorktree, planWorktree } from '../worktrees/plan-worktree.ts';
import { unavailableReason } from './unavailable-reason.ts';

export interface StartRequest {
  readonly projectId: number;
  readonly personaSlug: PersonaRequest;
  readonly runtime: string;
  /** The name of a new worktree for the agent; an empty string lets Baton choose one. */
  readonly worktree?: string | undefined;
  /** Arguments that are passed to the client unchanged. */
  readonly clientArgs?: readonly string[] | undefined;
}

/** Creates an agent. Refuses if a problem can be detected now; the launch itself happens after the answer. */
export async function startAgent(ports: Ports, request: StartRequest): Promise<Agent | Refusal> {
  const runtime = ports.runtimes.get(request.runtime);
  if (runtime === undefined) {
    const known = [...ports.runtimes.keys()].join(', ');
    return {
      code: 'runtime_unknown',
      sentence: `Unknown runtime "${request.runtime.slice(0, 60)}": use ${known}`,
    };
  }
  const args = request.clientArgs ?? [];
  const badArgs = args.length === 0 ? undefined : refuseArgs(runtime, args);
  if (badArgs !== undefined) return { code: 'bad_request', sentence: badArgs };
  const unavailable = await unavailableReason(ports, runtime);
  if (unavailable !== undefined) return { code: 'runtime_unavailable', sentence: unavailable };
  const project = ports.store.read((tx) => tx.projectById(request.projectId));
  if (project === undefined) return { code: 'project_not_found', sentence: `Project ${request.projectId} not found` };
  const problem = await ports.files.whyNotAProject(project.path);
  if (problem !== undefined) return { code: 'bad_project_path', sentence: problem };
  const unfit = await runtime.whyNotIn?.(project.path);
  if (unfit !== undefined) return { code: 'runtime_unavailable', sentence: unfit };
  const planned = request.worktree === undefined ? undefined : await planWorktree(ports, project, request);
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
      runtime: runtime.id,
      previousAgentId: null,
      ...(args.length === 0 ? {} : { clientArgs: args }),
    });
  });
}

function refuseArgs(runtime: AgentRuntime, args: readonly string[]): string | undefined {
  if (runtime.refuseArgs === undefined) return `${runtime.title} takes no additional arguments`;
  if (args.some((arg) => withoutControls(arg) !== arg)) return 'An argument for the client contains control characters';
  return runtime.refuseArgs(args);
}
