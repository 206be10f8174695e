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
    return `The conversation of agent ${agentId} goes on as agent ${id}.`;
  });
}

export function useSucceed(agentId: number): Action<[]> {
  return useAction(async () => {
    await post(PATHS.succeed(agentId), { reason: 'context_limit' });
    return `A successor of agent ${agentId} is starting from what Baton knows.`;
  });
}

/** The offers of an inbox item other than a run's actions. */
export function GoOn({ item: { offers = [], agent_id } }: { readonly item: InboxItem }) {
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
      Resume its conversation
    </Button>
  );
}

function SucceedButton({ agentId }: { readonly agentId: number }) {
  const { busy, run } = useSucceed(agentId);
  return (
    <Button small busy={busy} onClick={() => void run()}>
      Start a successor
    </Button>
  );
}

function RestoreButton() {
  const { busy, run } = useAction(async () => {
    const { agents } = await post<Restore>(PATHS.restoreAgents, {});
    const count = agents.filter(({ status }) => status === 'waiting').length;
    if (count === 0) return 'They are coming back already.';
    return count === 1 ? 'It comes back.' : `${count} agents come back, one after another.`;
  });
  return (
    <Button small kind="primary" busy={busy} onClick={() => void run()}>
      Bring back
    </Button>
  );
}
