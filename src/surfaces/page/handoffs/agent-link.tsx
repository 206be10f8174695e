import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../contract/resources.ts';
import { visible } from '../parts/markdown/visible-text.ts';

/** An agent by its name and number; by its number alone until its name is known. */
export function AgentLink({ id, agent }: { readonly id: number; readonly agent: Agent | undefined }) {
  return (
    <Link to="/agents/$id" params={{ id }} className="font-medium whitespace-nowrap hover:underline">
      {agent === undefined ? `Agent ${id}` : visible(agent.label)}
      {agent !== undefined && <span className="font-normal text-muted"> · agent {id}</span>}
    </Link>
  );
}
