import type { Agent } from '../domain/agent/agent.ts';
import type { Fact } from '../domain/facts.ts';
import type { Ports } from './world.ts';

const LONGEST = 400;

/** With how the client ended and what it said last, as far as tmux has kept it: mostly that is the reason. */
export async function withLastWords(ports: Ports, agentId: number, detail: string): Promise<string> {
  const words = await ports.files.lastWords(agentId);
  if (words === undefined) return detail;
  const end = words.end === null ? '' : ` (${words.end})`;
  // Before it is cut: of what is cut off in front nobody could tell any more what it was.
  const said = ports.secrets.redact(words.said).slice(-LONGEST);
  return `${detail}${end}${said === '' ? '' : `; its last words: ${said}`}`;
}

/** A client that nobody asked to leave and that ended before its session began, or badly. */
export async function tellLastWords(ports: Ports, agents: readonly Agent[], facts: readonly Fact[]): Promise<Fact[]> {
  return Promise.all(
    facts.map(async (fact): Promise<Fact> => {
      if (fact.type !== 'agent_process_gone') return fact;
      const agent = agents.find(({ id }) => id === fact.agentId);
      if (agent === undefined || agent.isLeaving === true) return fact;
      const words = agent.registeredAt === null ? undefined : await ports.files.lastWords(agent.id);
      const isBad = agent.registeredAt === null || (words?.end != null && words.end !== 'exit code 0');
      return isBad ? { ...fact, detail: await withLastWords(ports, agent.id, fact.detail) } : fact;
    }),
  );
}
