import {
  type Environment,
  type EnvironmentChange,
  isPassedOn,
  type Variable,
  type VariableOrigin,
} from './variable.ts';

export interface EnvironmentParts {
  /**
   * The environment of Baton's own process. Agents get the variables of this environment if the login environment could
   * not be read.
   */
  readonly server: Environment;
  /**
   * The environment of the operator's login shell. Undefined if Baton could not read it. Baton starts the login shell
   * with the environment of Baton's own process.
   */
  readonly login: Environment | undefined;
  /**
   * The path of an existing SSH agent socket for the agent. Set only if the socket that the environment names does not
   * exist.
   */
  readonly sshSocket: string | undefined;
  readonly direnv: EnvironmentChange;
  readonly config: EnvironmentChange;
  readonly project: EnvironmentChange;
  readonly fallbackLocale: string;
}

export interface ComposedEnvironment {
  /** The agent's variables, sorted by name. */
  readonly variables: readonly Variable[];
  /**
   * Names of variables that must be unset in the agent's pane, because the agent would otherwise inherit them from the
   * pane.
   */
  readonly removed: readonly string[];
}

/**
 * Composes the environment of an agent. If several sources set the same variable, the last of them wins: the login
 * shell (or Baton's own environment), direnv, the config, the project.
 */
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
  // Set a locale if no source sets one, because without a locale, clients draw question marks for non-ASCII characters.
  // If the operator has explicitly removed the locale, leave it unset.
  if (!['LANG', 'LC_ALL', 'LC_CTYPE'].some((name) => found.has(name))) set('LANG', parts.fallbackLocale, 'baton');
  const all = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    variables: all.flatMap(([, variable]) => variable ?? []),
    removed: all.flatMap(([name, variable]) => (variable === null ? [name] : [])),
  };
}
