import type { ArtifactsSeen } from '../../../domain/packages/content/artifact-seen.ts';
import type { Project } from '../store.ts';

/** One file of the archive, with its name in the folder of the session. */
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
  /** Observes these paths of a project. Follows no links, reads nothing outside, and has a time limit. */
  look(root: string, paths: readonly string[]): Promise<ArtifactsSeen>;
  /** Writes `state/current.json` of a project in Baton's home. Returns true if the file was missing or different. */
  writeState(project: Project, state: unknown): Promise<boolean>;
  /**
   * Writes the files into the project, each of them atomically. Throws if part of the path is a link. Returns how many
   * files were missing or different.
   */
  writeArchive(archive: Archive): Promise<number>;
}
