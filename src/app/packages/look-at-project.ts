import type { GitFacts } from '../../domain/handoff/git-facts.ts';
import type { ArtifactsSeen } from '../../domain/package/artifact-seen.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Project } from '../ports/store.ts';
import type { WorkflowRead } from '../ports/workflow-files.ts';
import type { WorkPlace } from '../work-place.ts';
import type { Ports } from '../world.ts';
import { lookForPackage, lookInPlace, placeOfPackage } from './package-place.ts';

/** What was seen before a package was judged: in the folder where its author works. */
export interface Looked {
  readonly project: Project;
  readonly place: WorkPlace;
  readonly seen: ArtifactsSeen;
  /** Of the gates that were looked at with it, by id: each lies where it was written. */
  readonly gates: Readonly<Record<string, ArtifactsSeen>>;
  readonly git: GitFacts;
  /** Of the project's own folder: a branch changes it once it is merged. */
  readonly workflow: WorkflowRead;
}

/** `gates`: their approval is about what their artifacts were. */
export async function lookAtProject(
  ports: Ports,
  place: WorkPlace,
  content: PackageInput,
  gates: readonly (StoredPackage | undefined)[] = [],
): Promise<Looked> {
  const { project, folder } = place;
  const paths = [...new Set((content.context.artifacts ?? []).map(({ path }) => path))];
  const [seen, git, workflow] = await Promise.all([
    lookInPlace(ports, place, paths),
    ports.projects.git(folder),
    ports.workflows.read(project.path),
  ]);
  return { project, place, seen, git, workflow, gates: await lookAtGates(ports, gates) };
}

async function lookAtGates(ports: Ports, gates: readonly (StoredPackage | undefined)[]): Promise<Looked['gates']> {
  const seen: Record<string, ArtifactsSeen> = {};
  for (const gate of gates)
    if (gate !== undefined && gate.record.gate !== null)
      seen[gate.record.id] = await lookForPackage(
        ports,
        ports.store.read((tx) => placeOfPackage(tx, gate)),
        gate,
      );
  return seen;
}

/** As they are called where the author works, which may be a folder below the repository. */
export function changedFiles({ place: { folder }, git }: Looked): readonly string[] | null {
  if (git.kind === 'unknown' || git.dirty === null) return null;
  const below = folder === git.root ? '' : `${folder.slice(git.root.length + 1)}/`;
  return git.dirty.files.flatMap(({ path }) => (path.startsWith(below) ? [path.slice(below.length)] : []));
}
