import type {
  AgentEnvironment,
  AgentEnvironmentSource,
  EnvironmentOf,
  EnvironmentState,
} from '../../app/ports/agent-environment.ts';
import { composeEnvironment } from '../../domain/environment/compose-environment.ts';
import type { Environment, EnvironmentChange } from '../../domain/environment/variable.ts';
import { withoutNpm } from '../../domain/environment/without-npm.ts';
import { type Instant, instantFromMs } from '../../domain/instant.ts';
import { readDirenv } from './read-direnv.ts';
import { readLoginShell } from './read-login-shell.ts';
import { livingSshSocket } from './ssh-socket.ts';

export interface EnvironmentConfig {
  readonly env: EnvironmentChange;
  readonly projects: Readonly<Record<string, EnvironmentChange>>;
}

export interface EnvironmentOptions {
  readonly server: NodeJS.ProcessEnv;
  readonly shell: string;
  /** Reads the operator's config file; throws if it is invalid. */
  readonly config: () => EnvironmentConfig;
  /**
   * Called with every set of variables that Baton reads for agents, before an agent gets them. From these variables,
   * Baton learns which secret values to redact.
   */
  readonly learn: (env: Readonly<Record<string, string | null>>) => void;
  readonly nowMs?: () => number;
  readonly patienceMs?: number;
}

/**
 * How long Baton uses the variables that it has read from the login shell. Then Baton reads them again, because the
 * operator may have changed the PATH.
 */
const GOOD_FOR_MS = 12 * 3_600_000;

export interface LiveEnvironment extends AgentEnvironment {
  /**
   * The environment in which Baton finds programs: Baton's own variables, overridden by those of the login shell.
   * Callers keep a reference to this object, so Baton changes the object in place.
   */
  readonly live: NodeJS.ProcessEnv;
}

/** Keeps the variables of agents only in memory, because they may contain secrets. */
export function createAgentEnvironment(options: EnvironmentOptions): LiveEnvironment {
  const { shell, config, learn, nowMs = Date.now, patienceMs } = options;
  const server = withoutGaps(withoutNpm(options.server));
  const live: NodeJS.ProcessEnv = { ...server };
  let login: Environment | undefined;
  let readAt: Instant | null = null;
  let triedMs = Number.NEGATIVE_INFINITY;
  let problem: string | null = null;
  let reading: Promise<void> | undefined;
  let lastConfig: EnvironmentConfig = { env: {}, projects: {} };

  const read = async (): Promise<void> => {
    const found = await readLoginShell({ shell, env: server, ...(patienceMs === undefined ? {} : { patienceMs }) });
    triedMs = nowMs();
    if ('problem' in found) {
      const instead = readAt === null ? "Baton's own environment" : `the environment that it had at ${readAt}`;
      problem = `Your login shell ${shell} ${found.problem}, so agents are started with ${instead}. Fix your shell profile, then: baton agent env --refresh`;
      return;
    }
    login = { ...found.env, PATH: joinedPath(found.env.PATH, server.PATH) };
    readAt = instantFromMs(triedMs);
    problem = null;
    learn(login);
    Object.assign(live, login);
  };
  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const ready = async (): Promise<void> => {
    // If the login shell could not be read, try again only after RETRY_MS, not at every start of an agent.
    if (reading !== undefined || nowMs() - triedMs > (problem === null ? GOOD_FOR_MS : RETRY_MS)) await refresh();
  };

  const currentConfig = (problems: string[]): EnvironmentConfig => {
    try {
      lastConfig = config();
    } catch (error) {
      problems.push(
        `Baton keeps using the environment variables of the last valid settings: ${(error as Error).message}`,
      );
    }
    return lastConfig;
  };

  const forProject = async (project: EnvironmentOf | null): Promise<AgentEnvironmentSource> => {
    await ready();
    const problems: string[] = problem === null ? [] : [problem];
    const base = login ?? server;
    const sshSocket = livingSshSocket(base.SSH_AUTH_SOCK, server);
    const direnv =
      project === null ? { changes: {} } : await readDirenv(project.folder ?? project.path, base, patienceMs);
    if (direnv.problem !== undefined) problems.push(direnv.problem);
    const { env, projects } = currentConfig(problems);
    const own = project === null ? {} : { ...projects[project.name], ...projects[project.path] };
    for (const part of [direnv.changes, env, own]) learn(part);
    const fallbackLocale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
    const parts = { server, login, sshSocket, direnv: direnv.changes, config: env, project: own, fallbackLocale };
    return { ...composeEnvironment(parts), problems };
  };

  const state = (): EnvironmentState => ({ shell, readAt, problem });
  return { live, forProject, refresh, ready, state };
}

/**
 * A system profile may reset the PATH. So append the PATH that Baton was started with. Baton then still finds the
 * programs in the folders of that PATH.
 */
const joinedPath = (...paths: readonly (string | undefined)[]): string =>
  [...new Set(paths.flatMap((path) => path?.split(':') ?? []).filter(Boolean))].join(':');

const RETRY_MS = 10 * 60_000;

const withoutGaps = (env: NodeJS.ProcessEnv): Environment =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
