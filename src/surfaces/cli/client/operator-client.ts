import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onMachine } from '../../../contract/routes.ts';
import { refuseAgent } from '../agents-shell.ts';
import type { CliDeps } from '../cli-deps.ts';
import { CliFault, notRunning } from '../cli-fault.ts';
import { errnoWords } from '../output/errno-words.ts';
import { type ApiClient, type Connection, createApiClient } from './api-client.ts';

/** How long a command that follows progress keeps trying to reach the server while the server restarts. */
export const WATCH_PATIENCE_MS = 30_000;

type Options = Pick<Connection, 'patienceMs' | 'signal'> & { readonly homePath?: string };

/**
 * Returns a client with the operator's token. Throws CliFault if this shell belongs to an agent of the same Baton,
 * because an agent must not act as the operator.
 */
export function operatorClient(
  deps: Pick<CliDeps, 'homePath' | 'version' | 'shell' | 'machine'>,
  options: Options = {},
): ApiClient {
  const { homePath = deps.homePath, ...rest } = options;
  if (homePath === deps.homePath) refuseAgent(deps);
  const { processes } = deps.shell();
  const { version, machine } = deps;
  const api = createApiClient({ homePath, version, token: () => readToken(homePath), processes, ...rest });
  return machine === undefined ? api : onOtherMachine(api, machine);
}

/** Returns a client that sends each request to another machine of the fleet. */
function onOtherMachine(api: ApiClient, machine: string): ApiClient {
  const refuse = (): never => {
    throw new CliFault(`Live data of ${machine} can be shown only on ${machine} itself.`, {
      code: 'not_from_afar',
      hint: `Ask for the state of ${machine} instead, such as: baton handoff list --machine ${machine}`,
    });
  };
  return {
    get: (path, reply) => api.get(onMachine(machine, path), reply),
    post: (path, body, reply) => api.post(onMachine(machine, path), body, reply),
    follow: refuse,
    live: refuse,
  };
}

/**
 * Reads the operator's token from its file. Each request reads the file again, because the server may create the file
 * only after this program has started. Throws CliFault if the file cannot be read.
 */
function readToken(homePath: string): string {
  try {
    return readFileSync(join(homePath, 'token'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notRunning(homePath);
    throw new CliFault(`Cannot read the operator's token in ${homePath}: ${errnoWords(error)}.`, { code: 'forbidden' });
  }
}

/**
 * Returns a client with the agent's own token and not with the operator's token, because with the operator's token an
 * agent could act as any other agent. Throws CliFault outside an agent's session.
 */
export function agentClient({ homePath, version, shell, machine }: CliDeps): ApiClient {
  if (machine !== undefined)
    throw new CliFault(`An agent can act only on its own machine and not on ${machine}, so nothing was done.`, {
      code: 'not_from_afar',
    });
  const { agent } = shell();
  if (agent === undefined) {
    throw new CliFault('Only an agent can run this command, in its own session: BATON_AGENT_TOKEN is not set here.', {
      code: 'unauthorized',
      hint: 'Baton sets this variable for every agent that it starts: baton agent start',
    });
  }
  return createApiClient({ homePath, version, token: () => agent.token });
}

/** Returns a client with the agent's token inside an agent's session, and with the operator's token elsewhere. */
export const partyClient = (deps: CliDeps): ApiClient =>
  deps.shell().agent === undefined ? operatorClient(deps) : agentClient(deps);
