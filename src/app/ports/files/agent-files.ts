import type { DocumentCheck } from '../../../domain/facts.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { PersonaTextName } from '../../../domain/personas/persona.ts';

export interface DocumentEvidence {
  /** Changes whenever the file changes. */
  readonly fingerprint: string;
  readonly markerFound: boolean;
}

export interface DocumentPlace {
  readonly slug: string;
  readonly uuid8: string;
  readonly at: Instant;
  /** Document paths of earlier runs, which may still get a late document; these paths are not used again. */
  readonly taken: readonly string[];
}

export interface PersonaText {
  /** null if the file does not exist or has a problem. */
  readonly text: string | null;
  /** Hash of the file's bytes. */
  readonly sha256: string | null;
  /** Why the file is neither shown nor written: it is a link, not a regular file, or not UTF-8. */
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

/** All files of personas and agents in Baton's home. */
export interface AgentFiles {
  /** Baton's home; document paths are relative to it. */
  readonly home: string;
  /** Creates the persona's folder with skill.md, experience.md and handoffs/. Never overwrites a file. */
  seedPersona(slug: string, name: string, role: string): Promise<void>;
  /** Reads the two texts of a persona; a text is undefined if its file is missing or empty. */
  readSkill(slug: string): Promise<{ readonly skill: string | undefined; readonly experience: string | undefined }>;
  readPersonaText(slug: string, name: PersonaTextName): Promise<PersonaText>;
  /** Writes the whole text unchanged if the file still has the hash `basedOn`; otherwise writes nothing. */
  savePersonaText(slug: string, name: PersonaTextName, change: TextChange): Promise<TextSaved>;
  /** Creates the handoffs folder if needed and returns a path in it that is free. */
  prepareDocumentPlace(place: DocumentPlace): Promise<{ readonly path: string; readonly absolutePath: string }>;
  /** Validates the document. If it is valid, adds the end marker if it is missing, and stores a copy under its hash. */
  checkDocument(path: string, endToken: string): Promise<DocumentCheck>;
  /**
   * Restores a missing document from its stored copy; does not replace a changed document. Throws if the copy is
   * missing or was changed, too.
   */
  restoreDocument(path: string, sha256: string): Promise<'there' | 'restored' | 'changed'>;
  /** Observes the document without validating it; undefined if it is not a readable, non-empty regular file. */
  readDocumentFacts(path: string, endToken: string): Promise<DocumentEvidence | undefined>;
  /**
   * Calls back when a file in the document's folder may have changed; the caller has to check what changed. Returns a
   * function that ends the watch.
   */
  watchDocument(path: string, listener: () => void): () => void;
  /**
   * Copies a file that the operator named to the expected path of the document. Stores a copy of a document that it
   * replaces. Adds the marker at the end, because without it the successor could not prove that it read the document.
   * Returns a sentence if the copy failed.
   */
  adoptDocument(from: string, to: Adoption): Promise<string | undefined>;
  /** Returns the latest few texts (.md, .txt) written into these folders, or one level below, since this time. */
  newTexts(folders: readonly string[], since: Instant): Promise<readonly string[]>;
  /** Returns the stored copy of the document. Without `text`, it is missing or, with a `problem`, was changed. */
  keptDocument(sha256: string): Promise<{ readonly text?: string; readonly problem?: string }>;
  handoffsFolder(slug: string): string;
  /** Writes the launch script and the runtime's files into the agent's own folder; returns the command to execute. */
  writeLaunch(agentId: number, launch: LaunchScript): Promise<readonly string[]>;
  agentFolder(agentId: number): string;
  /** Returns the path of the `baton` program for agents. */
  batonProgram(): string;
  /**
   * Sets the text that the hook prints at the next session start of this agent; undefined for no text. Writes the file
   * only if it differs.
   */
  keepSessionStart(agentId: number, content: string | undefined): Promise<void>;
  sessionStartPath(agentId: number): string;
  /** Creates a folder with these files in Baton's home; returns the real path of the folder. */
  makeSampleProject(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Returns why agents cannot run in this folder; undefined if they can. */
  whyNotAProject(path: string): Promise<string | undefined>;
  /**
   * Returns why this folder cannot become a project; undefined if it can. In addition to `whyNotAProject`, it must not
   * be the root folder, the operator's home folder or Baton's own folder.
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
