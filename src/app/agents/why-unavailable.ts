import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Why agents of this kind cannot be started; undefined: they can. What is missing on Baton's own PATH may be on the
 * operator's, which a server that has just begun (after a reboot, say) does not know yet.
 */
export async function unavailableReason(ports: Ports, runtime: AgentRuntime): Promise<string | undefined> {
  if ((await runtime.unavailableReason()) === undefined) return undefined;
  await ports.environment.ready();
  return runtime.unavailableReason();
}
