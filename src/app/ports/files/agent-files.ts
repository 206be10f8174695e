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
  /** Paths given to earlier runs: a late document of theirs must not be taken for this one's. */
  readonly taken: readonly string[];
}

export interface PersonaText {
  /** null: there is no such file, or there is a problem with it. */
  readonly text: string | null;
  /** Of its bytes. */
  readonly sha256: string | null;
  /** Why it is neither shown nor written, in words: a link, no regular file, not UTF-8. */
  readonly problem?: string;
}

export interface TextChange {
  readonly text: string;
  /** The sha256 of what was changed; null if there was nothing. */
  readonly basedOn: string | null;
}

export type TextSaved =
  | { readonly outcome: 'saved' | 'same' | 'changed_meanwhile' }
  | { readonly outcome: 'unusable'; readonly why: string };

/** Everything on disk that belongs to personas and agents, inside Baton's home. */
export interface AgentFiles {
  /** Baton's home: what paths of documents begin at. */
  readonly home: string;
  /** Creates the persona's folder with skill.md, experience.md and handoffs/. Never overwrites. */
  seedPersona(slug: string, name: string, role: string): Promise<void>;
  /** undefined = no such file or empty. */
  readSkill(slug: string): Promise<{ readonly skill: string | undefined; readonly experience: string | undefined }>;
  readPersonaText(slug: string, name: PersonaTextName): Promise<PersonaText>;
  /** As a whole and byte for byte, if what is there is still what the change is based on; else nothing is written. */
  savePersonaText(slug: string, name: PersonaTextName, change: TextChange): Promise<TextSaved>;
  /** Creates the handoffs folder if needed and picks a path that is free. */
  prepareDocumentPlace(place: DocumentPlace): Promise<{ readonly path: string; readonly absolutePath: string }>;
  /** Judges the file and, if it is good, keeps a copy of its bytes under its hash before answering. */
  checkDocument(path: string, endToken: string): Promise<DocumentCheck>;
  /** Puts the kept copy back if the document is gone; says what it found. */
  restoreDocument(path: string, sha256: string): Promise<'there' | 'restored' | 'changed'>;
  /** A look without judgement; undefined if there is no readable non-empty regular file. */
  readDocumentFacts(path: string, endToken: string): Promise<DocumentEvidence | undefined>;
  /** Calls back when something in the folder of this document may have changed: a hint to look, never a fact. Returns how to end it. */
  watchDocument(path: string, listener: () => void): () => void;
  /**
   * Copies a file that the operator named to where the document was expected; why not, in words. Nothing is lost by it. The
   * copy ends with the marker, or the successor could not prove that it read it.
   */
  adoptDocument(from: string, to: Adoption): Promise<string | undefined>;
  /** Texts (.md, .txt) that were written into these folders since then, or one folder below; the latest few. */
  newTexts(folders: readonly string[], since: Instant): Promise<readonly string[]>;
  /** The document as it was verified. No text: the copy is gone or, with a problem, it holds something else now. */
  keptDocument(sha256: string): Promise<{ readonly text?: string; readonly problem?: string }>;
  handoffsFolder(slug: string): string;
  /** Writes the launch script and the runtime's files into the agent's own folder; returns what to execute. */
  writeLaunch(agentId: number, launch: LaunchScript): Promise<readonly string[]>;
  agentFolder(agentId: number): string;
  /** The path of `baton` for agents. */
  batonProgram(): string;
  /** What the hook of this agent's next session start prints; undefined = nothing. Written only if it differs. */
  keepSessionStart(agentId: number, content: string | undefined): Promise<void>;
  sessionStartPath(agentId: number): string;
  /** A new folder inside Baton's home with these files in it; its real path. */
  makeSampleProject(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Why agents cannot run in this folder; undefined if they can. */
  whyNotAProject(path: string): Promise<string | undefined>;
  /** The same for a folder that is to become one: nor the whole disk, the operator's home folder, or Baton's own. */
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
