import type { MessageVerdict } from '../../../contract/requests.ts';
import type { InboxItem } from '../../../contract/resources.ts';
import type { Restore } from '../../../contract/restore.ts';
import { PATHS } from '../../../contract/routes.ts';
import { useResume } from '../agents/menu/use-resume.ts';
import { usePost } from '../api/machine-clients.ts';
import { SucceedButton } from '../handoffs/succeed-button.tsx';
import { PackageOffers } from '../packages/decide/package-offers.tsx';
import { Button } from '../parts/button.tsx';
import { useAction } from '../parts/use-action.ts';

/** Buttons for the actions that an inbox item offers. The actions on a run have their own buttons. */
export function ItemOffers({ item: { offers = [], agent_id, run_id, package_id } }: { readonly item: InboxItem }) {
  if (offers.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {offers.includes('restore') && <RestoreButton />}
      {offers.includes('resume') && agent_id !== null && <ResumeButton agentId={agent_id} />}
      {offers.includes('succeed') && agent_id !== null && run_id === null && <SucceedButton agentId={agent_id} />}
      {offers.includes('continue') && agent_id !== null && <ContinueButton agentId={agent_id} />}
      {package_id && <PackageOffers id={package_id} offers={offers} />}
    </div>
  );
}

function ResumeButton({ agentId }: { readonly agentId: number }) {
  const { busy, run } = useResume(agentId);
  return (
    <Button
      small
      kind="primary"
      busy={busy}
      aria-label={`Resume conversation of agent ${agentId}`}
      onClick={() => void run()}
    >
      Resume conversation
    </Button>
  );
}

function RestoreButton() {
  const post = usePost();
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

/** Sends one short prompt to a restored agent whose work was interrupted. */
function ContinueButton({ agentId }: { readonly agentId: number }) {
  const post = usePost();
  const { busy, run } = useAction(async () => (await post<MessageVerdict>(PATHS.continueAgent(agentId), {})).sentence);
  return (
    <Button
      small
      kind="primary"
      busy={busy}
      aria-label={`Continue work of agent ${agentId}`}
      onClick={() => void run()}
    >
      Continue
    </Button>
  );
}
