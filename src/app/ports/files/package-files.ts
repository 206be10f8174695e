import type { ArtifactsSeen } from '../../../domain/packages/content/artifact-seen.ts';
import type { Project } from '../store.ts';

/** One file in the archive, with a name relative to the folder of the session. */
export interface ArchiveFile {
  readonly name: string;
  /** The content; undefined if the package has no such file, for example no longer an acknowledgment. */
  readonly value: unknown;
}

export interface Archive {
  /** The project's folder. */
  readonly root: string;
  readonly session: string;
  /** The package, with the `uid` that no other package of any Baton has. */
  readonly id: string;
  readonly uid: string;
  readonly files: readonly ArchiveFile[];
}

/** The text of an artifact with the hash of the artifact's bytes, or the reason why the artifact cannot be shown. */
export type TextRead = { readonly text: string; readonly sha256: string } | { readonly whyNot: string };

/** Access to the files of packages. */
export interface PackageFiles {
  /**
   * Reads the state of these paths in a project. Follows no symbolic links, reads nothing outside the project, and has
   * a time limit.
   */
  look(root: string, paths: readonly string[]): Promise<ArtifactsSeen>;
  /** True if the project has a `.project/` folder. Baton then archives the project's handoffs in that folder. */
  usesPackages(root: string): boolean;
  /** Reads a small text file of a project, without following symbolic links. */
  readText(root: string, path: string): Promise<TextRead>;
  /** Returns the text that was kept for an artifact with this hash; undefined if no text was kept. */
  keptText(sha256: string): Promise<string | undefined>;
  /** Keeps the text of an artifact in Baton's home. `text` must not contain secrets. */
  keepText(sha256: string, text: string): Promise<void>;
  /**
   * Writes `state/current.json` of a project in Baton's home. Returns true if the file was missing or had another
   * content.
   */
  writeState(project: Project, state: unknown): Promise<boolean>;
  /**
   * Writes the files into the project, each of them atomically, and removes those without a value. Files of another
   * package with the same id are kept under a name with the other `uid`. Throws if any part of a path is a symbolic
   * link. Returns how many files were missing, had another content or were removed.
   */
  writeArchive(archive: Archive): Promise<number>;
}
