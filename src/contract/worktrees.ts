import { z } from 'zod';

const Losses = z
  .array(z.object({ loss: z.enum(['uncommitted', 'unmerged']), sentence: z.string() }))
  .describe('What removing it would lose.');

export const Worktree = z
  .object({
    id: z.int(),
    name: z.string(),
    project: z.object({ id: z.int(), name: z.string(), path: z.string() }),
    branch: z.string(),
    base: z.object({ branch: z.string(), commit: z.string() }).describe('What it began at.'),
    path: z.string(),
    folder: z.string().describe('Where agents work in it.'),
    state: z.enum(['making', 'ready', 'removing', 'removed']),
    exists: z.boolean().describe('Its folder is there.'),
    agents: z
      .array(z.object({ id: z.int(), label: z.string(), state: z.string() }))
      .describe('All that worked in it, oldest first.'),
    in_use: z.boolean().describe('An agent that runs works in it.'),
    facts: z
      .object({
        uncommitted: z
          .object({
            count: z.int(),
            untracked: z.int(),
            unsure: z.int().describe('Behind a filter that Baton does not run.'),
          })
          .nullable(),
        ignored: z.int().nullable().describe('Entries that git ignores; they go with the folder.'),
        branch: z.string().nullable().describe('What is checked out there now.'),
        ahead: z.int().nullable().describe('Commits that the branch it began at does not have.'),
        unmerged: z.int().nullable().describe('Commits that no other branch, remote branch or tag has.'),
        unreachable: z.int().nullable().describe('Commits on no branch at all.'),
        problem: z.string().nullable(),
      })
      .describe('What git shows; null: not known.'),
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
  refusal_code: z.string().nullable().describe('worktree_has_work: only work that was not named stands in the way.'),
});
export type WorktreeRemoval = z.infer<typeof WorktreeRemoval>;
