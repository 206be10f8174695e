import type { ArtifactsSeen } from '../../domain/packages/content/artifact-seen.ts';
import type { PackageCaller } from '../../domain/packages/package-parties.ts';
import { isHandoffPackage, type StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { type WorkingDirectory, workingDirectoryOf } from '../worktrees/working-directory.ts';

/** The folder of the archive. It is always in the project's own folder, even if the agents work in a worktree. */
const ARCHIVE = '.project/07-audit/sessions';

/**
 * Returns whether the package is archived in its project (SPEC P36). The package of a handoff is archived only if the
 * project already has a `.project/` folder, because a plain handoff writes nothing into a project. Any other package
 * creates this folder.
 */
export const isArchived = (
  { packageFiles, settings }: Pick<Ports, 'packageFiles' | 'settings'>,
  root: string,
  stored: StoredPackage,
): boolean => settings.packageArchive && (!isHandoffPackage(stored) || packageFiles.usesPackages(root));

/** Returns the path of the archived package in its project; null if the package is not archived. */
export function archivePathOf(
  ports: Pick<Ports, 'store' | 'packageFiles' | 'settings'>,
  stored: StoredPackage,
): string | null {
  const root = ports.store.read((tx) => tx.projectById(stored.projectId))?.path;
  if (root === undefined || stored.record.revision === 0 || !isArchived(ports, root, stored)) return null;
  return `${ARCHIVE}/${stored.session}/handoffs/${stored.record.id}.yaml`;
}

/**
 * Returns the folder with a package's artifacts. This is the folder in which the author of the last revision works
 * (SPEC P32). If this author's worktree has been removed, returns the project's own folder.
 */
export function placeOfPackage(tx: Tx, { projectId, worktreeId = null }: StoredPackage): WorkingDirectory | undefined {
  const isThere = worktreeId !== null && tx.worktreeById(worktreeId)?.state !== 'removed';
  return workingDirectoryOf(tx, { projectId, worktreeId: isThere ? worktreeId : null });
}

/** Returns the caller's working directory (SPEC P32). For a person, this is the project's own folder. */
export function placeOfCaller(tx: Tx, { agentId }: PackageCaller, projectId: number): WorkingDirectory | undefined {
  const agent = agentId === null ? undefined : tx.agentById(agentId);
  return workingDirectoryOf(tx, agent ?? { projectId, worktreeId: null });
}

/**
 * Returns the folder for the caller's next revision of a package. A person has no folder, so a person's revision uses
 * the folder of the previous revision.
 */
export const placeOfRevision = (tx: Tx, caller: PackageCaller, stored: StoredPackage): WorkingDirectory | undefined =>
  caller.agentId === null ? placeOfPackage(tx, stored) : placeOfCaller(tx, caller, stored.projectId);

/**
 * Observes a package's artifacts. The document of a handoff is in Baton's home; all other artifacts are in the folder
 * `place`.
 */
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
