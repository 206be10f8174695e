import {
  type Environment,
  type EnvironmentChange,
  isPassedOn,
  type Variable,
  type VariableOrigin,
} from './variable.ts';

export interface EnvironmentParts {
  /** Baton's own, in which the terminal and so every pane began. */
  readonly server: Environment;
  /** As the operator's login shell made it out of that; undefined if it could not be read. */
  readonly login: Environment | undefined;
  /** A socket that exists, where the one that is named does not. */
  readonly sshSocket: string | undefined;
  readonly direnv: EnvironmentChange;
  readonly config: EnvironmentChange;
  readonly project: EnvironmentChange;
  readonly fallbackLocale: string;
}

export interface ComposedEnvironment {
  /** By name. */
  readonly variables: readonly Variable[];
  /** Those that the pane would have otherwise. */
  readonly removed: readonly string[];
}

/** What an agent is given: each later part wins. */
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
  // Without any, clients draw question marks for everything that is not ASCII. One that was taken away stays away.
  if (!['LANG', 'LC_ALL', 'LC_CTYPE'].some((name) => found.has(name))) set('LANG', parts.fallbackLocale, 'baton');
  const all = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    variables: all.flatMap(([, variable]) => variable ?? []),
    removed: all.flatMap(([name, variable]) => (variable === null ? [name] : [])),
  };
}
