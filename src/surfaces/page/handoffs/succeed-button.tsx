import { useSucceed } from '../agents/menu/use-resume.ts';
import { Button } from '../parts/button.tsx';

/** Starts a successor of an agent that ended without a handoff document. */
export function SucceedButton({
  agentId,
  kind = 'plain',
  small = true,
}: {
  readonly agentId: number;
  readonly kind?: 'plain' | 'primary';
  readonly small?: boolean;
}) {
  const { busy, run } = useSucceed(agentId);
  return (
    <Button
      kind={kind}
      small={small}
      busy={busy}
      aria-label={`Start successor of agent ${agentId}`}
      onClick={() => void run()}
    >
      Start successor
    </Button>
  );
}
