/**
 * Hooks in the operator's own settings of an agent program; with them, external sessions report that they exist. The
 * runtime knows the format of its settings, so these functions only turn a text into a text.
 */
export interface OperatorHooks {
  /** The operator's settings file. */
  readonly file: string;
  /** The version of the hooks that `install` writes. A lower version in the settings is replaced. */
  readonly version: number;
  /**
   * Finds our hooks in the text; undefined means that there is no file. Throws CannotEdit if the program itself could
   * not read the text.
   */
  look(text: string | undefined, command: HookCommand): HooksSeen;
  /** Adds or updates our hooks; returns the same text if they are up to date. */
  install(text: string | undefined, command: HookCommand): EditedSettings;
  /** Removes our hooks and nothing else. */
  uninstall(text: string | undefined): EditedSettings;
  /** Parses the report of an external session; undefined if the report cannot be parsed. */
  readSession(told: { readonly event: string; readonly payload: unknown }): SessionTold | undefined;
}

/** Returns the shell command for one hook event. */
export type HookCommand = (event: string) => string;

export type HooksState = 'not_installed' | 'installed' | 'outdated' | 'partly';

export interface HooksSeen {
  readonly state: HooksState;
  /** The lowest version among the installed entries. */
  readonly version: number | null;
  /** Our installed entries. */
  readonly entries: readonly { readonly event: string; readonly command: string }[];
  /** Why the program runs no hooks although they are installed; null if it runs them. */
  readonly switchedOff: string | null;
}

export interface EditedSettings {
  /** The new text of the settings file; undefined if there should be no file. */
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

/** Reads and edits files that belong to the operator. If a member throws CannotEdit, it has changed nothing. */
export interface OperatorFiles {
  read(path: string): Promise<string | undefined>;
  /**
   * Edits a file. Calls `change` again if another process has changed the file meanwhile. Saves the previous text in a
   * copy next to the file and returns the name of the copy; null if there was no previous text or no change.
   */
  edit(path: string, change: (text: string | undefined) => string | undefined): Promise<string | null>;
}

/** The file cannot be edited. The message is one sentence that names the obstacle, the file, and what to do. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit';
}
