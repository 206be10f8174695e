import type { ArtifactsSeen } from '../../domain/packages/content/artifact-seen.ts';
import type { PackageCaller } from '../../domain/packages/package-parties.ts';
import { isHandoffPackage, type StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { type WorkingDirectory, workingDirectoryOf } from '../worktrees/working-directory.ts';

/** Baton writes the archive into the project's own folder, also for agents that work in a worktree. */
const ARCHIVE = '.project/07-audit/sessions';

/**
 * P32. Returns the folder of a package's artifacts, in which the author of the last revision works. If this was a
 * worktree that is removed, returns the project's own folder; the hashes show whether the files were merged.
 */
export function placeOfPackage(tx: Tx, { projectId, worktreeId = null }: StoredPackage): WorkingDirectory | undefined {
  const isThere = worktreeId !== null && tx.worktreeById(worktreeId)?.state !== 'removed';
  return workingDirectoryOf(tx, { projectId, worktreeId: isThere ? worktreeId : null });
}

/** P32. Returns the caller's working directory; for a person, this is the project's own folder. */
export function placeOfCaller(tx: Tx, { agentId }: PackageCaller, projectId: number): WorkingDirectory | undefined {
  const agent = agentId === null ? undefined : tx.agentById(agentId);
  return workingDirectoryOf(tx, agent ?? { projectId, worktreeId: null });
}

/** Returns the folder for the caller's next revision. For a person, this is the folder of the previous revision. */
export const placeOfRevision = (tx: Tx, caller: PackageCaller, stored: StoredPackage): WorkingDirectory | undefined =>
  caller.agentId === null ? placeOfPackage(tx, stored) : placeOfCaller(tx, caller, stored.projectId);

/** Observes a package's artifacts. The document of a handoff is in Baton's home; other artifacts are in `place`. */
export const observePackageArtifacts = (
  ports: Pick<Ports, 'files' | 'packageFiles'>,
  place: WorkingDirectory | undefined,
  stored: StoredPackage,
): Promise<ArtifactsSeen> => {
  const paths = pathsOf(stored);
  if (isHandoffPackage(stored)) return ports.packageFiles.look(ports.files.home, paths);
  return place === undefined ? Promise.resolve({}) : lookInPlace(ports, place, paths);
};

const pathsOf = ({ content, record }: StoredPackage): readonly string[] => [
  ...new Set([
    ...(content.context.artifacts ?? []).map(({ path }) => path),
    ...Object.keys(record.seal?.artifacts ?? {}),
  ]),
];

export async function lookInPlace(
  { packageFiles }: Pick<Ports, 'packageFiles'>,
  { project, folder }: WorkingDirectory,
  paths: readonly string[],
): Promise<ArtifactsSeen> {
  const isArchive = (path: string): boolean => path === ARCHIVE || path.startsWith(`${ARCHIVE}/`);
  const [own, archived] = await Promise.all([
    packageFiles.look(
      folder,
      paths.filter((path) => !isArchive(path)),
    ),
    packageFiles.look(project.path, paths.filter(isArchive)),
  ]);
  return { ...own, ...archived };
}
