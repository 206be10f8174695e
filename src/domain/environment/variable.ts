/**
 * The source of an agent's variable. `server` means that the value comes from Baton's own environment and the login
 * shell did not change it.
 */
export const VARIABLE_ORIGINS = ['server', 'login_shell', 'direnv', 'config', 'project', 'baton'] as const;
export type VariableOrigin = (typeof VARIABLE_ORIGINS)[number];

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly origin: VariableOrigin;
}

export type Environment = Readonly<Record<string, string>>;
/** Changes to an environment, by variable name. A text sets the variable, and null removes it. */
export type EnvironmentChange = Readonly<Record<string, string | null>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_VALUE = 32_768;

/**
 * Returns the reason why the operator cannot set this variable. Returns undefined if the operator may set it. The
 * reason never contains the variable's value.
 */
export function whyNotSettable(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'is not a valid variable name (letters, digits and _, not starting with a digit)';
  if (isBatons(name)) return 'is set by Baton itself';
  if (isOfAShell(name)) return 'is set by the terminal or the shell';
  if (value === null) return undefined;
  if (typeof value !== 'string') return 'must be a string, or null to remove the variable';
  if (value.includes('\u0000')) return 'contains a NUL character';
  return value.length > MAX_VALUE ? `is longer than ${MAX_VALUE} characters` : undefined;
}

const isBatons = (name: string): boolean => name.startsWith('BATON_');

/**
 * Variables that agents must not inherit. Some of them describe one process or terminal, and the agent's pane has its
 * own values for them. A POSIX shell cannot set the others at all.
 */
const OF_A_SHELL = new Set(
  'TMUX TMUX_PANE STY WINDOW TERM TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID TERMCAP COLUMNS LINES WINDOWID PWD OLDPWD SHLVL _ UID EUID GID EGID PPID SHELLOPTS BASHOPTS BASH_VERSINFO'.split(
    ' ',
  ),
);
const isOfAShell = (name: string): boolean => OF_A_SHELL.has(name);

/**
 * Variables that agents must not inherit, because they belong to a service manager, another terminal multiplexer, an
 * editor's terminal or direnv.
 */
const OF_ANOTHER =
  /^(?:ZELLIJ\w*|VSCODE_\w+|DIRENV_\w+|INVOCATION_ID|JOURNAL_STREAM|NOTIFY_SOCKET|LISTEN_\w+|WATCHDOG_\w+|MANAGERPID|SYSTEMD_EXEC_PID)$/;

/** Returns whether an agent may inherit this variable from another environment. */
export const isPassedOn = (name: string): boolean =>
  NAME.test(name) && !isBatons(name) && !isOfAShell(name) && !OF_ANOTHER.test(name);
