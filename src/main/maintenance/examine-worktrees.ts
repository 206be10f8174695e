import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { examineWorktree, repositoryOf, type WorktreeHealth } from '../../adapters/git/examine-worktree.ts';
import { WORKTREES } from '../../adapters/home/open-home.ts';
import { isRestoreUnfinished } from '../../adapters/maintenance/swap-in.ts';
import { type ListedWorktree, readWorktrees } from '../../adapters/stores/sqlite/upkeep/read-worktrees.ts';
import type { Finding } from '../../contract/maintenance.ts';
import { shellQuote } from '../../domain/shell-quote.ts';
import { note, ok, warning } from './finding.ts';
import type { MaintenanceContext } from './maintenance.ts';

/** Checks that Baton's list of worktrees, the folders and git agree. */
export async function examineWorktrees(context: MaintenanceContext): Promise<readonly Finding[]> {
  // Read the folders before the list. Baton adds a new worktree to its list before it creates the folder, so the list
  // then contains the worktree of every folder.
  const folders = foldersIn(context);
  const known = listedIn(context);
  // If Baton's list of worktrees cannot be read, the doctor cannot compare the folders with it.
  if (known === undefined) return [];
  const findings: Finding[] = [];
  for (const each of known) {
    const health = await healthOf(context, each);
    findings.push(...(health === undefined ? [] : [told(each, health)]));
  }
  const paths = new Set(known.map(({ worktree }) => worktree.path));
  for (const path of folders.filter((folder) => !paths.has(folder))) findings.push(await unlisted(context, path));
  if (findings.length > 0) return findings;
  const count = known.length === 1 ? '1 worktree' : `${known.length} worktrees`;
  return [ok('worktrees', known.length === 0 ? 'There are no worktrees.' : `${count}: folder, git and branch match.`)];
}

function listedIn({ home }: MaintenanceContext): readonly ListedWorktree[] | undefined {
  if (isRestoreUnfinished(home.path)) return undefined;
  try {
    return readWorktrees(home.database);
  } catch {
    // Ignore the error here, because `examineStore` reports that the database cannot be read.
    return undefined;
  }
}

/** Examines a worktree. Returns undefined if the worktree is healthy or still being created. */
async function healthOf(
  { env }: MaintenanceContext,
  { worktree, project }: ListedWorktree,
): Promise<WorktreeHealth | undefined> {
  if (worktree.state === 'making') return undefined;
  const health = await examineWorktree(env, { ...worktree, projectPath: project.path });
  return health.is === 'well' && worktree.state === 'ready' ? undefined : health;
}

function told({ worktree, project }: ListedWorktree, health: WorktreeHealth): Finding {
  const { name, path, branch } = worktree;
  const check = `worktree ${name}`;
  const inProject = `git -C ${shellQuote(project.path)}`;
  const remove = `baton worktree remove ${name} --project ${project.id}`;
  const atAnyCost = `${remove} --force uncommitted --force unmerged`;
  if (worktree.state === 'removing')
    return warning(check, `The removal of this worktree was interrupted (${path}).`, `Finish it: ${atAnyCost}`);
  switch (health.is) {
    case 'folder_gone':
      return warning(
        check,
        `The folder ${path} of this worktree is gone.`,
        `Remove the worktree from the list; its branch ${branch} stays: ${remove}`,
      );
    case 'project_gone':
      return warning(
        check,
        `The repository ${project.path} is gone, so git no longer knows ${path}.`,
        `Restore the repository. Or copy what you need from ${path}, then remove the worktree: ${atAnyCost}`,
      );
    case 'unknown_to_git':
      return warning(
        check,
        `git no longer knows ${path} as a worktree of ${project.path}.`,
        `Copy what you need from ${path} and remove it; its branch ${branch} stays: ${atAnyCost}`,
      );
    case 'link_broken':
      return warning(
        check,
        `The file .git in ${path} is missing or points elsewhere.`,
        `Repair the worktree: ${inProject} worktree repair`,
      );
    case 'branch_gone':
      return branchGone(check, health, { branch, again: `${inProject} branch ${shellQuote(branch)} ${health.from}` });
    case 'not_known':
      return warning(
        check,
        `Baton could not ask git about this worktree: ${health.why}.`,
        'Fix the cause, then check again: baton doctor',
      );
    default:
      return ok(check, 'Folder, git and branch match.');
  }
}

/**
 * Reports that the branch of a worktree is gone. If another branch or commit is checked out in the worktree, the
 * worktree can still be used, so the report is only a note.
 */
function branchGone(check: string, { isOn }: { isOn: boolean }, { branch, again }: { branch: string; again: string }) {
  const sentence = `The branch ${branch} of this worktree is gone`;
  return isOn
    ? note(
        check,
        `${sentence}, and another branch or commit is checked out in the worktree.`,
        `To restore the branch: ${again}`,
      )
    : warning(
        check,
        `${sentence}, so commits that only this branch had are on no branch now.`,
        `Create the branch again: ${again}`,
      );
}

async function unlisted({ env }: MaintenanceContext, path: string): Promise<Finding> {
  const repository = await repositoryOf(env, path).catch(() => undefined);
  const remove =
    repository === undefined
      ? `rm -r ${shellQuote(path)}`
      : `git -C ${shellQuote(repository)} worktree remove ${shellQuote(path)}`;
  return warning(
    'worktrees',
    `${path} exists, but is not a worktree of Baton.`,
    `Copy what you need from that folder, then: ${remove}`,
  );
}

/** Returns the folders `<project>/<name>`. Symbolic links are skipped, because their targets do not belong to Baton. */
function foldersIn({ home }: MaintenanceContext): readonly string[] {
  return below(join(realpathOf(home.path), WORKTREES)).flatMap(below);
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function below(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}
