/**
 * Hooks in the operator's own settings of an agent program, so that sessions which he starts himself, outside Baton,
 * tell that they exist. The runtime owns the shape of its settings: text comes in, text goes out.
 */
export interface OperatorHooks {
  /** The operator's settings file. */
  readonly file: string;
  /** What is written today; a higher one replaces a lower one in place. */
  readonly version: number;
  /** undefined = there is no file. Throws CannotEdit for text that is not what the program reads. */
  look(text: string | undefined, command: HookCommand): HooksSeen;
  /** Ours put in, or brought up to date; without a change the very same text. */
  install(text: string | undefined, command: HookCommand): EditedSettings;
  /** Exactly ours taken out. */
  uninstall(text: string | undefined): EditedSettings;
  /** What a session of the operator's told; undefined if it is not understood. */
  readSession(told: { readonly event: string; readonly payload: unknown }): SessionTold | undefined;
}

/** The shell command for one hook event. */
export type HookCommand = (event: string) => string;

export type HooksState = 'not_installed' | 'installed' | 'outdated' | 'partly';

export interface HooksSeen {
  readonly state: HooksState;
  /** The lowest of those that stand there. */
  readonly version: number | null;
  /** Those of ours that stand there. */
  readonly entries: readonly { readonly event: string; readonly command: string }[];
  /** Why the program runs no hooks at all, although they stand there. */
  readonly switchedOff: string | null;
}

export interface EditedSettings {
  /** undefined = no file. */
  readonly text: string | undefined;
  readonly changes: readonly HookChange[];
}

export interface HookChange {
  readonly what: 'added' | 'replaced' | 'removed';
  readonly event: string;
  readonly command: string;
}

export interface SessionTold {
  readonly sessionId: string;
  readonly moment: 'began' | 'ended';
  readonly folder: string | null;
  readonly transcriptPath: string | null;
}

/** Files that belong to the operator. Every member throws CannotEdit with a sentence and then has changed nothing. */
export interface OperatorFiles {
  read(path: string): Promise<string | undefined>;
  /**
   * `change` is asked again if another process has changed the file meanwhile. What was there before is kept beside
   * the file; the name of that copy is returned, null if there was nothing to keep or to change.
   */
  edit(path: string, change: (text: string | undefined) => string | undefined): Promise<string | null>;
}

/** One sentence: what is in the way, of which file, and what to do. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit';
}
