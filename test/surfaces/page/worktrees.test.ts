import { describe, expect, it } from 'vitest';
import type { Worktree } from '../../../src/contract/worktrees.ts';
import { riskOf, workIn, worktreesByProject } from '../../../src/surfaces/page/worktrees/worktree-words.ts';

const CLEAN: Worktree['facts'] = {
  uncommitted: { count: 0, untracked: 0, unsure: 0 },
  ignored: 0,
  branch: 'baton/x',
  ahead: 0,
  unmerged: 0,
  unreachable: 0,
  problem: null,
};
const worktree = (facts: Partial<Worktree['facts']> = {}, over: Partial<Worktree> = {}): Worktree => ({
  id: 1,
  name: 'x',
  project: { id: 1, name: 'shop', path: '/p' },
  branch: 'baton/x',
  base: { branch: 'main', commit: 'c' },
  path: '/w/x',
  folder: '/w/x',
  state: 'ready',
  exists: true,
  agents: [],
  in_use: false,
  facts: { ...CLEAN, ...facts },
  created_at: '2026-11-15T08:00:00.000Z',
  ...over,
});

describe('the risk of removing a worktree', () => {
  it.each<[string, Worktree]>([
    ['green: Removing the worktree loses no work.', worktree()],
    [
      'green: Removing the worktree loses no work. Its commits are also on another branch or tag.',
      worktree({ ahead: 2 }),
    ],
    [
      'amber: Removing the worktree loses nothing if you keep its branch: 1 commit is on no other branch.',
      worktree({ ahead: 1, unmerged: 1 }),
    ],
    [
      'red: Removing the worktree loses 1 uncommitted change.',
      worktree({ uncommitted: { count: 0, untracked: 0, unsure: 1 } }),
    ],
    [
      'red: Removing the worktree loses 3 uncommitted changes and 2 commits on no branch.',
      worktree({ uncommitted: { count: 3, untracked: 1, unsure: 0 }, unreachable: 2, unmerged: 2 }),
    ],
    [
      'red: Baton cannot tell whether work would be lost: git took too long.',
      worktree({ uncommitted: null, unreachable: null, problem: 'git took too long.' }),
    ],
    ['red: Baton cannot tell whether work would be lost.', worktree({ unreachable: null })],
    [
      'amber: The folder of the worktree no longer exists. Its branch may still exist.',
      worktree({ uncommitted: null, problem: 'the folder of the worktree is gone' }, { exists: false }),
    ],
    ['blue: The worktree cannot be removed while it is in use.', worktree({ unmerged: 1 }, { in_use: true })],
    ['amber: Remove the worktree again to finish the removal.', worktree({}, { state: 'removing' })],
    ['grey: Git is still creating the worktree.', worktree({ uncommitted: null }, { state: 'making', exists: false })],
  ])('the page describes the risk of removing a worktree as "%s"', (said, seen) => {
    const { tone, sentence } = riskOf(seen);
    expect(`${tone}: ${sentence}`).toBe(said);
  });
});

it('workIn describes the uncommitted changes and new commits of a worktree in one line', () => {
  expect(workIn(worktree({ uncommitted: { count: 2, untracked: 1, unsure: 0 }, ahead: 1, ignored: 1 }))).toBe(
    '2 uncommitted changes, 1 of them a new file, 1 commit ahead of main, 1 ignored entry',
  );
  expect(workIn(worktree())).toBe('No uncommitted changes, no commits ahead of main');
  expect(workIn(worktree({ uncommitted: null, ahead: null, ignored: null }))).toBe('');
});

it('worktreesByProject returns one group of worktrees for each project', () => {
  const docs = { id: 2, name: 'docs', path: '/d' };
  const all = [worktree({}, { id: 1 }), worktree({}, { id: 2, project: docs }), worktree({}, { id: 3 })];
  expect(worktreesByProject(all).map((its) => its.map(({ id }) => id))).toEqual([[2], [1, 3]]);
});
