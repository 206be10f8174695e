/**
 * Baton's hooks in the operator's own settings of an agent program. With these hooks, sessions that Baton did not start
 * report to Baton. Only the runtime knows the format of the settings, so these functions take the text of the settings
 * and return the changed text.
 */
export interface OperatorHooks {
  /** The path of the operator's settings file. */
  readonly file: string;
  /** The version of the hooks that `install` writes. Hooks with a lower version in the settings are replaced. */
  readonly version: number;
  /**
   * Finds Baton's hooks in the text of the settings. The text is undefined if there is no settings file. Throws
   * CannotEdit if the agent program itself could not read the text.
   */
  look(text: string | undefined, command: HookCommand): HooksSeen;
  /** Adds or updates Baton's hooks in the settings. Returns the same text if the hooks are up to date. */
  install(text: string | undefined, command: HookCommand): EditedSettings;
  /** Removes Baton's hooks from the settings and changes nothing else. */
  uninstall(text: string | undefined): EditedSettings;
  /** Parses the report of an external session; undefined if the report cannot be parsed. */
  readSession(told: { readonly event: string; readonly payload: unknown }): SessionTold | undefined;
}

/** Returns the shell command for one hook event. */
export type HookCommand = (event: string) => string;

export type HooksState = 'not_installed' | 'installed' | 'outdated' | 'partly';

export interface HooksSeen {
  readonly state: HooksState;
  /** The lowest version among the installed hooks; null if there are none. */
  readonly version: number | null;
  /** Baton's hooks that are installed in the settings. */
  readonly entries: readonly { readonly event: string; readonly command: string }[];
  /**
   * True if the settings enable Baton's plugin, which has hooks of its own. The plugin's hooks report sessions only if
   * the settings contain no other hooks of Baton.
   */
  readonly hasPlugin: boolean;
  /** The reason why the agent program does not run the installed hooks. Null if it runs them. */
  readonly switchedOff: string | null;
}

export interface EditedSettings {
  /**
   * The new text of the settings file. Undefined if there should be no file: an existing file is removed, and no new
   * one is created.
   */
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

/** Reads and edits files that belong to the operator. A function that throws CannotEdit has changed nothing. */
export interface OperatorFiles {
  read(path: string): Promise<string | undefined>;
  /**
   * Edits a file. If another process changes the file meanwhile, calls `change` again. Before writing, saves the old
   * text in a copy next to the file, and returns the name of this copy. Returns null if there is no copy. With
   * `dryRun`, only checks that the file could be written.
   */
  edit(
    path: string,
    change: (text: string | undefined) => string | undefined,
    options?: { readonly dryRun: boolean },
  ): Promise<string | null>;
}

/** Thrown if a file cannot be edited. The message is one sentence that names the obstacle, the file, and what to do. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit';
}
