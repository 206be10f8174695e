import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Agent, AgentWhy } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { ask } from '../api/ask.ts';
import { useMachine } from '../api/machine-clients.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Section } from '../parts/panel.tsx';
import { At } from '../parts/time.tsx';

const MOST = 8;

type Fact = AgentWhy['facts'][number];

/** Keeps only the newest of successive reports about tools, because one report is enough to show the agent's work. */
const withoutOlderTools = (facts: readonly Fact[]): readonly Fact[] =>
  facts.filter(({ type }, index) => type !== 'tool_used' || facts[index - 1]?.type !== 'tool_used');

/** The facts from which Baton derived an agent's state. */
export function Why({ agentId, state }: { readonly agentId: number; readonly state: Agent['state'] }) {
  const isHere = useMachine() === null;
  const why = useQuery({
    queryKey: ['agent', agentId, 'why'],
    queryFn: (from) => ask<AgentWhy>(PATHS.agentWhy(agentId), from),
  });
  const { refetch } = why;
  useEffect(() => {
    // Fetch the facts again when the state changes, because a new state is based on new facts.
    if (state) void refetch();
  }, [state, refetch]);
  // The facts are sorted newest first, as in every other list.
  const facts = withoutOlderTools(why.data?.facts.toReversed() ?? []).slice(0, MOST);
  if (facts.length === 0) return null;
  return (
    <Section
      title="Recent events"
      aside={
        isHere && (
          <Link to="/activity" search={{ agent: agentId }} className="text-sm text-accent underline">
            All events of agent {agentId}
          </Link>
        )
      }
    >
      <ol className="flex flex-col gap-2 text-sm">
        {facts.map(({ seq, at, sentence }) => (
          <li key={seq} className="border-l-2 border-line pl-3">
            <span className="block text-xs text-muted">
              <At at={at} />
            </span>
            <span className="wrap-anywhere">{visible(sentence)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
