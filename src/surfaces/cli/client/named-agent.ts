import type { Cli } from '../cli.ts';

/**
 * Returns the number of the agent that the operator gave by number or by name. A name is looked up on the server. The
 * API client is loaded only for this lookup, so that --help stays fast.
 */
export async function namedAgent({ deps }: Cli, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  const [{ agentIdOf }, { operatorClient }] = await Promise.all([
    import('./look-up.ts'),
    import('./operator-client.ts'),
  ]);
  return agentIdOf(operatorClient(deps), name);
}
