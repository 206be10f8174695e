import { listWorktrees, removeWorktree, type SeenWorktree } from '../../../app/worktrees/worktrees.ts';
import { RemoveWorktree } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import * as contract from '../../../contract/worktrees.ts';
import { isLive } from '../../../domain/agents/agent.ts';
import { agentRelations } from '../agents/agent-relations.ts';
import { viewAgent } from '../agents/views.ts';
import { type HttpDeps, ID, mapped, OPERATOR, type Route, route } from '../server/route.ts';

export const WORKTREE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.worktrees,
    summary: 'The git worktrees of agents, with the git status of each',
    answer: contract.WorktreeList,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps }) => ({ worktrees: (await listWorktrees(deps.ports)).map(viewOf(deps)) }),
  }),
  route({
    method: 'POST',
    path: PATHS.removeWorktree(ID),
    summary: 'Remove a worktree that no agent and no run uses; name the work that may be lost',
    body: RemoveWorktree,
    answer: contract.WorktreeRemoval,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body }) => {
      const { dry_run: dryRun, force, branch } = body;
      const result = await removeWorktree(deps.ports, id, { dryRun, force, branch });
      return mapped(result, ({ removed, losses, refusal, ...seen }) => ({
        removed,
        worktree: viewOf(deps)(seen),
        losses: losses.map((loss) => ({ ...loss })),
        refusal: refusal === null ? null : [refusal.sentence, refusal.hint].filter(Boolean).join('. '),
        refusal_code: refusal?.code ?? null,
      }));
    },
  }),
];

const viewOf = (deps: HttpDeps) => {
  const around = agentRelations(deps);
  return ({ worktree, project, agents, isThere, facts }: SeenWorktree): contract.Worktree => ({
    id: worktree.id,
    name: worktree.name,
    project: { id: project.id, name: project.name, path: project.path },
    branch: worktree.branch,
    base: { branch: worktree.baseBranch, commit: worktree.base },
    path: worktree.path,
    folder: worktree.folder,
    state: worktree.state,
    exists: isThere,
    agents: agents.map((agent) => ({ id: agent.id, label: viewAgent(agent, around).label, state: agent.state })),
    in_use: agents.some(isLive),
    facts: { ...facts, uncommitted: facts.uncommitted && { ...facts.uncommitted } },
    created_at: worktree.createdAt,
  });
};
