import type { GitFacts } from '../../domain/handoffs/document/git-facts.ts';
import type { ArtifactsSeen } from '../../domain/packages/content/artifact-seen.ts';
import type { PackageInput } from '../../domain/packages/content/package.ts';
import type { WorkflowRead } from '../ports/files/workflow-files.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';
import type { WorkingDirectory } from '../worktrees/working-directory.ts';
import { lookInPlace } from './package-folder.ts';

/** The author's working directory, as observed before the package is validated. */
export interface Looked {
  readonly project: Project;
  readonly place: WorkingDirectory;
  readonly seen: ArtifactsSeen;
  readonly git: GitFacts;
  /**
   * The workflow file in the project's own folder. So a change of the workflow file on another branch takes effect only
   * once the branch is merged.
   */
  readonly workflow: WorkflowRead;
}

export async function observeProject(
  ports: Pick<Ports, 'projects' | 'packageFiles' | 'workflows'>,
  place: WorkingDirectory,
  content: PackageInput,
): Promise<Looked> {
  const { project, folder } = place;
  const paths = [...new Set((content.context.artifacts ?? []).map(({ path }) => path))];
  const [seen, git, workflow] = await Promise.all([
    lookInPlace(ports, place, paths),
    ports.projects.git(folder),
    ports.workflows.read(project.path),
  ]);
  return { project, place, seen, git, workflow };
}

/**
 * Returns the changed files with paths relative to the author's folder, because this folder may be below the root of
 * the repository.
 */
export function changedFiles({ place: { folder }, git }: Looked): readonly string[] | null {
  if (git.kind === 'unknown' || git.dirty === null) return null;
  const below = folder === git.root ? '' : `${folder.slice(git.root.length + 1)}/`;
  return git.dirty.files.flatMap(({ path }) => (path.startsWith(below) ? [path.slice(below.length)] : []));
}
