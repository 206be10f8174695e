import type { DocumentCheck } from '../../../domain/facts.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { PersonaTextName } from '../../../domain/personas/persona.ts';

export interface DocumentEvidence {
  /** A value that changes whenever the document's file changes. */
  readonly fingerprint: string;
  readonly markerFound: boolean;
}

export interface DocumentPlace {
  readonly slug: string;
  readonly uuid8: string;
  readonly at: Instant;
  /**
   * The document paths of earlier runs. Baton does not use a path again, because a late document may still be written
   * to it.
   */
  readonly taken: readonly string[];
}

export interface PersonaText {
  /** The text of the file; null if the file does not exist or has a problem. */
  readonly text: string | null;
  /** The hash of the file's bytes; null if there is no file. */
  readonly sha256: string | null;
  /**
   * The reason why Baton can neither show nor write the file. For example, the file is a symbolic link, is not a
   * regular file, or is not UTF-8.
   */
  readonly problem?: string;
}

export interface TextChange {
  readonly text: string;
  /** The sha256 of the text before the edit; null if there was no file. */
  readonly basedOn: string | null;
}

export type TextSaved =
  | { readonly outcome: 'saved' | 'same' | 'changed_meanwhile' }
  | { readonly outcome: 'unusable'; readonly why: string };

/** Access to all files of personas and agents in Baton's home. */
export interface AgentFiles {
  /** The path of Baton's home. Document paths are relative to this folder. */
  readonly home: string;
  /** Creates the persona's folder with skill.md, experience.md and handoffs/. Never overwrites a file. */
  seedPersona(slug: string, name: string, role: string): Promise<void>;
  /** Reads the skill and the experience of a persona. A text is undefined if its file is missing or empty. */
  readSkill(slug: string): Promise<{ readonly skill: string | undefined; readonly experience: string | undefined }>;
  /**
   * Returns a value that changes whenever one of a persona's two text files changes. Returns undefined right after a
   * change, because a second change at the same moment might leave the value the same.
   */
  skillMark(slug: string): string | undefined;
  /**
   * Returns a value that changes whenever the agent's session-start file changes (see `keepSessionStart`). Returns
   * undefined right after a change, because a second change at the same moment might leave the value the same.
   */
  sessionStartMark(agentId: number): string | undefined;
  readPersonaText(slug: string, name: PersonaTextName): Promise<PersonaText>;
  /**
   * Writes the given text to a persona's file if the file still has the hash `basedOn`. If the file has changed, writes
   * nothing.
   */
  savePersonaText(slug: string, name: PersonaTextName, change: TextChange): Promise<TextSaved>;
  /** Creates the handoffs folder if needed, and returns an unused document path in this folder. */
  prepareDocumentPlace(place: DocumentPlace): Promise<{ readonly path: string; readonly absolutePath: string }>;
  /**
   * Validates the document. If the document is valid, stores a copy of it under its hash. Then adds the end marker if
   * the marker is missing, and stores a copy of the new text.
   */
  checkDocument(path: string, endToken: string): Promise<DocumentCheck>;
  /** Writes a document that Baton itself has composed. The path must not exist yet. */
  writeDocument(path: string, text: string): Promise<void>;
  /**
   * Restores a missing document from its stored copy. Leaves a changed document as it is unless `isApproved` is true:
   * then the stored copy replaces the changed document, whose text is stored as a further copy. Throws if the stored
   * copy is needed and is missing or changed.
   */
  restoreDocument(
    path: string,
    sha256: string,
    isApproved: boolean,
  ): Promise<'there' | 'restored' | 'changed' | 'changed_and_put_back'>;
  /**
   * Reads the state of the document without validating it; undefined if the document is not a readable, non-empty
   * regular file.
   */
  readDocumentFacts(path: string, endToken: string): Promise<DocumentEvidence | undefined>;
  /**
   * Calls back when a file in the document's folder may have changed. The caller has to check which file changed.
   * Returns a function that ends the watch.
   */
  watchDocument(path: string, listener: () => void): () => void;
  /**
   * Copies the file that the operator named to the expected path of the document. Adds the end marker if the copy has
   * none. If a document already exists at that path, first stores a copy of the existing document. If the copying
   * fails, returns a sentence with the reason.
   */
  adoptDocument(from: string, to: Adoption): Promise<string | undefined>;
  /**
   * Finds the text files (.md, .txt) that were written since the given time, in these folders and their direct
   * subfolders. Returns their paths. If there are many, returns only the latest.
   */
  newTexts(folders: readonly string[], since: Instant): Promise<readonly string[]>;
  /**
   * Returns the stored copy of a document. `text` is absent if the copy is missing or was changed. If the copy was
   * changed, `problem` says so.
   */
  keptDocument(sha256: string): Promise<{ readonly text?: string; readonly problem?: string }>;
  handoffsFolder(slug: string): string;
  /** Writes the launch script and the runtime's files into the agent's own folder. Returns the command to execute. */
  writeLaunch(agentId: number, launch: LaunchScript): Promise<readonly string[]>;
  agentFolder(agentId: number): string;
  /** Returns the path of the `baton` program that agents run. */
  batonProgram(): string;
  /**
   * Sets the text that the hook prints when the agent's next session starts; undefined for no text. If the file already
   * has this content, it is not written.
   */
  keepSessionStart(agentId: number, content: string | undefined): Promise<void>;
  sessionStartPath(agentId: number): string;
  /**
   * Creates a folder with these files in Baton's home. Returns the path of the folder with all symbolic links resolved.
   */
  makeSampleProject(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Returns the reason why agents cannot run in this folder. Returns undefined if they can. */
  whyNotAProject(path: string): Promise<string | undefined>;
  /**
   * Returns the reason why this folder cannot become a project. Returns undefined if it can. Refuses everything that
   * `whyNotAProject` refuses, and also the root folder, the operator's home folder and Baton's own folder.
   */
  whyNotANewProject(path: string): Promise<string | undefined>;
}

export interface Adoption {
  readonly path: string;
  readonly endToken: string;
  readonly allowedFolders: readonly string[];
}

export interface LaunchScript {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly unsetEnv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}
