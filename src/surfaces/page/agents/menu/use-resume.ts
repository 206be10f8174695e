import { useNavigate } from '@tanstack/react-router';
import type { Agent } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { useMachine, usePost } from '../../api/machine-clients.ts';
import { searchOf } from '../../parts/to.tsx';
import { type Action, useAction } from '../../parts/use-action.ts';

/** Resumes the conversation of an ended agent in a new agent. The page then shows the new agent. */
export function useResume(agentId: number): Action<[]> {
  const post = usePost();
  const navigate = useNavigate();
  const machine = useMachine();
  return useAction(async () => {
    const { id } = await post<Agent>(PATHS.resumeAgent(agentId), {});
    await navigate({ to: '/agents/$id', params: { id }, search: searchOf(machine) });
    return `Agent ${id} was started to continue the conversation of agent ${agentId}.`;
  });
}

export function useSucceed(agentId: number): Action<[wish?: { readonly runtime?: string }]> {
  const post = usePost();
  return useAction(async (wish = {}) => {
    await post(PATHS.succeed(agentId), { reason: 'context_limit', ...wish });
    return `A successor of agent ${agentId} is starting with what Baton knows.`;
  });
}
