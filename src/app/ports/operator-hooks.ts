/**
 * Hooks in the operator's own settings of an agent program, by which external sessions report that they exist. The
 * runtime owns the shape of its settings: text comes in, text goes out.
 */
export interface OperatorHooks {
  /** The operator's settings file. */
  readonly file: string;
  /** The version that `install` writes; it replaces a lower one in place. */
  readonly version: number;
  /** undefined = there is no file. Throws CannotEdit for text that is not what the program reads. */
  look(text: string | undefined, command: HookCommand): HooksSeen;
  /** Adds or updates our hooks; returns the identical text if nothing changes. */
  install(text: string | undefined, command: HookCommand): EditedSettings;
  /** Removes exactly our hooks. */
  uninstall(text: string | undefined): EditedSettings;
  /** Parses the report of an external session; undefined if it is not understood. */
  readSession(told: { readonly event: string; readonly payload: unknown }): SessionTold | undefined;
}

/** The shell command for one hook event. */
export type HookCommand = (event: string) => string;

export type HooksState = 'not_installed' | 'installed' | 'outdated' | 'partly';

export interface HooksSeen {
  readonly state: HooksState;
  /** The lowest version among the installed entries. */
  readonly version: number | null;
  /** Our installed entries. */
  readonly entries: readonly { readonly event: string; readonly command: string }[];
  /** Why the program runs no hooks at all although they are installed. */
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

/** Files that belong to the operator. When a member throws CannotEdit, it has changed nothing. */
export interface OperatorFiles {
  read(path: string): Promise<string | undefined>;
  /**
   * Calls `change` again if another process has changed the file meanwhile. Keeps the previous text in a copy beside
   * the file and returns its name; null if there was nothing to keep or to change.
   */
  edit(path: string, change: (text: string | undefined) => string | undefined): Promise<string | null>;
}

/** One sentence: the obstacle, the file, and what to do. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit';
}
