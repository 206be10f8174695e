import { type Agent, isLive, type Pane } from '../domain/agent/agent.ts';
import { retryPriming } from '../domain/agent/priming.ts';
import type { Fact } from '../domain/facts.ts';
import { watchedAgentId } from '../domain/handoff/advance.ts';
import { refLine } from '../domain/handoff/messages.ts';
import { isOver, type Run } from '../domain/handoff/run.ts';
import { type Instant, msBetween } from '../domain/instant.ts';
import type { Panes } from './ports/terminal.ts';
import { keepWishes, recordFact } from './record-facts.ts';
import type { Ports } from './world.ts';

/**
 * Looks at the world and tells the core what it sees, so that a lost, doubled or reordered hook changes nothing in the
 * end. Called every few seconds, at start, and when tmux or the spool hint at news.
 */
export interface Reconciler {
  /** One look; looks never overlap, and a look asked for during another comes right after it. */
  look(): Promise<void>;
}

const NOTE_LAST_LOOK = 'last_look_at';
/** Seen twice with at least this much time in between counts as seen. */
const STABLE_MS = 500;
/** An agent that says it works but has said nothing else for this long is looked at. */
const QUIET_MS = 5_000;
/** A pause between two looks that is longer than this was suspend, a jump of the clock, or Baton being down. */
const UNWATCHED_MS = 10_000;

export function createReconciler(ports: Ports): Reconciler {
  const sightings = createSightings();
  let current: Promise<void> | undefined;
  let again = false;

  const loop = async (): Promise<void> => {
    do {
      again = false;
      await lookOnce(ports, sightings);
    } while (again);
  };

  const look = (): Promise<void> => {
    again = true;
    current ??= loop().finally(() => {
      current = undefined;
    });
    return current;
  };
  return { look };
}

async function lookOnce(ports: Ports, sightings: Sightings): Promise<void> {
  const { agents, runs } = ports.store.read((tx) => ({ agents: tx.liveAgents(), runs: tx.runsInFlight() }));
  const facts: Fact[] = await lookAtPanes(ports, agents);
  const gone = new Set(facts.map((fact) => ('agentId' in fact ? fact.agentId : 0)));
  const here = agents.filter((agent) => !gone.has(agent.id));
  for (const agent of here) {
    const awaited = agent.priming.status === 'typing' || runs.some((run) => watchedAgentId(run) === agent.id);
    facts.push(...(await lookForIdleness(ports, agent, awaited, sightings)));
  }
  for (const run of runs) {
    const watched = here.find((agent) => agent.id === watchedAgentId(run));
    facts.push(...(await lookAtRun(ports, run, watched, sightings)));
  }
  if (facts.length === 0 && runs.length === 0 && !agents.some((agent) => agent.priming.status === 'typing')) return;
  await ports.store.write((tx) => {
    for (const fact of facts) recordFact(tx, ports, fact);
    for (const agent of tx.liveAgents()) {
      const { agent: retried, effects } = retryPriming(agent, ports.clock.now());
      if (effects.length > 0) tx.saveAgent(retried);
      keepWishes(tx, ports, effects);
    }
    if (runs.length > 0) tx.writeNote(NOTE_LAST_LOOK, ports.clock.now());
  });
}

/** Liveness: the process, not the pane. A pane that is not there ended; a server that is not there was lost with all it held. */
async function lookAtPanes(ports: Ports, agents: readonly Agent[]): Promise<Fact[]> {
  const placed = agents.filter((agent) => agent.pane !== null);
  if (placed.length === 0) return [];
  const seen = await ports.terminal.list();
  return placed.flatMap((agent) => judgePane(agent, seen) ?? []);
}

function judgePane(agent: Agent, { server, panes }: Panes): Fact | undefined {
  const { pane } = agent;
  if (pane === null) return undefined;
  const same = panes.find(({ identity }) => isSamePane(identity, pane));
  if (same !== undefined && !same.dead) return undefined;
  if (server === undefined || !isSameServer(server, pane))
    return { type: 'agent_pane_lost', agentId: agent.id, detail: 'the tmux server that held it is gone' };
  return { type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' };
}

const isSameServer = (one: Pick<Pane, 'serverPid' | 'serverStartedAt'>, other: Pane): boolean =>
  one.serverPid === other.serverPid && one.serverStartedAt === other.serverStartedAt;

const isSamePane = (one: Pane, other: Pane): boolean =>
  isSameServer(one, other) && one.paneId === other.paneId && one.panePid === other.panePid && one.tag === other.tag;

async function lookAtRun(ports: Ports, run: Run, agent: Agent | undefined, sightings: Sightings): Promise<Fact[]> {
  const now = ports.clock.now();
  const facts: Fact[] = [...unwatchedTime(ports, run, now)];
  if (agent !== undefined) facts.push(...(await lookInTranscript(ports, run, agent)));
  facts.push(...(await lookForDocument(ports, run, agent, sightings)));
  const late = run.deadlineAt !== null && now >= run.deadlineAt;
  const lastScreen = late && agent?.pane ? await screenText(ports, agent.pane) : undefined;
  facts.push({ type: 'clock_ticked', runId: run.id, ...(lastScreen === undefined ? {} : { lastScreen }) });
  return facts;
}

/** Time in which nobody looked (suspend, a jump of the clock, Baton down) is nobody's delay. */
function unwatchedTime(ports: Ports, run: Run, now: Instant): readonly Fact[] {
  const last = ports.store.read((tx) => tx.readNote(NOTE_LAST_LOOK)) as Instant | undefined;
  if (last === undefined || last < run.createdAt) return [];
  const ms = msBetween(last, now);
  return Math.abs(ms) > UNWATCHED_MS ? [{ type: 'time_not_watched', runId: run.id, ms }] : [];
}

/** A turn that the user interrupts ends without any hook: only the screen tells. */
async function lookForIdleness(
  ports: Ports,
  agent: Agent,
  awaited: boolean,
  sightings: Sightings,
): Promise<readonly Fact[]> {
  const key = `idle/${agent.id}`;
  const quiet = awaited || msBetween(agent.lastSeenAt, ports.clock.now()) > QUIET_MS;
  if (!quiet || agent.state === 'idle' || agent.state === 'starting' || agent.pane === null)
    return sightings.forget(key);
  const screen = await ports.terminal.capture(agent.pane);
  const runtime = ports.runtimes.get(agent.runtime);
  if (screen === undefined || runtime?.readScreen(screen).kind !== 'ready') return sightings.forget(key);
  // No hook in between either: a turn that just began may not be drawn yet.
  return sightings.seenTwice(key, agent.lastSeenAt, ports.clock.monotonicMs())
    ? [{ type: 'agent_seen_idle', agentId: agent.id }]
    : [];
}

/** The prompt hook may be lost; the runtime's own transcript is the better receipt anyway. */
async function lookInTranscript(ports: Ports, run: Run, agent: Agent): Promise<readonly Fact[]> {
  const ref = awaitedRef(run, agent);
  const runtime = ports.runtimes.get(agent.runtime);
  if (ref === undefined || agent.transcriptPath === null || runtime?.transcriptHolds === undefined) return [];
  const found = await runtime.transcriptHolds(agent.transcriptPath, refLine(ref));
  return found ? [{ type: 'prompt_found_in_transcript', agentId: agent.id, ref }] : [];
}

function awaitedRef(run: Run, agent: Agent): string | undefined {
  if (run.step === 'instructing' || run.step === 'delivering_prompt')
    return run.delivery?.accepted ? undefined : run.delivery?.ref;
  if (run.step !== 'injecting_skill' || agent.priming.status !== 'typing' || agent.priming.accepted) return undefined;
  return agent.priming.ref;
}

/** Where the Stop never comes, the finished document itself is the evidence: there, ended by its marker, unchanged, agent at rest. */
async function lookForDocument(
  ports: Ports,
  run: Run,
  agent: Agent | undefined,
  sightings: Sightings,
): Promise<readonly Fact[]> {
  if (run.step !== 'awaiting_document' || run.document === null || isOver(run)) return [];
  const key = `document/${run.id}`;
  const atRest = agent === undefined || !isLive(agent) || agent.state === 'idle';
  const evidence = atRest ? await ports.files.lookAtDocument(run.document.path, run.endToken) : undefined;
  if (!evidence?.markerFound) return sightings.forget(key);
  return sightings.seenTwice(key, evidence.fingerprint, ports.clock.monotonicMs())
    ? [{ type: 'document_evidence_seen', runId: run.id }]
    : [];
}

const LONGEST_SCREEN = 400;

async function screenText(ports: Ports, pane: Pane): Promise<string> {
  const screen = await ports.terminal.capture(pane);
  const text = (screen?.lines ?? [])
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' / ');
  return text.slice(-LONGEST_SCREEN);
}

interface Sightings {
  /** True once the same thing was seen unchanged over STABLE_MS. */
  seenTwice(key: string, fingerprint: string, atMs: number): boolean;
  forget(key: string): readonly never[];
}

function createSightings(): Sightings {
  const first = new Map<string, { fingerprint: string; atMs: number }>();
  return {
    seenTwice: (key, fingerprint, atMs) => {
      const before = first.get(key);
      if (before?.fingerprint === fingerprint) return atMs - before.atMs >= STABLE_MS;
      first.set(key, { fingerprint, atMs });
      return false;
    },
    forget: (key) => {
      first.delete(key);
      return [];
    },
  };
}
