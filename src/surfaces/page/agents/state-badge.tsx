import type { Agent, Run } from '../../../contract/resources.ts';
import { AsOf, useHeard } from '../machines/heard.tsx';
import { Badge } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { badgeOf, stateInWords } from './state-words.ts';

/** The badge with the state of an agent. `run` is the handoff run that the agent's card shows. */
export function StateBadge({ agent, run }: { readonly agent: Agent; readonly run?: Run | undefined }) {
  const { tone, word } = badgeOf(agent, run);
  const heard = useHeard();
  // If the agent's machine sends no reports at the moment, the badge is gray and shows the last known state with its
  // age.
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

/**
 * The server's words for an ordinary end of an agent. The page leaves them out, because the badge already says that the
 * agent has ended.
 */
const ENDED = 'its process has ended';

/**
 * Shows the reason for the agent's state beside the badge. If the badge shows other words, such as "Needs you", the
 * name of the state comes before the reason. Without this name, the reason would seem to explain the words on the
 * badge.
 */
export function StateReason({ agent, run }: { readonly agent: Agent; readonly run?: Run | undefined }) {
  if (agent.state === 'ended' && agent.state_reason === ENDED) return null;
  const state = stateInWords(agent.state);
  const isNamed = badgeOf(agent, run).word === state;
  return (
    <p className="min-w-0 text-sm wrap-anywhere text-muted">
      {isNamed ? '' : `${state}: `}
      {visible(agent.state_reason)}
    </p>
  );
}
