import { useQuery } from '@tanstack/react-query';
import { worktreesQuery } from '../api/worktree-queries.ts';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Column, Empty, PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { At } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { WorktreeRow } from './worktree-row.tsx';
import { worktreesByProject } from './worktree-words.ts';

/** Shows the work that agents have left in worktrees. The operator can look at it before removing a worktree. */
export function WorktreesPage() {
  const { data: worktrees, error, isFetching, refetch, dataUpdatedAt } = useQuery(worktreesQuery);
  return (
    <Column>
      <PageTitle
        title="Worktrees"
        note={
          worktrees === undefined ? (
            'A separate folder and branch for an agent and its successors.'
          ) : (
            <>
              Checked <At at={new Date(dataUpdatedAt).toISOString()} />
            </>
          )
        }
      >
        <Button busy={isFetching && worktrees !== undefined} onClick={() => void refetch()}>
          Check again
        </Button>
      </PageTitle>
      <Trouble error={error} />
      {worktrees === undefined && error === null && <Loading what="Loading worktrees" />}
      {worktrees?.length === 0 && (
        <Empty title="No worktrees">
          Start an agent with “Use a separate git worktree” to give it its own folder and branch.
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
    </Column>
  );
}
