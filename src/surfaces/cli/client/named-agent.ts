import type { Cli } from '../cli.ts';

/**
 * Returns the number of the agent that the operator named. The server is asked only about a name, and the client is
 * loaded only in this case, so that --help stays fast.
 */
export async function namedAgent({ deps }: Cli, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  const [{ agentIdOf }, { operatorClient }] = await Promise.all([
    import('./look-up.ts'),
    import('./operator-client.ts'),
  ]);
  return agentIdOf(operatorClient(deps), name);
}
