import type { DocumentCheck } from '../../../domain/facts.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { PersonaTextName } from '../../../domain/personas/persona.ts';

export interface DocumentEvidence {
  /** Changes whenever the file does. */
  readonly fingerprint: string;
  readonly markerFound: boolean;
}

export interface DocumentPlace {
  readonly slug: string;
  readonly uuid8: string;
  readonly at: Instant;
  /** Paths of earlier runs: a late document of theirs must not be mistaken for this run's. */
  readonly taken: readonly string[];
}

export interface PersonaText {
  /** null: there is no such file, or there is a problem with it. */
  readonly text: string | null;
  /** Hash of the file's bytes. */
  readonly sha256: string | null;
  /** Why it is neither shown nor written: a link, not a regular file, not UTF-8. */
  readonly problem?: string;
}

export interface TextChange {
  readonly text: string;
  /** The sha256 of the text that was edited; null if there was none. */
  readonly basedOn: string | null;
}

export type TextSaved =
  | { readonly outcome: 'saved' | 'same' | 'changed_meanwhile' }
  | { readonly outcome: 'unusable'; readonly why: string };

/** Everything on disk that belongs to personas and agents, inside Baton's home. */
export interface AgentFiles {
  /** Baton's home; document paths are relative to it. */
  readonly home: string;
  /** Creates the persona's folder with skill.md, experience.md and handoffs/. Never overwrites. */
  seedPersona(slug: string, name: string, role: string): Promise<void>;
  /** undefined = no such file or empty. */
  readSkill(slug: string): Promise<{ readonly skill: string | undefined; readonly experience: string | undefined }>;
  readPersonaText(slug: string, name: PersonaTextName): Promise<PersonaText>;
  /**
   * Writes the whole text byte for byte if the file is still the one that the change is based on; otherwise writes
   * nothing.
   */
  savePersonaText(slug: string, name: PersonaTextName, change: TextChange): Promise<TextSaved>;
  /** Creates the handoffs folder if needed and picks a path that is free. */
  prepareDocumentPlace(place: DocumentPlace): Promise<{ readonly path: string; readonly absolutePath: string }>;
  /** Validates the file and, if it is good, stores a copy of its bytes under its hash before answering. */
  checkDocument(path: string, endToken: string): Promise<DocumentCheck>;
  /** Restores the stored copy if the document is gone; returns what it found. */
  restoreDocument(path: string, sha256: string): Promise<'there' | 'restored' | 'changed'>;
  /** Observes the file without validating it; undefined if there is no readable non-empty regular file. */
  readDocumentFacts(path: string, endToken: string): Promise<DocumentEvidence | undefined>;
  /**
   * Calls back when something in the document's folder may have changed: a hint to check, never a fact. Returns a
   * function that ends it.
   */
  watchDocument(path: string, listener: () => void): () => void;
  /**
   * Copies a file that the operator named to where the document was expected; returns why not, as a sentence. Loses no
   * file. The copy ends with the marker, without which the successor could not prove that it read it.
   */
  adoptDocument(from: string, to: Adoption): Promise<string | undefined>;
  /** The latest few texts (.md, .txt) written into these folders, or one level below, since then. */
  newTexts(folders: readonly string[], since: Instant): Promise<readonly string[]>;
  /** The document as it was verified. Without `text` the copy is gone or, with a `problem`, has changed. */
  keptDocument(sha256: string): Promise<{ readonly text?: string; readonly problem?: string }>;
  handoffsFolder(slug: string): string;
  /** Writes the launch script and the runtime's files into the agent's own folder; returns what to execute. */
  writeLaunch(agentId: number, launch: LaunchScript): Promise<readonly string[]>;
  agentFolder(agentId: number): string;
  /** The path of `baton` for agents. */
  batonProgram(): string;
  /** Sets the output of the hook at this agent's next session start; undefined: none. Written only if it differs. */
  keepSessionStart(agentId: number, content: string | undefined): Promise<void>;
  sessionStartPath(agentId: number): string;
  /** Creates a folder with these files inside Baton's home; returns its real path. */
  makeSampleProject(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Why agents cannot run in this folder; undefined if they can. */
  whyNotAProject(path: string): Promise<string | undefined>;
  /** The same for a new project, which also must not be the root folder, the operator's home folder or Baton's own. */
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
