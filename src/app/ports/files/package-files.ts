import type { ArtifactsSeen } from '../../../domain/packages/content/artifact-seen.ts';
import type { Project } from '../store.ts';

/** One file of the archive: its name in the session's folder, and its content. */
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

/** Reads and writes the files of packages. */
export interface PackageFiles {
  /** Observes these paths of a project. Follows no link, touches nothing outside, and takes bounded time. */
  look(root: string, paths: readonly string[]): Promise<ArtifactsSeen>;
  /** Writes `state/current.json` of a project in Baton's home. true: it was missing or different. */
  writeState(project: Project, state: unknown): Promise<boolean>;
  /**
   * Writes into the project, each file atomically. Throws if a link is in the way. Returns how many files were missing
   * or different.
   */
  writeArchive(archive: Archive): Promise<number>;
}
