import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Why agents of this runtime cannot be started; undefined: they can. A program that is missing on Baton's own PATH may
 * be on the operator's, which a server that has just started (after a reboot, say) has not read yet.
 */
export async function unavailableReason(
  ports: Pick<Ports, 'environment'>,
  runtime: AgentRuntime,
): Promise<string | undefined> {
  if ((await runtime.unavailableReason()) === undefined) return undefined;
  await ports.environment.ready();
  return runtime.unavailableReason();
}
