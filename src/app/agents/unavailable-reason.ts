import type { Refusal } from '../../domain/refusals.ts';
import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

export const unknownRuntime = ({ runtimes }: Pick<Ports, 'runtimes'>, name: string): Refusal => ({
  code: 'runtime_unknown',
  sentence: `Unknown runtime "${name.slice(0, 60)}": use ${[...runtimes.keys()].join(', ')}`,
});

/**
 * Returns the reason why no agent of this runtime can be started; undefined if agents can be started. If the client's
 * program is not found, first waits until Baton has read the operator's PATH, because a server that has just started
 * may not have read the PATH yet.
 */
export async function unavailableReason(
  ports: Pick<Ports, 'environment'>,
  runtime: AgentRuntime,
): Promise<string | undefined> {
  if ((await runtime.unavailableReason()) === undefined) return undefined;
  await ports.environment.ready();
  return runtime.unavailableReason();
}
