import { useQuery } from '@tanstack/react-query';
import { worktreesQuery } from '../api/worktree-queries.ts';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Empty, PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { At } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { WorktreeRow } from './worktree-row.tsx';
import { worktreesByProject } from './worktree-words.ts';

/** Shows the work that agents left in their worktrees, before any is removed. */
export function WorktreesPage() {
  const { data: worktrees, error, isFetching, refetch, dataUpdatedAt } = useQuery(worktreesQuery);
  return (
    <>
      <PageTitle
        title="Worktrees"
        note={
          worktrees === undefined ? (
            'A folder and a branch of its own for an agent and its successors.'
          ) : (
            <>
              Looked at <At at={new Date(dataUpdatedAt).toISOString()} />; files change without a word
            </>
          )
        }
      >
        <Button busy={isFetching && worktrees !== undefined} onClick={() => void refetch()}>
          Look again
        </Button>
      </PageTitle>
      <Trouble error={error} />
      {worktrees === undefined && error === null && <Loading what="Asking git about the worktrees" />}
      {worktrees?.length === 0 && (
        <Empty title="No worktrees">
          An agent that is started “in a git worktree of its own” works in a folder and on a branch apart from the
          others.
        </Empty>
      )}
      {worktreesByProject(worktrees ?? []).map((its) => (
        <Section
          key={its[0]?.project.id}
          title={visible(its[0]?.project.name ?? '')}
          aside={
            <span className="min-w-0 truncate font-mono text-xs text-muted">{visible(its[0]?.project.path ?? '')}</span>
          }
        >
          <Panel>
            <ul className="divide-y divide-line">
              {its.map((worktree) => (
                <li key={worktree.id}>
                  <WorktreeRow worktree={worktree} />
                </li>
              ))}
            </ul>
          </Panel>
        </Section>
      ))}
    </>
  );
}
