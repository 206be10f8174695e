import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worktree } from '../../../src/contract/worktrees.ts';
import { type Day, git, type Place } from './day.ts';

export interface Grown {
  readonly name: string;
  folder: string | undefined;
  commit: string | undefined;
  isRemoved: boolean;
}

type Told = { readonly removed?: boolean; readonly code?: string; readonly error?: string };

/** Gives one agent after another its own worktree. Commits a file there, ends the agent, and removes the worktree. */
export async function grow(day: Day, projectPath: string, done: Grown[]): Promise<void> {
  const projectId = await day.project(projectPath);
  const place: Place = { name: 'tree', agentId: undefined };
  day.places.push(place);
  while (!day.isOver) {
    const one: Grown = { name: `tree-${done.length + 1}`, folder: undefined, commit: undefined, isRemoved: false };
    done.push(one);
    const persona = await day.persona('Fay');
    const agentId = await day.during('worktree', () => make(day, one, { projectId, persona }));
    if (one.folder !== undefined) {
      place.agentId = agentId;
      await day.rest(2_000);
      place.agentId = undefined;
      writeFileSync(join(one.folder, `${one.name}.txt`), one.name);
      git(one.folder, 'add', '-A');
      git(one.folder, 'commit', '-qm', one.name);
      one.commit = git(one.folder, 'rev-parse', 'HEAD').trim();
    }
    await day.end(agentId);
    if (one.folder !== undefined) await day.during('worktree', () => remove(day, one));
  }
}

async function make(day: Day, one: Grown, { projectId, persona }: { projectId: number; persona: string }) {
  const agentId = await day.start(
    { project_id: projectId, persona, worktree: one.name },
    ({ worktree }) => worktree?.name === one.name,
  );
  if (await day.isReady(agentId, `start in worktree ${one.name}`)) one.folder = (await day.agent(agentId)).folder;
  return agentId;
}

async function remove(day: Day, one: Grown): Promise<void> {
  const { lane } = day;
  let last = '';
  const gone = await day.until(async () => {
    const { worktrees } = await lane.get<{ worktrees: Worktree[] }>('/api/worktrees');
    const found = worktrees.find(({ name, state }) => name === one.name && state !== 'removed');
    if (found === undefined) return true;
    const told = await lane.try<Told>('POST', `/api/worktrees/${found.id}/remove`, { force: ['uncommitted'] });
    last = told?.body.error ?? last;
    return told?.body.removed === true;
  });
  if (gone === undefined) return day.accuse('stuck', `worktree ${one.name} could not be removed: ${last}`);
  one.isRemoved = true;
}

/**
 * Checks each worktree with git and on disk: the worktree must exist, unless Baton reported that it removed the
 * worktree.
 */
export async function judgeGrown(day: Day, projectPath: string, done: readonly Grown[]): Promise<void> {
  const listed = git(projectPath, 'worktree', 'list', '--porcelain');
  const branches = git(projectPath, 'branch', '--format=%(refname:short)').split('\n');
  for (const { name, folder, commit, isRemoved } of done) {
    const isListed = listed.includes(`refs/heads/baton/${name}\n`);
    if (isRemoved && (isListed || existsSync(folder ?? '')))
      day.accuse('lost', `worktree ${name} was reported as removed, but still exists`);
    if (!isRemoved && folder !== undefined && !isListed) day.accuse('lost', `worktree ${name} is not in the list`);
    if (commit === undefined) continue;
    const kept = branches.includes(`baton/${name}`)
      ? git(projectPath, 'rev-parse', `baton/${name}`).trim()
      : 'no branch';
    if (kept !== commit) day.accuse('lost', `the work in worktree ${name} is gone: ${kept} instead of ${commit}`);
  }
  const { worktrees } = await day.lane.get<{ worktrees: Worktree[] }>('/api/worktrees');
  for (const { name, state } of worktrees)
    if (state === 'making' || state === 'removing') day.accuse('stuck', `worktree ${name} is ${state}`);
  const left = git(projectPath, 'status', '--porcelain').trim();
  if (left !== '') day.accuse('lost', `the project's own folder was changed: ${left}`);
}
