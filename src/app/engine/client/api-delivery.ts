import type { Ports } from '../../ports/index.ts';
import type { ApiDelivery } from '../../ports/terminal.ts';
import { controlledSession } from './client-status.ts';

/**
 * Returns the functions that deliver one prompt through the control API of the agent's client; an empty object if the
 * runtime has no such API.
 */
export function apiDelivery(ports: Ports, agentId: number, id: string): { readonly api?: ApiDelivery } {
  const agentOf = () => ports.store.read((tx) => tx.agentById(agentId));
  const runtime = agentOf()?.runtime;
  const control = runtime === undefined ? undefined : ports.runtimes.get(runtime)?.control;
  if (control === undefined) return {};
  return {
    api: {
      answers: async () => {
        const agent = agentOf();
        return agent !== undefined && (await control.readStatus(controlledSession(ports, agent))) !== undefined;
      },
      submit: async (text) => {
        const agent = agentOf();
        if (agent === undefined) return { verdict: 'refused', reason: 'agent_gone', detail: 'the agent is gone' };
        return control.submit(controlledSession(ports, agent), { id, text });
      },
    },
  };
}
