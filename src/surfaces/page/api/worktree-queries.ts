import { queryOptions } from '@tanstack/react-query';
import { PATHS } from '../../../contract/routes.ts';
import type { Worktree, WorktreeRemoval } from '../../../contract/worktrees.ts';
import { get, post } from './call.ts';

/** The worktrees. Fetched whenever the page is opened, because a change of a file causes no event. */
export const worktreesQuery = queryOptions({
  staleTime: 0,
  queryKey: ['worktrees'],
  queryFn: async ({ signal }) => (await get<{ worktrees: Worktree[] }>(PATHS.worktrees, signal)).worktrees,
});

/** The dry run of a removal: what would be lost, and what prevents the removal. The answer is never cached. */
export const removalQuery = (id: number, branch: boolean) =>
  queryOptions({
    staleTime: 0,
    gcTime: 0,
    queryKey: ['worktree-removal', id, branch],
    queryFn: () => post<WorktreeRemoval>(PATHS.removeWorktree(id), { dry_run: true, branch }),
  });

export const removeWorktree = (
  id: number,
  wanted: { readonly force: readonly string[]; readonly branch: boolean },
): Promise<WorktreeRemoval> => post<WorktreeRemoval>(PATHS.removeWorktree(id), wanted);
