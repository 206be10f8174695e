import type { Agent, Run } from '../../../contract/resources.ts';
import { AsOf, useHeard } from '../machines/heard.tsx';
import { Badge } from '../parts/badge.tsx';
import { badgeOf } from './state-words.ts';

/** The badge with the state of an agent. `run` is the handoff run that the agent's card shows. */
export function StateBadge({ agent, run }: { readonly agent: Agent; readonly run?: Run | undefined }) {
  const { tone, word } = badgeOf(agent, run);
  const heard = useHeard();
  // If the machine does not report now, the badge is gray and shows the last known state with its age.
  if (heard !== null && !heard.isLive)
    return (
      <Badge tone="grey">
        <span>
          {word} <AsOf heard={heard} />
        </span>
      </Badge>
    );
  return <Badge tone={tone}>{word}</Badge>;
}
