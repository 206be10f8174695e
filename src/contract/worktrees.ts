import { z } from 'zod';

const Losses = z
  .array(z.object({ loss: z.enum(['uncommitted', 'unmerged']), sentence: z.string() }))
  .describe('The work that its removal would lose.');

export const Worktree = z
  .object({
    id: z.int(),
    name: z.string(),
    project: z.object({ id: z.int(), name: z.string(), path: z.string() }),
    branch: z.string(),
    base: z.object({ branch: z.string(), commit: z.string() }).describe('The branch and commit that it is based on.'),
    path: z.string(),
    folder: z.string().describe('The folder in which agents work.'),
    state: z.enum(['making', 'ready', 'removing', 'removed']),
    exists: z.boolean().describe('Whether its folder exists.'),
    agents: z
      .array(z.object({ id: z.int(), label: z.string(), state: z.string() }))
      .describe('All agents that worked in it, oldest first.'),
    in_use: z.boolean().describe('Whether a running agent works in it.'),
    facts: z
      .object({
        uncommitted: z
          .object({
            count: z.int(),
            untracked: z.int(),
            unsure: z.int().describe('Files behind a git filter, which Baton does not run.'),
          })
          .nullable(),
        ignored: z.int().nullable().describe('Ignored files; they are removed with the folder.'),
        branch: z.string().nullable().describe('The branch that is checked out now.'),
        ahead: z.int().nullable().describe('Commits that its base branch does not have.'),
        unmerged: z.int().nullable().describe('Commits that no other branch, remote branch or tag has.'),
        unreachable: z.int().nullable().describe('Commits on no branch at all.'),
        problem: z.string().nullable(),
      })
      .describe('The git state; null: unknown.'),
    created_at: z.string(),
  })
  .meta({ id: 'Worktree' });
export type Worktree = z.infer<typeof Worktree>;

export const WorktreeList = z.object({ worktrees: z.array(Worktree) });

export const WorktreeRemoval = z.object({
  removed: z.boolean(),
  worktree: Worktree,
  losses: Losses,
  refusal: z.string().nullable().describe('With dry_run: why it would not be removed.'),
  refusal_code: z.string().nullable().describe('worktree_has_work: only unnamed work prevents the removal.'),
});
export type WorktreeRemoval = z.infer<typeof WorktreeRemoval>;
