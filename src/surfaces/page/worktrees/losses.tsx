import type { ReactNode } from 'react';
import type { WorktreeRemoval } from '../../../contract/worktrees.ts';
import { visible } from '../parts/markdown/visible-text.ts';

/**
 * Lists the work that a removal of the worktree would destroy. The operator must select each loss before the removal.
 */
export function Losses({
  removal: { losses, worktree },
  named,
  onName,
}: {
  readonly removal: WorktreeRemoval;
  readonly named: ReadonlySet<string>;
  readonly onName: (sentence: string) => void;
}) {
  const { ignored } = worktree.facts;
  return (
    <>
      {losses.length === 0 ? (
        <p className="mt-3">No work would be lost{worktree.exists ? '.' : ': the folder is already gone.'}</p>
      ) : (
        <fieldset className="mt-3 rounded-lg border border-red/40 bg-red-soft px-3 pt-2">
          <legend className="sr-only">Work that would be lost</legend>
          <p className="mb-1 font-medium text-red">
            This work would be lost permanently. Commit or merge it first, or select what to delete:
          </p>
          {losses.map(({ loss, sentence }) => (
            <Tick key={loss} checked={named.has(sentence)} onChange={() => onName(sentence)}>
              Delete: {visible(sentence)}
            </Tick>
          ))}
        </fieldset>
      )}
      {ignored !== null && ignored > 0 && (
        <p className="mt-2 text-sm text-muted">
          {ignored === 1 ? '1 entry' : `${ignored} entries`} ignored by git (builds, local settings) would also be
          deleted.
        </p>
      )}
    </>
  );
}

export const Tick = ({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: () => void;
  readonly children: ReactNode;
}) => (
  <label className="my-3 flex items-start gap-2.5 max-md:my-0 max-md:py-[11px]">
    <input type="checkbox" className="mt-1 size-4 shrink-0 accent-accent" checked={checked} onChange={onChange} />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
);
