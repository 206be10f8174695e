import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { type Instant, msBetween } from '../../domain/instant.ts';
import { recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';

/**
 * When Baton starts, it also reads the transcripts of agents that ended at most this long ago, because such an agent
 * may have ended while Baton was down and nobody had read its transcript to the end.
 */
const RECENT_MS = 24 * 3_600_000;
const RECENT_AGENTS = 20;

/**
 * Returns a function that counts the tokens in the transcripts of live agents. When an agent ends or begins a new
 * session, the function reads the old transcript once more to its end. Reading a transcript a second time adds nothing.
 */
export function createUsageTender(ports: Ports): () => Promise<void> {
  /**
   * The transcripts to read at the next call, by agent id: the transcripts of live agents, and the transcripts that
   * Baton has not read to the end.
   */
  let unfinished = new Map<number, readonly string[]>();
  /** The id of the newest agent at the last call; undefined before the first call. */
  let newest: number | undefined;

  return async () => {
    const { live, others, last } = ports.store.read((tx) => {
      const liveAgents = tx.liveAgents();
      const latest = tx.agents({ limit: newest === undefined ? RECENT_AGENTS : 1 });
      const isLiveNow = new Set(liveAgents.map(({ id }) => id));
      const ids = new Set([...unfinished.keys(), ...idsBetween(newest ?? 0, latest.at(-1)?.id ?? 0)]);
      const wanted =
        newest === undefined
          ? latest.filter(({ endedAt }) => endedAt !== null && msBetween(endedAt, ports.clock.now()) < RECENT_MS)
          : [...ids].flatMap((id) => tx.agentById(id) ?? []);
      const isEnded = ({ id }: Agent): boolean => !isLiveNow.has(id);
      return { live: liveAgents, others: wanted.filter(isEnded), last: latest.at(-1)?.id ?? 0 };
    });
    const agents = [...live, ...others];
    const found = await Promise.all(agents.map((agent) => readUsage(ports, agent, unfinished.get(agent.id) ?? [])));
    const facts = found.flatMap(({ reports }) => reports);
    if (facts.length > 0)
      await ports.store.write((tx) => {
        for (const fact of facts) recordFact(tx, ports, fact);
      });
    // If the write to the store throws, the next call reads the same transcripts again.
    unfinished = new Map(found.filter(({ next }) => next.length > 0).map(({ agentId, next }) => [agentId, next]));
    newest = last;
  };
}

/**
 * Returns the ids of agents that were created since the last call. These ids are greater than `after` and at most
 * `last`. Returns only the newest RECENT_AGENTS ids. Some of these agents may already have ended.
 */
const idsBetween = (after: number, last: number): readonly number[] =>
  Array.from({ length: Math.min(RECENT_AGENTS, Math.max(0, last - after)) }, (_, index) => last - index);

/** Reads the transcripts of an agent. Returns the new usage, and the transcripts to read at the next call. */
async function readUsage(ports: Ports, agent: Agent, earlier: readonly string[]) {
  const { id: agentId, runtime, transcriptPath, endedAt, usage } = agent;
  const since = beganAt(agent);
  const paths = since === null ? [] : [...new Set([...earlier, transcriptPath])].filter((path) => path !== null);
  const read = await Promise.all(
    paths.map(async (source) => {
      const period = { since: since ?? agent.startedAt, until: endedAt };
      const found = await ports.runtimes.get(runtime)?.usageInTranscript?.(source, period);
      const known = usage?.counters.find((counter) => counter.source === source);
      const total = found?.usage;
      const isKnown =
        JSON.stringify(known?.tokens) === JSON.stringify(total?.tokens) && known?.costMicros === total?.costMicros;
      const isFollowed = isLive(agent) && source === transcriptPath;
      return {
        next: isFollowed || found?.isComplete === false ? [source] : [],
        reports:
          total === undefined || isKnown
            ? []
            : [{ type: 'usage_reported', agentId, source, session: null, ...total } as const],
      };
    }),
  );
  return { agentId, reports: read.flatMap(({ reports }) => reports), next: read.flatMap(({ next }) => next) };
}

/**
 * Returns the time from which Baton counts the usage of this agent. For an adopted session, this is the time of the
 * adoption, because the session may have started long before. Null if the adoption is not complete.
 */
const beganAt = ({ adoption, startedAt, registeredAt }: Agent): Instant | null =>
  adoption === undefined ? startedAt : registeredAt;
