import { Link } from '@tanstack/react-router';
import type { Worktree } from '../../../contract/worktrees.ts';
import { isLive } from '../agents/hand-off.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Path } from '../parts/words/path.tsx';
import { RemoveWorktreeDialog } from './remove-worktree-dialog.tsx';
import { riskOf, workIn } from './worktree-words.ts';

export function WorktreeRow({ worktree }: { readonly worktree: Worktree }) {
  const open = useDialogHost();
  const { name, branch, path, facts, state, base } = worktree;
  const risk = riskOf(worktree);
  const work = workIn(worktree);
  return (
    <article
      aria-label={`Worktree ${name}`}
      className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-4 py-4 md:px-5"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <span className="wrap-anywhere">{visible(name)}</span>
          <Badge tone={risk.tone}>{risk.word}</Badge>
        </h3>
        <p className="mt-1 text-sm wrap-anywhere">
          <Users worktree={worktree} />
        </p>
        <p className="mt-1 text-sm wrap-anywhere">{visible(risk.sentence)}</p>
        {work !== '' && <p className="text-sm wrap-anywhere text-muted">{visible(work)}</p>}
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm text-muted">
          <dt>Branch</dt>
          <dd className="min-w-0">
            <code className="font-mono text-xs break-all text-ink">{visible(branch)}</code> from {visible(base.branch)}
            {worktree.exists && facts.branch !== branch && facts.problem === null && (
              <span className="text-amber">
                {facts.branch === null ? ' · no branch is checked out' : ` · ${visible(facts.branch)} is checked out`}
              </span>
            )}
          </dd>
          <dt>Folder</dt>
          <dd className="font-mono text-xs leading-5 wrap-anywhere">
            <Path text={path} />
          </dd>
        </dl>
      </div>
      {state !== 'making' && (
        <Button
          small
          aria-label={`Remove worktree ${name}`}
          onClick={() => open((close) => <RemoveWorktreeDialog worktree={worktree} onClose={close} />)}
        >
          Remove…
        </Button>
      )}
    </article>
  );
}

/** Shows the agents that use the worktree now. If there are none, shows the agent that used it last. */
function Users({ worktree: { agents } }: { readonly worktree: Worktree }) {
  const live = agents.filter(isLive);
  const last = agents.at(-1);
  if (live.length > 0)
    return (
      <>
        Used by{' '}
        {live.map((agent, index) => (
          <span key={agent.id}>
            {index > 0 && ', '}
            <AgentIn agent={agent} />
          </span>
        ))}
      </>
    );
  return (
    <span className="text-muted">
      No agents
      {last !== undefined && (
        <>
          {'. Last used by '}
          <AgentIn agent={last} />
        </>
      )}
    </span>
  );
}

const AgentIn = ({ agent: { id, label } }: { readonly agent: Worktree['agents'][number] }) => (
  <Link to="/agents/$id" params={{ id }} className="font-medium underline hover:text-ink">
    {visible(label)}, agent {id}
  </Link>
);
