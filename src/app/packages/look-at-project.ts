import type { GitFacts } from '../../domain/handoff/git-facts.ts';
import type { ArtifactsSeen } from '../../domain/package/artifact-seen.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Project } from '../ports/store.ts';
import type { WorkflowRead } from '../ports/workflow-files.ts';
import type { Ports } from '../world.ts';

/** What was seen in a project before a package about it was judged. */
export interface Looked {
  readonly project: Project;
  readonly seen: ArtifactsSeen;
  readonly git: GitFacts;
  readonly workflow: WorkflowRead;
}

/** `also`: gates whose approval is about what their artifacts were. */
export async function lookAtProject(
  ports: Ports,
  project: Project,
  content: PackageInput,
  also: readonly (StoredPackage | undefined)[] = [],
): Promise<Looked> {
  const paths = (content.context.artifacts ?? []).map(({ path }) => path);
  const all = [...new Set([...paths, ...also.flatMap((each) => Object.keys(each?.record.seal?.artifacts ?? {}))])];
  const [seen, git, workflow] = await Promise.all([
    ports.packageFiles.look(project.path, all),
    ports.projects.git(project.path),
    ports.workflows.read(project.path),
  ]);
  return { project, seen, git, workflow };
}

/** As they are called in the project, which may be a folder below the repository. */
export function changedFiles({ project, git }: Looked): readonly string[] | null {
  if (git.kind === 'unknown' || git.dirty === null) return null;
  const below = project.path === git.root ? '' : `${project.path.slice(git.root.length + 1)}/`;
  return git.dirty.files.flatMap(({ path }) => (path.startsWith(below) ? [path.slice(below.length)] : []));
}
