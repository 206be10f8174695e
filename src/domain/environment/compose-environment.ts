import {
  type Environment,
  type EnvironmentChange,
  isPassedOn,
  type Variable,
  type VariableOrigin,
} from './variable.ts';

export interface EnvironmentParts {
  /** Baton's own environment. The tmux server inherits it, and so does every pane. */
  readonly server: Environment;
  /** Baton's environment after the operator's login shell has changed it; undefined if it could not be read. */
  readonly login: Environment | undefined;
  /** The path of an existing SSH agent socket, if the socket in the environment does not exist. */
  readonly sshSocket: string | undefined;
  readonly direnv: EnvironmentChange;
  readonly config: EnvironmentChange;
  readonly project: EnvironmentChange;
  readonly fallbackLocale: string;
}

export interface ComposedEnvironment {
  /** The agent's variables, sorted by name. */
  readonly variables: readonly Variable[];
  /** Variables that must be unset, because otherwise the pane would inherit them. */
  readonly removed: readonly string[];
}

/** Composes the environment of an agent. Each part overrides the parts before it. */
export function composeEnvironment(parts: EnvironmentParts): ComposedEnvironment {
  const { server, login, sshSocket, direnv, config, project } = parts;
  const found = new Map<string, Variable | null>();
  const set = (name: string, value: string | null, origin: VariableOrigin): void => {
    found.set(name, value === null ? null : { name, value, origin });
  };
  for (const name of Object.keys(server)) if (isPassedOn(name)) found.set(name, null);
  for (const [name, value] of Object.entries(login ?? server)) {
    if (isPassedOn(name)) set(name, value, server[name] === value ? 'server' : 'login_shell');
  }
  if (sshSocket !== undefined) set('SSH_AUTH_SOCK', sshSocket, 'baton');
  for (const [name, value] of Object.entries(direnv)) if (isPassedOn(name)) set(name, value, 'direnv');
  for (const [name, value] of Object.entries(config)) set(name, value, 'config');
  for (const [name, value] of Object.entries(project)) set(name, value, 'project');
  // Without a locale, clients draw question marks for non-ASCII characters. A locale that was unset stays unset.
  if (!['LANG', 'LC_ALL', 'LC_CTYPE'].some((name) => found.has(name))) set('LANG', parts.fallbackLocale, 'baton');
  const all = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    variables: all.flatMap(([, variable]) => variable ?? []),
    removed: all.flatMap(([name, variable]) => (variable === null ? [name] : [])),
  };
}
