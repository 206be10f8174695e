import type { Agent, Run } from '../../../../contract/resources.ts';
import { Tiles } from '../../parts/lists/tiles.tsx';
import { AgentCard } from '../agent-card.tsx';
import { runToShow } from '../hand-off.ts';

/** The data that a list of agents shows in addition to the agents themselves. */
export interface ListContext {
  readonly runs: readonly Run[];
  /** Returns how many packages wait for an agent. */
  readonly waiting: (agent: Agent) => number;
  /** The ids of live agents that have the same label as another live agent. */
  readonly twins: ReadonlySet<number>;
}

/** The minimum width of a card, in rem. */
export const CARD_WIDTH = 22;

export const AgentCards = ({
  agents,
  context,
}: {
  readonly agents: readonly Agent[];
  readonly context: ListContext;
}) => (
  <Tiles items={agents} keyOf={({ id }) => id} minWidth={CARD_WIDTH}>
    {(agent) => <CardInContext agent={agent} context={context} />}
  </Tiles>
);

export const CardInContext = ({
  agent,
  context: { runs, waiting, twins },
}: {
  readonly agent: Agent;
  readonly context: ListContext;
}) => <AgentCard agent={agent} run={runToShow(agent, runs)} packages={waiting(agent)} isTwin={twins.has(agent.id)} />;
