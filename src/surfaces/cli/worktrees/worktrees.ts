import { PATHS } from '../../../contract/routes.ts';
import { projectNames } from '../../../contract/words/project-names.ts';
import { type Worktree, WorktreeList, WorktreeRemoval } from '../../../contract/worktrees.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import type { Answer, ApiClient } from '../client/api-client.ts';
import { operatorClient } from '../client/operator-client.ts';
import { confirm } from '../maintenance/confirm.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

const getWorktrees = (api: ApiClient): Promise<Answer<{ worktrees: Worktree[] }>> =>
  api.get(PATHS.worktrees, WorktreeList);

export async function listWorktrees(cli: Cli): Promise<number> {
  const answer = await getWorktrees(operatorClient(cli.deps));
  return showAnswer(cli, answer, ({ worktrees }) =>
    worktrees.length === 0
      ? [['No worktrees. Start an agent in one: baton agent start --worktree']]
      : table(
          ['name', 'project', 'branch', 'agents', 'work', 'path'],
          worktrees.map((each) => row(each, projectNames(worktrees.map(({ project }) => project))(each.project))),
        ),
  );
}

const row = (each: Worktree, project: string): Part[] => [
  each.name,
  project,
  each.branch,
  each.agents.map(({ id, state }) => `${id} (${state})`).join(', ') || '-',
  work(each),
  each.path,
];

function work({ facts, state, exists }: Worktree): Part {
  if (facts.problem !== null || !exists) return ink('yellow', `${state}: ${facts.problem ?? 'its folder is gone'}`);
  const changes = facts.uncommitted === null ? '?' : facts.uncommitted.count + facts.uncommitted.unsure;
  return `${changes} uncommitted, ${facts.ahead ?? '?'} ahead`;
}

export interface RemovalParams {
  readonly project?: string;
  readonly force?: readonly string[];
  readonly branch?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function removeWorktree(cli: Cli, name: string, wanted: RemovalParams): Promise<number> {
  const api = operatorClient(cli.deps);
  const { id } = await find(api, name, wanted.project);
  const { force = [], branch = false, dryRun = false, yes = false } = wanted;
  const ask = (dry_run: boolean) => api.post(PATHS.removeWorktree(id), { dry_run, force, branch }, WorktreeRemoval);
  const before = await ask(true);
  if (dryRun) return showAnswer(cli, before, facts);
  if (!cli.json) for (const line of facts(before.data).slice(0, -1)) cli.out.print(...line);
  if (before.data.refusal === null)
    await confirm(cli, {
      yes,
      question: `Remove the worktree ${name}?`,
      otherwise: `The worktree ${name} was not removed.`,
    });
  return showAnswer(cli, await ask(false), ({ worktree }) => [
    [TICK, ` Removed the worktree ${name}${branch ? ' and its branch' : `; the branch ${worktree.branch} stays`}.`],
  ]);
}

async function find(api: ApiClient, name: string, project: string | undefined): Promise<Worktree> {
  const { worktrees } = (await getWorktrees(api)).data;
  const found = worktrees.filter(
    (each) =>
      each.name === name && (project === undefined || [String(each.project.id), each.project.name].includes(project)),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw only === undefined
    ? new CliFault(`No worktree is named ${name}.`, {
        code: 'worktree_not_found',
        hint: 'See: baton worktree list',
      })
    : new CliFault(`Several projects have a worktree named ${name}.`, {
        code: 'bad_request',
        hint: `Name the project: --project ${only.project.id}`,
      });
}

function facts({ worktree, losses, refusal }: WorktreeRemoval): Part[][] {
  const { facts: seen } = worktree;
  return [
    [
      ink('bold', `${worktree.name}`),
      ` in ${worktree.path}, on ${seen.branch ?? 'no branch'} (its own: ${worktree.branch})`,
    ],
    [`  agents: ${worktree.agents.map(({ id, state }) => `${id} (${state})`).join(', ') || 'none'}`],
    [
      `  uncommitted: ${seen.uncommitted?.count ?? 'unknown'}, ignored entries that would be deleted: ${seen.ignored ?? 'unknown'}`,
    ],
    [
      `  commits ahead of ${worktree.base.branch}: ${seen.ahead ?? 'unknown'}, on no other branch: ${seen.unmerged ?? 'unknown'}`,
    ],
    ...losses.map(({ sentence }): Part[] => [ink('yellow', `  would be lost: ${sentence}`)]),
    [refusal === null ? '  It would be removed.' : ink('red', `  It would not be removed: ${refusal}`)],
  ];
}
