import type { ArtifactsSeen } from '../../../domain/packages/content/artifact-seen.ts';
import type { Project } from '../store.ts';

/** One file of the archive: its name in the folder of the session, and what it says. */
export interface ArchiveFile {
  readonly name: string;
  readonly value: unknown;
}

export interface Archive {
  /** The project's folder. */
  readonly root: string;
  readonly session: string;
  readonly files: readonly ArchiveFile[];
}

/** What packages have to do with the disk. */
export interface PackageFiles {
  /** What stands at these paths of a project. No link is followed, nothing outside is touched, and time is bounded. */
  look(root: string, paths: readonly string[]): Promise<ArtifactsSeen>;
  /** `state/current.json` of a project, in Baton's home. True: it was not there, or said something else. */
  writeState(project: Project, state: unknown): Promise<boolean>;
  /** Into the project, as old or new and never half. Throws where a link is in the way. How many were not there as they are. */
  writeArchive(archive: Archive): Promise<number>;
}
