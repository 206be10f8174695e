import type { Agent } from '../../domain/agents/agent.ts';
import { msBetween } from '../../domain/instant.ts';
import { recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';

/**
 * After its start, Baton also reads the transcripts of agents that ended within this time, because they may have ended
 * while Baton was down.
 */
const RECENT_MS = 24 * 3_600_000;
const RECENT_AGENTS = 20;

/**
 * Returns a function that counts the tokens in the transcripts of live agents, and once more in the transcript of an
 * agent that has ended or begun a new session. Reports are running totals, so reading a transcript again adds nothing.
 */
export function createUsageTender(ports: Ports): () => Promise<void> {
  /** The transcript that was read last for each live agent. */
  let read = new Map<number, string | null>();
  /** The id of the newest agent at the previous call; undefined before the first call. */
  let newest: number | undefined;

  return async () => {
    const { live, others, last } = ports.store.read((tx) => {
      const liveAgents = tx.liveAgents();
      const latest = tx.agents({ limit: newest === undefined ? RECENT_AGENTS : 1 });
      const isLiveNow = new Set(liveAgents.map(({ id }) => id));
      const wanted =
        newest === undefined
          ? latest.filter(({ endedAt }) => endedAt !== null && msBetween(endedAt, ports.clock.now()) < RECENT_MS)
          : [...read.keys(), ...idsBetween(newest, latest.at(-1)?.id ?? 0)].flatMap((id) => tx.agentById(id) ?? []);
      const isEnded = ({ id }: Agent): boolean => !isLiveNow.has(id);
      return { live: liveAgents, others: wanted.filter(isEnded), last: latest.at(-1)?.id ?? 0 };
    });
    const agents = [...live, ...others];
    const found = await Promise.all(agents.map((agent) => reportsOf(ports, agent, read.get(agent.id) ?? null)));
    const facts = found.flat();
    if (facts.length > 0)
      await ports.store.write((tx) => {
        for (const fact of facts) recordFact(tx, ports, fact);
      });
    // This line is not reached if the store refused the reports, so the next call reads the same transcripts again.
    read = new Map(live.map(({ id, transcriptPath }) => [id, transcriptPath]));
    newest = last;
  };
}

/** Returns the ids above `after`, up to `last`, for agents that began and ended between two calls. */
const idsBetween = (after: number, last: number): readonly number[] =>
  Array.from({ length: Math.min(RECENT_AGENTS, Math.max(0, last - after)) }, (_, index) => last - index);

async function reportsOf(ports: Ports, agent: Agent, earlierPath: string | null) {
  const { id: agentId, runtime, transcriptPath, startedAt, usage } = agent;
  const paths = [...new Set([earlierPath, transcriptPath])].filter((path) => path !== null);
  const reports = await Promise.all(
    paths.map(async (source) => {
      const total = await ports.runtimes.get(runtime)?.usageInTranscript?.(source, startedAt);
      const known = usage?.counters.find((counter) => counter.source === source);
      const isKnown =
        JSON.stringify(known?.tokens) === JSON.stringify(total?.tokens) && known?.costMicros === total?.costMicros;
      return total === undefined || isKnown
        ? []
        : [{ type: 'usage_reported', agentId, source, session: null, ...total } as const];
    }),
  );
  return reports.flat();
}
