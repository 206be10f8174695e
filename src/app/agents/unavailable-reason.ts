import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Returns why agents of this runtime cannot be started; undefined if they can. If the program is missing, waits for the
 * operator's PATH first, because a server that has just started may not have read it yet.
 */
export async function unavailableReason(
  ports: Pick<Ports, 'environment'>,
  runtime: AgentRuntime,
): Promise<string | undefined> {
  if ((await runtime.unavailableReason()) === undefined) return undefined;
  await ports.environment.ready();
  return runtime.unavailableReason();
}
