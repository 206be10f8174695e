import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Worktree, WorktreeRemoval } from '../../../contract/worktrees.ts';
import { removalQuery, removeWorktree, worktreesQuery } from '../api/worktree-queries.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogButtons } from '../parts/dialogs/dialog.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';
import { Path } from '../parts/words/path.tsx';
import { Losses, Tick } from './losses.tsx';

type Loss = WorktreeRemoval['losses'][number];

/** Shows the losses that the dry run found. Removes the worktree only after the operator has selected each loss. */
export function RemoveWorktreeDialog({
  worktree,
  onClose,
}: {
  readonly worktree: Worktree;
  readonly onClose: () => void;
}) {
  const { id, name, path, branch } = worktree;
  const [withBranch, setWithBranch] = useState(false);
  // The sentences of the losses that the operator confirmed. If a loss changes, its sentence changes as well, so the
  // operator must confirm the loss again.
  const [named, setNamed] = useState<ReadonlySet<string>>(new Set());
  const client = useQueryClient();
  const dry = useQuery({ ...removalQuery(id, withBranch), placeholderData: keepPreviousData });
  const remove = useAction(
    async (seen: readonly Loss[]) => {
      const { losses } = await client.fetchQuery(removalQuery(id, withBranch));
      if (JSON.stringify(losses) !== JSON.stringify(seen))
        throw new Error('The work that would be lost has changed. Nothing was removed. Check the list again.');
      await removeWorktree(id, { force: losses.map(({ loss }) => loss), branch: withBranch });
      await client.invalidateQueries(worktreesQuery);
      return withBranch
        ? `Worktree ${name} and its branch were removed.`
        : `Worktree ${name} was removed. Branch ${branch} was kept.`;
    },
    { inDialog: true },
  );
  const losses = dry.data?.losses ?? [];
  const obstacle = dry.data?.refusal_code === 'worktree_has_work' ? null : (dry.data?.refusal ?? null);
  const isNamed = losses.every(({ sentence }) => named.has(sentence));
  const isReady = dry.data !== undefined && !dry.isFetching && !dry.isError && obstacle === null && isNamed;
  return (
    <Dialog title={`Remove worktree ${name}?`} onClose={onClose}>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        <Path text={path} />
      </p>
      {dry.isPending && <Loading what="Checking what would be lost" />}
      <Trouble error={dry.error} />
      <div aria-live="polite" aria-busy={dry.isFetching}>
        {dry.data !== undefined && obstacle !== null && (
          <p className="mt-3 rounded-lg bg-amber-soft px-3 py-2 text-amber wrap-anywhere">
            It cannot be removed: {visible(obstacle)}
          </p>
        )}
        {dry.data !== undefined && obstacle === null && (
          <Losses
            removal={dry.data}
            named={named}
            onName={(sentence) =>
              setNamed((before) => new Set(before.has(sentence) ? without(before, sentence) : [...before, sentence]))
            }
          />
        )}
      </div>
      {dry.data !== undefined && obstacle === null && (
        <Tick checked={withBranch} onChange={() => setWithBranch(!withBranch)}>
          Also delete branch <code className="font-mono text-sm break-all">{visible(branch)}</code>
          <span className="block text-sm text-muted">
            {dry.data.worktree.facts.ahead === 0
              ? 'The branch has no commits of its own.'
              : 'If you keep the branch, its commits stay and can be merged later.'}
          </span>
        </Tick>
      )}
      <Trouble error={remove.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>{obstacle === null ? 'Keep worktree' : 'Close'}</Button>
        {obstacle === null && (
          <Button
            kind="danger"
            busy={remove.busy}
            disabled={!isReady}
            onClick={() => void remove.run(losses).then((done) => done && closeAndFocusMain(onClose))}
          >
            Remove worktree
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

const without = (all: ReadonlySet<string>, one: string): string[] => [...all].filter((each) => each !== one);

const LIST_CHANGES_MS = 10_000;

/**
 * Closes the dialog and moves the focus to the main part of the page. By default the focus would return to the button
 * that opened the dialog, but this button vanishes together with the removed worktree.
 */
function closeAndFocusMain(onClose: () => void): void {
  const main = document.getElementById('main');
  const focusMain = (): void => main?.focus({ preventScroll: true });
  onClose();
  requestAnimationFrame(focusMain);
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body) focusMain();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), LIST_CHANGES_MS);
}
