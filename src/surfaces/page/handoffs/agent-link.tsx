import type { Agent } from '../../../contract/resources.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { ToAgent } from '../parts/to.tsx';

/** A link to an agent, with its name and number. Until the name is known, the link shows only the number. */
export function AgentLink({ id, agent }: { readonly id: number; readonly agent: Agent | undefined }) {
  return (
    <ToAgent id={id} className="font-medium whitespace-nowrap hover:underline">
      {agent === undefined ? `Agent ${id}` : visible(agent.label)}
      {agent !== undefined && <span className="font-normal text-muted"> · agent {id}</span>}
    </ToAgent>
  );
}
