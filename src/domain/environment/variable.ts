/** Where a variable of an agent comes from. `server`: Baton's own, and the login shell left it as it was. */
export type VariableOrigin = 'server' | 'login_shell' | 'direnv' | 'config' | 'project' | 'baton';

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly origin: VariableOrigin;
}

export type Environment = Readonly<Record<string, string>>;
/** null takes a variable away. */
export type EnvironmentChange = Readonly<Record<string, string | null>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_VALUE = 32_768;

/** Why the operator cannot set this, for `"env.NAME": …`; undefined if he can. The value is never told. */
export function whyNotSettable(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'is no name of a variable (letters, digits and _, and no digit first)';
  if (isBatons(name)) return 'is set by Baton itself';
  if (isOfAShell(name)) return 'belongs to the terminal or the shell, which set it themselves';
  if (value === null) return undefined;
  if (typeof value !== 'string') return 'must be a text, or null to take the variable away';
  if (value.includes('\u0000')) return 'holds a NUL character, which no variable can';
  return value.length > MAX_VALUE ? `is longer than ${MAX_VALUE} characters` : undefined;
}

const isBatons = (name: string): boolean => name.startsWith('BATON_');

/** What is so for one process or terminal only, or cannot be set in a POSIX shell. The agent's pane has its own. */
const OF_A_SHELL = new Set(
  'TMUX TMUX_PANE STY WINDOW TERM TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID TERMCAP COLUMNS LINES WINDOWID PWD OLDPWD SHLVL _ UID EUID GID EGID PPID SHELLOPTS BASHOPTS BASH_VERSINFO'.split(
    ' ',
  ),
);
const isOfAShell = (name: string): boolean => OF_A_SHELL.has(name);

/** Of a service manager's unit, another multiplexer, an editor's terminal, direnv's own bookkeeping. */
const OF_ANOTHER =
  /^(?:ZELLIJ\w*|VSCODE_\w+|DIRENV_\w+|INVOCATION_ID|JOURNAL_STREAM|NOTIFY_SOCKET|LISTEN_\w+|WATCHDOG_\w+|MANAGERPID|SYSTEMD_EXEC_PID)$/;

/** Does an agent get it, if it stands in the environment of somebody else? */
export const isPassedOn = (name: string): boolean =>
  NAME.test(name) && !isBatons(name) && !isOfAShell(name) && !OF_ANOTHER.test(name);
