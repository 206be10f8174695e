import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseAgent } from '../agents-shell.ts';
import type { CliDeps } from '../cli-deps.ts';
import { CliFault, notRunning } from '../cli-fault.ts';
import { type ApiClient, type Connection, createApiClient } from './api-client.ts';

/** How long a command that follows progress waits while the server restarts. */
export const WATCH_PATIENCE_MS = 30_000;

type Options = Pick<Connection, 'patienceMs' | 'signal'> & { readonly homePath?: string };

/** A client with the operator's token. Throws CliFault if this shell belongs to an agent of this home. */
export function operatorClient(
  deps: Pick<CliDeps, 'homePath' | 'version' | 'shell'>,
  options: Options = {},
): ApiClient {
  const { homePath = deps.homePath, ...rest } = options;
  if (homePath === deps.homePath) refuseAgent(deps);
  const { processes } = deps.shell();
  return createApiClient({ homePath, version: deps.version, token: () => readToken(homePath), processes, ...rest });
}

/** Called for every request, because the server creates the token at its first start. Throws CliFault on failure. */
function readToken(homePath: string): string {
  try {
    return readFileSync(join(homePath, 'token'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notRunning(homePath);
    throw new CliFault(`Cannot read the operator's token: ${(error as Error).message}`, { code: 'forbidden' });
  }
}

/**
 * A client with the agent's own token, because with the operator's token an agent could act as any other agent. Throws
 * CliFault outside an agent's session.
 */
export function agentClient({ homePath, version, shell }: CliDeps): ApiClient {
  const { agent } = shell();
  if (agent === undefined) {
    throw new CliFault('Only an agent can run this, in its own session: BATON_AGENT_TOKEN is not set here.', {
      code: 'unauthorized',
      hint: 'Baton sets it for every agent it starts: baton agent start',
    });
  }
  return createApiClient({ homePath, version, token: () => agent.token });
}

/** A client with the agent's token inside an agent's session, and with the operator's token elsewhere. */
export const partyClient = (deps: CliDeps): ApiClient =>
  deps.shell().agent === undefined ? operatorClient(deps) : agentClient(deps);
