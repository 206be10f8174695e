import type { Cli } from '../cli.ts';

/**
 * Returns the number of the agent that the operator named. Only a name needs a request to the server. The API client is
 * loaded only for this request, so that --help stays fast.
 */
export async function namedAgent({ deps }: Cli, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  const [{ agentIdOf }, { operatorClient }] = await Promise.all([
    import('./look-up.ts'),
    import('./operator-client.ts'),
  ]);
  return agentIdOf(operatorClient(deps), name);
}
