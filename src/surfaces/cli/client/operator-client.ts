import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseAgent } from '../agents-shell.ts';
import type { CliDeps } from '../cli-deps.ts';
import { CliFault, notRunning } from '../cli-fault.ts';
import { type ApiClient, type Connection, createApiClient } from './api-client.ts';

/** Over how long a restart of the server those who watch keep waiting. */
export const WATCH_PATIENCE_MS = 30_000;

type Options = Pick<Connection, 'patienceMs' | 'signal'> & { readonly homePath?: string };

/** Throws CliFault in a shell of one of this home's agents. */
export function operatorClient(
  deps: Pick<CliDeps, 'homePath' | 'version' | 'shell'>,
  options: Options = {},
): ApiClient {
  const { homePath = deps.homePath, ...rest } = options;
  if (homePath === deps.homePath) refuseAgent(deps);
  const { processes } = deps.shell();
  return createApiClient({ homePath, version: deps.version, token: () => readToken(homePath), processes, ...rest });
}

/** Read for every request: a server that starts for the first time makes it only then. */
function readToken(homePath: string): string {
  try {
    return readFileSync(join(homePath, 'token'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notRunning(homePath);
    throw new CliFault(`The operator's token cannot be read: ${(error as Error).message}`, { code: 'forbidden' });
  }
}

/** For what agents say about themselves. The operator's token would let any agent speak for any other. */
export function agentClient({ homePath, version, shell }: CliDeps): ApiClient {
  const { agent } = shell();
  if (agent === undefined) {
    throw new CliFault('This is said by an agent inside its own session: BATON_AGENT_TOKEN is not set here.', {
      code: 'unauthorized',
      hint: 'Baton sets it for every agent it starts: baton agent start',
    });
  }
  return createApiClient({ homePath, version, token: () => agent.token });
}

/** Inside an agent's session the agent speaks, with its own token; elsewhere the operator does. */
export const partyClient = (deps: CliDeps): ApiClient =>
  deps.shell().agent === undefined ? operatorClient(deps) : agentClient(deps);
