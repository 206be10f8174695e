import { z } from 'zod';

const Losses = z
  .array(z.object({ loss: z.enum(['uncommitted', 'unmerged']), sentence: z.string() }))
  .describe('The work that the removal of the worktree would lose.');

export const Worktree = z
  .object({
    id: z.int(),
    name: z.string(),
    project: z.object({ id: z.int(), name: z.string(), path: z.string() }),
    branch: z.string(),
    base: z
      .object({ branch: z.string(), commit: z.string() })
      .describe('The branch and commit that the worktree is based on.'),
    path: z.string(),
    folder: z.string().describe('The folder inside the worktree in which agents work.'),
    state: z.enum(['making', 'ready', 'removing', 'removed']),
    exists: z.boolean().describe('Whether the folder of the worktree exists.'),
    agents: z
      .array(z.object({ id: z.int(), label: z.string(), state: z.string() }))
      .describe('All agents that worked in the worktree, oldest first.'),
    in_use: z.boolean().describe('Whether a running agent works in the worktree.'),
    facts: z
      .object({
        uncommitted: z
          .object({
            count: z.int(),
            untracked: z.int(),
            unsure: z
              .int()
              .describe(
                'The number of files that may have changed. Baton cannot tell, because Baton does not run the git filters of these files.',
              ),
          })
          .nullable(),
        ignored: z
          .int()
          .nullable()
          .describe(
            'The number of ignored files; an ignored folder counts as one. Ignored files are removed together with the folder of the worktree.',
          ),
        branch: z.string().nullable().describe('The branch that is checked out in the worktree now.'),
        ahead: z
          .int()
          .nullable()
          .describe("The number of commits on the worktree's branch that are not on the base branch."),
        unmerged: z
          .int()
          .nullable()
          .describe(
            "The number of the worktree's commits that are on no other branch, on no remote branch and under no tag.",
          ),
        unreachable: z
          .int()
          .nullable()
          .describe(
            "The number of the worktree's commits that are on no branch, on no remote branch and under no tag.",
          ),
        problem: z.string().nullable(),
      })
      .describe('The git state of the worktree; a value is null if it is unknown.'),
    created_at: z.string(),
  })
  .meta({ id: 'Worktree' });
export type Worktree = z.infer<typeof Worktree>;

export const WorktreeList = z.object({ worktrees: z.array(Worktree) });

export const WorktreeRemoval = z.object({
  removed: z.boolean(),
  worktree: Worktree,
  losses: Losses,
  refusal: z
    .string()
    .nullable()
    .describe('If `dry_run` was true: why the worktree would not be removed; null if it would be removed.'),
  refusal_code: z
    .string()
    .nullable()
    .describe(
      'The code of the refusal; null if nothing prevents the removal. `worktree_has_work`: the only obstacle is work that would be lost and whose kind is not in `force`.',
    ),
});
export type WorktreeRemoval = z.infer<typeof WorktreeRemoval>;
