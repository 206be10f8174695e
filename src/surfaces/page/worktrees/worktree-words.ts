import type { Tone } from '../../../contract/words/tone.ts';
import type { Worktree } from '../../../contract/worktrees.ts';
import { capitalized } from '../parts/words/capitalized.ts';

type Facts = Worktree['facts'];

export interface Risk {
  readonly tone: Tone;
  /** A label of one or two words for the state of a worktree. */
  readonly word: string;
  /**
   * Describes how the removal of a worktree affects the work in it. A removal keeps the branch, unless the operator
   * chooses otherwise.
   */
  readonly sentence: string;
}

export function riskOf({ state, exists, facts, in_use: isInUse }: Worktree): Risk {
  if (state === 'making')
    return { tone: 'grey', word: 'Being created', sentence: 'Git is still creating the worktree.' };
  if (isInUse) return { tone: 'blue', word: 'In use', sentence: 'The worktree cannot be removed while it is in use.' };
  if (state === 'removing')
    return { tone: 'amber', word: 'Removal incomplete', sentence: 'Remove the worktree again to finish the removal.' };
  if (!exists)
    return {
      tone: 'amber',
      word: 'Folder missing',
      sentence: 'The folder of the worktree no longer exists. Its branch may still exist.',
    };
  const { uncommitted, unreachable, unmerged } = facts;
  if (uncommitted === null || unreachable === null)
    return { tone: 'red', word: 'Unknown', sentence: `Baton cannot tell whether work would be lost${because(facts)}.` };
  const changed = changes(uncommitted.count + uncommitted.unsure);
  const lost = [changed, unreachable > 0 ? `${commits(unreachable)} on no branch` : ''].filter(Boolean);
  if (lost.length > 0)
    return {
      tone: 'red',
      word: changed === '' ? 'Commits on no branch' : 'Uncommitted work',
      sentence: `Removing the worktree loses ${lost.join(' and ')}.`,
    };
  if (unmerged === null || unmerged > 0)
    return {
      tone: 'amber',
      word: 'Not merged',
      sentence: `Removing the worktree loses nothing if you keep its branch: ${unmerged === null ? 'its commits may be' : `${commits(unmerged)} ${unmerged === 1 ? 'is' : 'are'}`} on no other branch.`,
    };
  const merged = facts.ahead === 0 ? '' : ' Its commits are also on another branch or tag.';
  return { tone: 'green', word: 'Clean', sentence: `Removing the worktree loses no work.${merged}` };
}

const because = ({ problem }: Facts): string => (problem === null ? '' : `: ${problem.replace(/\.$/, '')}`);

const commits = (count: number): string => (count === 1 ? '1 commit' : `${count} commits`);
const changes = (count: number): string =>
  count === 0 ? '' : count === 1 ? '1 uncommitted change' : `${count} uncommitted changes`;

/** Returns a one-line summary of what git reports about a worktree; empty if nothing is known. */
export function workIn({ facts, base }: Worktree): string {
  const { uncommitted, ahead, ignored } = facts;
  const words = [
    uncommitted && (changes(uncommitted.count + uncommitted.unsure) || 'no uncommitted changes'),
    uncommitted &&
      uncommitted.untracked > 0 &&
      `${uncommitted.untracked} of them ${uncommitted.untracked === 1 ? 'a new file' : 'new files'}`,
    ahead !== null && `${ahead === 0 ? 'no commits' : commits(ahead)} ahead of ${base.branch}`,
    ignored !== null && ignored > 0 && `${ignored} ignored ${ignored === 1 ? 'entry' : 'entries'}`,
  ]
    .filter(Boolean)
    .join(', ');
  return capitalized(words);
}

/** Groups worktrees by project and sorts the groups by the project's name. The order within a group stays the same. */
export function worktreesByProject(all: readonly Worktree[]): readonly (readonly Worktree[])[] {
  const groups = new Map<number, Worktree[]>();
  for (const each of all) groups.set(each.project.id, [...(groups.get(each.project.id) ?? []), each]);
  return [...groups.values()].sort(([one], [other]) =>
    (one?.project.name ?? '').localeCompare(other?.project.name ?? ''),
  );
}
