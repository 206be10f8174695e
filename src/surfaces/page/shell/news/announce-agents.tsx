import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Agent } from '../../../../contract/resources.ts';
import { badgeOf } from '../../agents/state-words.ts';
import { agentsQuery } from '../../api/queries.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { agentNews } from './agent-news.ts';

const EVERY_MS = 2_000;

/** Announces to a screen reader which agents changed their state, without interrupting the screen reader. */
export function AnnounceAgents() {
  const { data: agents } = useQuery(agentsQuery);
  const latest = useRef<readonly Agent[] | undefined>(agents);
  latest.current = agents;
  const [text, setText] = useState('');
  useEffect(() => {
    let told = words(latest.current);
    const timer = setInterval(() => {
      const now = words(latest.current);
      const news = agentNews(told, now);
      told = now;
      if (news !== '') setText(news);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="status" aria-label="Agents" className="sr-only">
      {visible(text)}
    </p>
  );
}

/** Returns the name and the state of each agent in words; undefined until the agents are loaded. */
const words = (agents: readonly Agent[] | undefined): ReadonlyMap<string, string> | undefined =>
  agents && new Map(agents.map((agent) => [`${agent.label}, agent ${agent.id}`, wordOf(agent)]));

function wordOf(agent: Agent): string {
  const { needs } = agent;
  return needs && needs.severity !== 'notice' ? needs.sentence : badgeOf(agent).word;
}
