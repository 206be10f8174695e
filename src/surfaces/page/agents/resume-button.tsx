import { useNavigate } from '@tanstack/react-router';
import type { Agent, InboxItem } from '../../../contract/resources.ts';
import type { Restore } from '../../../contract/restore.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { type Action, useAction } from '../parts/use-action.ts';

/** Resumes the conversation of an ended agent; the page then shows the new agent. */
export function useResume(agentId: number): Action<[]> {
  const navigate = useNavigate();
  return useAction(async () => {
    const { id } = await post<Agent>(PATHS.resumeAgent(agentId), {});
    await navigate({ to: '/agents/$id', params: { id } });
    return `The conversation of agent ${agentId} was resumed as agent ${id}.`;
  });
}

export function useSucceed(agentId: number): Action<[]> {
  return useAction(async () => {
    await post(PATHS.succeed(agentId), { reason: 'context_limit' });
    return `A successor of agent ${agentId} is starting with what Baton knows.`;
  });
}

/** Buttons for the offers of an inbox item; the actions on a run are elsewhere. */
export function ItemOffers({ item: { offers = [], agent_id } }: { readonly item: InboxItem }) {
  if (offers.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {offers.includes('restore') && <RestoreButton />}
      {offers.includes('resume') && agent_id !== null && <ResumeButton agentId={agent_id} />}
      {offers.includes('succeed') && agent_id !== null && <SucceedButton agentId={agent_id} />}
    </div>
  );
}

function ResumeButton({ agentId }: { readonly agentId: number }) {
  const { busy, run } = useResume(agentId);
  return (
    <Button small kind="primary" busy={busy} onClick={() => void run()}>
      Resume conversation
    </Button>
  );
}

function SucceedButton({ agentId }: { readonly agentId: number }) {
  const { busy, run } = useSucceed(agentId);
  return (
    <Button small busy={busy} onClick={() => void run()}>
      Start successor
    </Button>
  );
}

function RestoreButton() {
  const { busy, run } = useAction(async () => {
    const { agents } = await post<Restore>(PATHS.restoreAgents, {});
    const count = agents.filter(({ status }) => status === 'waiting').length;
    if (count === 0) return 'The agents are already being restored.';
    return count === 1 ? 'Restoring 1 agent.' : `Restoring ${count} agents, one at a time.`;
  });
  return (
    <Button small kind="primary" busy={busy} onClick={() => void run()}>
      Restore agents
    </Button>
  );
}
