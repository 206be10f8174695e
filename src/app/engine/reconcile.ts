import {
  type Agent,
  type ComposerObstacle,
  hasRested,
  isInMenu,
  isLive,
  isWithoutTerminal,
  type Pane,
} from '../../domain/agents/agent.ts';
import type { Question } from '../../domain/agents/question.ts';
import type { Fact, RestEvidence } from '../../domain/facts.ts';
import { watchedAgentId } from '../../domain/handoffs/advance.ts';
import { COPY_NOT_KEPT } from '../../domain/handoffs/outgoing-steps.ts';
import { findRef, refLine } from '../../domain/handoffs/prompts/prompts.ts';
import { isOver, lacksRecord, type Run } from '../../domain/handoffs/run.ts';
import { msBetween } from '../../domain/instant.ts';
import { assessDiskRoom, roomInWords } from '../../domain/maintenance/disk-room.ts';
import { mayStand } from '../../domain/messages/sent-prompt.ts';
import { tendRestoring } from '../agents/resume/restore-agents.ts';
import { createScreenMemory, type ScreenMemory } from '../agents/screen-memory.ts';
import { createAutoHandoffTender } from '../handoffs/policy/tend-auto-handoffs.ts';
import { findOverdueAnswers } from '../messages/abandoned-answers.ts';
import { findMessageReceipts } from '../messages/message-receipts.ts';
import { syncHandoffPackages } from '../packages/background/sync-handoff-packages.ts';
import { createPackageTender } from '../packages/background/tend-packages.ts';
import { createSkillLayer } from '../personas/skill-at-start.ts';
import { writeLessons } from '../personas/write-lessons.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { ScreenState } from '../ports/terminal.ts';
import { syncAdoptedHooks } from '../sessions/sync-adopted-hooks.ts';
import { createUsageTender } from '../usage/tend-usage.ts';
import { findClientReports } from './client/client-reports.ts';
import { clientStatus, type ReportedStatus, saysRest, saysWork } from './client/client-status.ts';
import { findDeniedTool } from './client/denied-tool.ts';
import { REST_STABLE_MS, restWithDocument } from './client/rest-with-document.ts';
import type { Health } from './health.ts';
import { observeExternalPanes, observePanes, removeDeadPanes } from './observe-panes.ts';
import { recordFact, retryPrompts } from './record-facts.ts';

/**
 * Observes panes, screens, transcripts and files, and records the observations as facts. So a lost, duplicate or
 * reordered hook does not change the final state. Runs every few seconds, at start, and when tmux or the spool signals
 * a change.
 */
export interface Reconciler {
  /**
   * Reconciles once. Reconciles never overlap: if this function is called during a reconcile, another reconcile starts
   * right after the current one.
   */
  look(): Promise<void>;
  /**
   * Asks tmux with a single query which programs on Baton's tmux server have ended. Called when tmux reports that a
   * pane has closed. Does not read the screens, because many panes may close at once. May run at the same time as a
   * full reconcile.
   */
  observeEnds(): Promise<void>;
}

/**
 * How many agents are observed at the same time. A client under load needs seconds to answer, and a prompt for one
 * agent must not wait until all other clients have answered.
 */
const AGENTS_AT_ONCE = 8;
/** The minimum time between two observations. Baton accepts an observation only if a second one agrees with it. */
const STABLE_MS = 500;
/**
 * How long an agent must be without a new hook before Baton corrects the agent's recorded state from the screen or the
 * transcript.
 */
const QUIET_MS = 5_000;
/**
 * The time that replaces QUIET_MS if a run waits for the agent: how long the agent must be without a new hook before
 * Baton corrects the agent's recorded state. The time cannot be shorter, because a busy client may draw its sign of
 * work only some time after its hook.
 */
const AWAITED_QUIET_MS = 2_000;

export function createReconciler(ports: Ports, health: Health): Reconciler {
  const stability = createStabilityTracker();
  const screens = createScreenMemory(ports);
  const tendPackages = createPackageTender(ports);
  const tendHandoffs = createAutoHandoffTender(ports);
  const layOutSkills = createSkillLayer(ports);
  const tendUsage = createUsageTender(ports);
  return {
    look: oneAtATime(() =>
      reconcileOnce(ports, health, { stability, screens, tendPackages, tendHandoffs, layOutSkills, tendUsage }),
    ),
    observeEnds: oneAtATime(() => reconcilePanes(ports, health)),
  };
}

/**
 * Returns a function that calls `work`, but never twice at the same time. If the function is called while `work` runs,
 * `work` runs once more afterwards.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let again = false;
  const loop = async (): Promise<void> => {
    do {
      again = false;
      await work();
    } while (again);
  };
  return () => {
    again = true;
    current ??= loop().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/** Maps the items, at most `limit` of them at the same time. The results have the order of the items. */
async function atMostAtOnce<T, R>(limit: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

async function reconcilePanes(ports: Ports, health: Health): Promise<void> {
  const agents = ports.store.read((tx) => tx.liveAgents());
  const panes = await health.guard('check the panes', () => observePanes(ports, agents));
  if (panes === undefined || panes.facts.length === 0) return;
  const written = await health.guard('write to its store', () => record(ports, agents, panes.facts));
  if (written)
    await health.guard('remove the panes of programs that have ended', () => removeDeadPanes(ports, panes.dead));
}

interface Remembered {
  readonly stability: StabilityTracker;
  readonly screens: ScreenMemory;
  readonly tendPackages: () => Promise<void>;
  readonly tendHandoffs: () => Promise<void>;
  readonly layOutSkills: (agents: readonly Agent[]) => Promise<void>;
  readonly tendUsage: () => Promise<void>;
}

async function reconcileOnce(
  ports: Ports,
  health: Health,
  { stability, screens, tendPackages, tendHandoffs, layOutSkills, tendUsage }: Remembered,
): Promise<void> {
  const { agents, runs: before } = ports.store.read((tx) => ({ agents: tx.liveAgents(), runs: tx.runsInFlight() }));
  const panes = await health.guard('check the panes', () => observePanes(ports, agents));
  const outside = await observeExternalPanes(ports, health, agents);
  const ends = [...(panes?.facts ?? []), ...outside.facts];
  const early = await recordEnds(ports, agents, ends);
  const runs = early.length === 0 ? before : before.flatMap(({ id }) => inFlight(ports, id));
  const facts: Fact[] = ends.filter((fact) => !early.includes(fact));
  const gone = new Set(ends.map((fact) => ('agentId' in fact ? fact.agentId : 0)));
  const here = agents.filter((agent) => !gone.has(agent.id));
  screens.noteDrawn(new Map([...(panes?.drawn ?? []), ...outside.drawn]));
  // If tmux could not list the panes, skip the agents. Every check of an agent asks tmux, too, and could hang as well.
  // Deadlines are still checked below.
  if (panes !== undefined) {
    const observed = await atMostAtOnce(
      AGENTS_AT_ONCE,
      here.filter(({ id }) => !outside.unseen.has(id)),
      (agent) => health.guard('check the agents', () => observeAgent(ports, agent, runs, { stability, screens })),
    );
    facts.push(...observed.flatMap((found) => found ?? []));
  }
  for (const run of runs) {
    const watched = here.find((agent) => agent.id === watchedAgentId(run));
    facts.push(...((await health.guard('check the runs', () => observeRun(ports, run, watched, stability))) ?? []));
    const screen =
      panes !== undefined && watched !== undefined && !outside.unseen.has(watched.id)
        ? await health.guard('read a screen', () => lastWords(ports, run, watched))
        : undefined;
    facts.push({ type: 'clock_ticked', runId: run.id, ...(screen === undefined ? {} : { lastScreen: screen }) });
  }
  facts.push(...((await health.guard('look for late documents', () => findLateDocuments(ports, stability))) ?? []));
  await health.guard('add accepted lessons to experience.md', () => writeLessons(ports));
  await health.guard('write the skill files of its agents', () => layOutSkills(here));
  await health.guard('connect the hooks of adopted sessions', () => syncAdoptedHooks(ports, agents));
  const homeProblem = await health.guard('find its home', async () => {
    const problem = await ports.homeProblem();
    if (problem !== undefined) throw new Error(problem);
    return null;
  });
  if (homeProblem === null)
    await health.guard('rely on its disk', async () => {
      const room = await ports.diskRoom();
      if (assessDiskRoom(room) === 'too_little')
        throw new Error(
          `${roomInWords(room)}. Free some space on that disk; otherwise Baton loses hooks of agents and its own records`,
        );
    });
  await health.guard('load your prompt templates', async () => {
    const problems = await ports.wording.refresh();
    if (problems.length > 0) throw new Error(problems.join(' '));
  });
  await health.guard('read the environment for agents', async () => {
    const { problem } = ports.environment.state();
    if (problem !== null) throw new Error(problem);
  });
  const written = await health.guard('write to its store', () => recordObserved(ports, agents, facts));
  if (written && panes !== undefined)
    await health.guard('remove the panes of programs that have ended', () => removeDeadPanes(ports, panes.dead));
  // If the store refused the facts of this reconcile, it would also refuse the update of the packages, and Baton would
  // report the same failure twice. So skip the update.
  if (written) await health.guard('update the packages of its handoffs', () => syncHandoffPackages(ports));
  // Begin automatic handoffs only if the panes could be observed. Otherwise Baton does not know whether the agents are
  // still idle.
  if (written && panes !== undefined) await health.guard('begin automatic handoffs', tendHandoffs);
  if (written) await health.guard('count the tokens of its agents', tendUsage);
  await health.guard('resume lost agents', () => tendRestoring(ports));
  await health.guard('check the packages', tendPackages);
}

/**
 * Records the ends of programs before the agents are observed, because runs wait for these ends and observing many
 * agents takes long. Returns the recorded facts. If the store refuses the facts, returns an empty list, and the caller
 * tries again after the observation.
 */
async function recordEnds(ports: Ports, seen: readonly Agent[], ends: readonly Fact[]): Promise<readonly Fact[]> {
  if (ends.length === 0) return [];
  return record(ports, seen, ends).then(
    () => ends,
    () => [],
  );
}

function inFlight(ports: Ports, runId: number): readonly Run[] {
  const run = ports.store.read((tx) => tx.runById(runId));
  return run === undefined || isOver(run) ? [] : [run];
}

const mayRetry = ({ priming, firstPrompt }: Agent): boolean =>
  priming.status === 'typing' || firstPrompt?.status === 'waiting';

async function recordObserved(ports: Ports, seen: readonly Agent[], facts: readonly Fact[]): Promise<true> {
  const isRetrying = seen.some(mayRetry);
  if (facts.length === 0 && !isRetrying) return true;
  await ports.store.write((tx) => {
    recordNew(tx, ports, seen, facts);
    if (isRetrying) retryPrompts(tx, ports);
  });
  return true;
}

async function record(ports: Ports, seen: readonly Agent[], facts: readonly Fact[]): Promise<true> {
  await ports.store.write((tx) => recordNew(tx, ports, seen, facts));
  return true;
}

function recordNew(tx: Tx, ports: Ports, seen: readonly Agent[], facts: readonly Fact[]): void {
  // First find out which failed turns are out of date, and only then record facts. If a turn failed because of a usage
  // limit, Baton records the limit before the failed turn. After that, the failed turn would look out of date.
  const staleFailures = facts.filter((fact) => fact.type === 'turn_failed' && isStale(tx, seen, fact));
  for (const fact of facts) {
    const isOutdated = fact.type === 'turn_failed' ? staleFailures.includes(fact) : isStale(tx, seen, fact);
    if (!isOutdated) recordFact(tx, ports, fact, reportKey(fact));
  }
}

/**
 * Returns the key under which the store records a fact only once. A failed turn needs a key, because the client repeats
 * its report about this turn until the agent's next turn ends.
 */
const reportKey = (fact: Fact): string | null =>
  fact.type === 'turn_failed' && fact.promptId !== null ? `agent/${fact.agentId}/failed/${fact.promptId}` : null;

/**
 * Returns whether a fact is out of date. An observation is out of date if a newer hook of the agent has arrived. The
 * start or the end of a program is out of date if it is already recorded.
 */
function isStale(tx: Tx, seen: readonly Agent[], fact: Fact): boolean {
  if (!('agentId' in fact)) return false;
  const before = seen.find((agent) => agent.id === fact.agentId);
  const now = tx.agentById(fact.agentId);
  if (isObservation(fact) || fact.type === 'turn_failed') return now?.lastSeenAt !== before?.lastSeenAt;
  if (fact.type === 'agent_launched') return now?.pane !== null;
  if (fact.type === 'session_started')
    return now?.runtimeSessionId === fact.runtimeSessionId && now.registeredAt !== null;
  return isEnd(fact) && (now === undefined || !isLive(now));
}

/**
 * Returns how long a client must repeat the same report before Baton records it. A session id or a context use is
 * recorded after one reading, and everything else after two equal readings.
 */
const reportStableMs = (reports: readonly Fact[]): number =>
  reports.every(({ type }) => type === 'session_started' || type === 'context_measured') ? 0 : STABLE_MS;

/**
 * Leaves out the source of a report (`by`) when two readings are compared. The control API of a busy client does not
 * always answer, so the second reading may come from the screen.
 */
const sameSource = (key: string, value: unknown): unknown => (key === 'by' ? undefined : value);

const isObservation = (fact: Fact): fact is Extract<Fact, { type: `agent_seen_${string}` | 'agent_composer_seen' }> =>
  fact.type.startsWith('agent_seen_') || fact.type === 'agent_composer_seen';

const isEnd = (fact: Fact): boolean => fact.type === 'agent_process_gone' || fact.type === 'agent_pane_lost';

async function observeAgent(
  ports: Ports,
  agent: Agent,
  runs: readonly Run[],
  { stability, screens }: Pick<Remembered, 'stability' | 'screens'>,
): Promise<readonly Fact[]> {
  if (!(await screens.hasTerminal(agent))) return terminalTaken(ports, agent, stability);
  stability.forget(terminalKey(agent));
  if (isWithoutTerminal(agent)) return [{ type: 'terminal_returned', agentId: agent.id }];
  const awaited = agent.priming.status === 'typing' || runs.some((run) => watchedAgentId(run) === agent.id);
  return [
    ...(await observeScreen(ports, agent, awaited, { stability, screens })),
    ...(await findSkillReceipt(ports, agent)),
    ...(await findContextUse(ports, agent)),
    ...(await findMessageReceipts(ports, agent)),
    ...findOverdueAnswers(ports, agent),
    ...findOverdueStart(ports, agent),
    ...findOverdueSkill(ports, agent, runs, stability),
  ];
}

/**
 * Reads the context use of an adopted agent from the transcript, because the client of an adopted agent does not run
 * Baton's status line.
 */
async function findContextUse(
  ports: Ports,
  { id: agentId, adoption, transcriptPath, runtime, context }: Agent,
): Promise<readonly Fact[]> {
  if (adoption !== 'adopted' || transcriptPath === null) return [];
  const use = await ports.runtimes.get(runtime)?.contextInTranscript?.(transcriptPath);
  // Report only a changed value. Each report counts as activity, so an agent with repeated reports would never become
  // idle.
  const isKnown = use?.usedTokens === context?.usedTokens && use?.windowTokens === context?.windowTokens;
  return use === undefined || isKnown ? [] : [{ type: 'context_measured', agentId, ...use }];
}

/**
 * Finds an agent whose session has not begun in time. Only an agent outside a run needs this check, because a run sets
 * its own deadline for the session.
 */
function findOverdueStart(ports: Ports, agent: Agent): readonly Fact[] {
  const late = msBetween(agent.startedAt, ports.clock.now()) > ports.settings.deadlines.awaiting_registration;
  const detail = `was started, but its session has not begun; look at its terminal: baton agent attach ${agent.id}`;
  if (agent.state !== 'starting' || !late || agent.stateCause === 'start_overdue') return [];
  return [{ type: 'agent_start_overdue', agentId: agent.id, detail }];
}

/**
 * Finds a skill prompt that was typed but not accepted in time, for example because a hook of the user blocked it. Only
 * an agent outside a run needs this check, because a run sets its own deadline for the skill prompt.
 */
function findOverdueSkill(
  ports: Ports,
  { id: agentId, priming }: Agent,
  runs: readonly Run[],
  stability: StabilityTracker,
): readonly Fact[] {
  const key = `skill/${agentId}`;
  const stuck = priming.status === 'typing' && priming.pasted === true && !priming.accepted;
  if (!stuck || runs.some((run) => watchedAgentId(run) === agentId)) return stability.forget(key);
  const { injecting_skill: patienceMs } = ports.settings.deadlines;
  return stability.isStableSince(key, priming.ref, ports.clock.monotonicMs(), patienceMs)
    ? [
        {
          type: 'priming_failed',
          agentId,
          detail: `the skill was typed, but the agent did not accept it; look at the terminal: baton agent attach ${agentId}`,
        },
      ]
    : [];
}

const terminalKey = (agent: Agent): string => `terminal/${agent.id}`;

/**
 * Reports that another program uses the agent's terminal. Two observations in a row must show this, because a tool of
 * the agent may use the terminal for a moment.
 */
function terminalTaken(ports: Ports, agent: Agent, stability: StabilityTracker): readonly Fact[] {
  if (isWithoutTerminal(agent)) return [];
  return stability.isStableSince(terminalKey(agent), '', ports.clock.monotonicMs())
    ? [{ type: 'terminal_taken', agentId: agent.id }]
    : [];
}

async function observeRun(
  ports: Ports,
  run: Run,
  agent: Agent | undefined,
  stability: StabilityTracker,
): Promise<Fact[]> {
  const seen =
    agent === undefined
      ? []
      : [...(await findSubmittedPrompt(ports, run, agent)), ...(await findDeniedTool(ports, run, agent))];
  return [...seen, ...(await findDocument(ports, run, stability))];
}

/**
 * Returns the text on the agent's screen if the deadline of the run has passed, so that the message about the missed
 * deadline can quote this text. Returns undefined if the deadline has not passed.
 */
async function lastWords(ports: Ports, run: Run, agent: Agent): Promise<string | undefined> {
  const late = run.deadlineAt !== null && ports.clock.now() >= run.deadlineAt;
  return late && agent.pane !== null ? screenText(ports, agent.pane) : undefined;
}

/**
 * Detects changes for which the client runs no hook: the user interrupts a turn, a queued prompt begins after the Stop
 * of the previous turn, or the client asks something before its session has started. A screen without a sign of work
 * does not prove that the agent is idle.
 */
async function observeScreen(
  ports: Ports,
  agent: Agent,
  awaited: boolean,
  { stability, screens }: Pick<Remembered, 'stability' | 'screens'>,
): Promise<readonly Fact[]> {
  const key = `screen/${agent.id}`;
  const shown = await screens.read(agent);
  if (shown === undefined) return stability.forget(key);
  const { seen, asked } = shown;
  const status = await clientStatus(ports, agent);
  const reports = await findClientReports(ports, agent, seen, status);
  const quiet = isSilent(ports, agent, awaited ? AWAITED_QUIET_MS : QUIET_MS, stability);
  const rest = await restEvidence(ports, agent, seen, { status, quiet });
  const news = whatIsNew(agent, seen, { status, quiet, rest, asked });
  const obstacle = awaited ? obstacleOf(ports, agent, seen) : agent.obstacle && null;
  const atMs = ports.clock.monotonicMs();
  const facts: Fact[] = [];
  if (reports.length === 0) stability.forget(`report/${agent.id}`);
  else if (
    stability.isStableSince(`report/${agent.id}`, JSON.stringify(reports, sameSource), atMs, reportStableMs(reports))
  )
    facts.push(...reports);
  // Accept the observation only if no hook arrived between the two readings of the screen. A hook may report a new turn
  // that the screen does not show yet.
  if (news === undefined) stability.forget(key);
  else if (stability.isStableSince(key, `${news.type}/${asked?.id}/${agent.lastSeenAt}`, atMs)) facts.push(news);
  if (obstacle === undefined || obstacle?.kind === agent.obstacle?.kind) stability.forget(`composer/${agent.id}`);
  else if (stability.isStableSince(`composer/${agent.id}`, `${obstacle?.kind}`, atMs))
    facts.push({ type: 'agent_composer_seen', agentId: agent.id, obstacle });
  return facts;
}

const MAX_SHOWN = 200;

/**
 * Returns the obstacle in the composer. Returns null if the composer is free, and undefined if the screen does not show
 * the composer. Called only while Baton waits to type, because at other times unsent text in the composer is no
 * obstacle.
 */
function obstacleOf(ports: Ports, agent: Agent, seen: ScreenState): ComposerObstacle | null | undefined {
  if (seen.kind === 'ready' || (seen.kind === 'draft' && isOurs(ports, agent, seen.text))) return null;
  return seen.kind === 'draft' || seen.kind === 'view'
    ? { kind: seen.kind, shows: seen.text.slice(0, MAX_SHOWN) }
    : undefined;
}

/**
 * Returns whether the unsent text in the composer is a prompt that Baton pasted before a crash. Such a text is no
 * obstacle, because the next attempt submits it with Enter. A prompt that the agent already got does not count, because
 * the operator has recalled it from the history.
 */
function isOurs(ports: Ports, { id: agentId, runtime }: Agent, draft: string): boolean {
  const reader = ports.runtimes.get(runtime);
  const texts = ports.store.read((tx) => tx.promptTextsOf({ agentId }));
  return reader !== undefined && texts.some((each) => mayStand(each) && reader.isOurDraft(draft, each.text));
}

/**
 * Returns the evidence that the agent is idle, if there is any. If the client reports a status, only the status counts.
 * If not, the evidence is a Stop as the last hook, or a transcript that ends with an interrupted turn.
 */
async function restEvidence(
  ports: Ports,
  agent: Agent,
  seen: ScreenState,
  { status, quiet }: { readonly status: ReportedStatus | undefined; readonly quiet: boolean },
): Promise<RestEvidence | undefined> {
  if (status !== undefined) return saysRest(status) ? (status.byApi ? 'api' : 'status') : undefined;
  if (hasRested(agent)) return 'hooks';
  // The transcript may still end with the previous turn, because the client has not written the prompt of this turn
  // yet.
  const isOfThisTurn = quiet || (seen.kind === 'ready' && seen.interrupted === true);
  const transcript = ports.runtimes.get(agent.runtime)?.transcript;
  if (!isOfThisTurn || agent.transcriptPath === null || transcript === undefined) return undefined;
  return (await transcript.endsInterrupted(agent.transcriptPath)) ? 'transcript' : undefined;
}

/**
 * True if the agent has sent no hook for `forMs` milliseconds. This time is also measured with the monotonic clock:
 * after somebody has set the wall clock back, `lastSeenAt` is in the future.
 */
function isSilent({ clock }: Ports, agent: Agent, forMs: number, stability: StabilityTracker): boolean {
  const unheard = stability.isStableSince(`heard/${agent.id}`, agent.lastSeenAt, clock.monotonicMs(), forMs);
  return unheard || msBetween(agent.lastSeenAt, clock.now()) > forMs;
}

interface Looked {
  readonly status: ReportedStatus | undefined;
  readonly rest: RestEvidence | undefined;
  readonly quiet: boolean;
  readonly asked: Question | undefined;
}

function whatIsNew(agent: Agent, seen: ScreenState, { status, rest, quiet, asked }: Looked): Fact | undefined {
  const { id: agentId, state, priming } = agent;
  if (seen.kind === 'dialog') {
    // A hook reports that the agent asks something, but only the screen shows the question and its options. A menu on
    // the screen of an idle agent is no question from the agent, because the operator has opened this menu.
    if (seen.isMenu && hasRested(agent))
      return isInMenu(agent) ? undefined : { type: 'agent_seen_asking', agentId, question: seen.text, isMenu: true };
    const isKnown = asked === undefined || asked.id === agent.question?.id;
    if (state === 'awaiting_input' && isKnown && !isInMenu(agent)) return undefined;
    return { type: 'agent_seen_asking', agentId, question: seen.text, ...(asked === undefined ? {} : { asked }) };
  }
  if (state === 'starting') return undefined;
  // Check whether the agent is working even if it is recorded as waiting for an answer. The operator's answer fires no
  // hook, so only the screen or the client's status shows that the agent has resumed its work.
  const isIdleByClient = status !== undefined && saysRest(status) && (status.byApi === true || state === 'limited');
  // If the model refuses a request because of a usage limit, the client repeats the request. Such a repetition does not
  // count as work.
  if (state === 'limited' && status?.limit !== undefined) return undefined;
  const isWaiting = seen.kind === 'busy' && seen.waitsForLimit === true && !(status && saysWork(status));
  if (isWaiting && (state === 'limited' || state === 'working' || state === 'idle'))
    return seenLimit(agent, seen.doing);
  if ((seen.kind === 'busy' && !isIdleByClient) || (status && saysWork(status)))
    return seenWorking(agent, seen, status);
  // A screen that Baton cannot parse may contain a sign of work, so the agent does not count as idle.
  if (seen.kind === 'unknown' && !isIdleByClient)
    return quiet && state !== 'unknown' ? { type: 'agent_seen_unknown', agentId, line: seen.text } : undefined;
  if (seen.kind !== 'ready' && seen.kind !== 'draft' && !isIdleByClient) return undefined;
  // The Stop hook of the skill prompt may arrive before the receipt of that prompt. Then Baton records that the agent
  // is idle while the skill prompt is still unfinished. So report again that the agent is idle: the first such report
  // after the receipt completes the skill prompt.
  const isAtRest = state === 'idle' || (state === 'limited' && hasRested(agent));
  if (isAtRest && priming.status !== 'typing') return undefined;
  if (rest !== undefined) return seenIdle(agent, seen, { by: rest, quiet, status });
  const isDoubtful = quiet && status === undefined && state !== 'unknown';
  return isDoubtful ? { type: 'agent_seen_unknown', agentId, line: null } : undefined;
}

/**
 * Returns the usage limit that only the screen shows, because the hook about it was lost; undefined if Baton has
 * already recorded a limit.
 */
const seenLimit = ({ id: agentId, state }: Agent, doing = 'usage limit reached'): Fact | undefined =>
  state === 'limited'
    ? undefined
    : { type: 'usage_limit_hit', agentId, words: doing, until: null, continuesItself: true };

function seenWorking(
  { id: agentId, state, stateReason }: Agent,
  seen: ScreenState,
  status: ReportedStatus | undefined,
): Fact | undefined {
  const doing = status?.doing ?? (seen.kind === 'busy' ? seen.doing : undefined);
  // Record nothing if the agent already counts as working and its client describes the work in the same words.
  if (state === 'working' && (doing === undefined || doing === stateReason)) return undefined;
  if (doing !== undefined) return { type: 'agent_seen_working', agentId, doing };
  const by = status?.byApi ? 'api' : 'status';
  return { type: 'agent_seen_working', agentId, ...(seen.kind === 'busy' ? {} : { by }) };
}

interface Rest extends Pick<Looked, 'quiet' | 'status'> {
  readonly by: RestEvidence;
}

function seenIdle(agent: Agent, seen: ScreenState, { by, quiet, status }: Rest): Fact | undefined {
  const { id: agentId, state } = agent;
  // If the agent's hooks are the only evidence that it is idle, wait until no more hooks arrive. A busy client may draw
  // its sign of work only some time after its hook.
  if (by === 'hooks' && !quiet) return undefined;
  if (state !== 'idle' && wasInterrupted(agent, status))
    return { type: 'agent_seen_idle', agentId, by, shows: 'interrupted' };
  if (seen.kind === 'ready')
    return { type: 'agent_seen_idle', agentId, by, ...(seen.interrupted ? { shows: 'interrupted' } : {}) };
  // While an agent is recorded as idle, Baton reads the agent's composer only to deliver the skill prompt. So the text
  // in this composer is the skill prompt, which Baton is about to submit.
  if (state === 'idle') return undefined;
  // The control API says that the agent is idle, and Baton trusts the API more than the screen.
  if (seen.kind !== 'draft') return { type: 'agent_seen_idle', agentId, by };
  return { type: 'agent_seen_idle', agentId, by, shows: holdsRef(seen.text) ? 'prompt_returned' : 'draft' };
}

/** Returns whether the control API says that the turn of this agent was interrupted. */
const wasInterrupted = ({ turnPromptId }: Agent, status: ReportedStatus | undefined): boolean =>
  status?.lastTurn?.outcome === 'interrupted' && status.lastTurn.id === turnPromptId;

/**
 * Returns whether the draft contains the reference of a prompt. Ignores whitespace, because the composer wraps lines
 * anywhere.
 */
const holdsRef = (draft: string): boolean => findRef(draft.replace(/\s+/g, '')) !== null;

/** Searches the transcript for the prompt of a run, because the prompt hook may be lost. */
async function findSubmittedPrompt(ports: Ports, run: Run, agent: Agent): Promise<readonly Fact[]> {
  const awaits = run.step === 'instructing' || run.step === 'delivering_prompt';
  return awaits && run.delivery !== null && !run.delivery.accepted
    ? lookInTranscript(ports, agent, run.delivery.ref)
    : [];
}

async function findSkillReceipt(ports: Ports, agent: Agent): Promise<readonly Fact[]> {
  const { priming } = agent;
  return priming.status === 'typing' && !priming.accepted ? lookInTranscript(ports, agent, priming.ref) : [];
}

async function lookInTranscript(ports: Ports, agent: Agent, ref: string): Promise<readonly Fact[]> {
  const transcript = ports.runtimes.get(agent.runtime)?.transcript;
  if (agent.transcriptPath === null || transcript === undefined) return [];
  const found = await transcript.holds(agent.transcriptPath, refLine(ref));
  return found ? [{ type: 'prompt_found_in_transcript', agentId: agent.id, ref }] : [];
}

/**
 * Finds a finished document even if the Stop hook is lost. The document counts as finished if it ends with its marker
 * and no longer changes, and if the agent is idle or looks idle.
 */
async function findDocument(ports: Ports, run: Run, stability: StabilityTracker): Promise<readonly Fact[]> {
  if (run.step !== 'awaiting_document' || run.document === null || isOver(run)) return [];
  const key = `document/${run.id}`;
  const evidence = await ports.files.readDocumentFacts(run.document.path, run.endToken);
  const rest = evidence?.markerFound ? await restWithDocument(ports, run.agentId) : undefined;
  if (evidence === undefined || rest === undefined) return stability.forget(key);
  const seen = `${evidence.fingerprint}/${rest.by}${rest.by === 'state' ? '' : `/${rest.lastSeenAt}`}`;
  const forMs = Math.max(STABLE_MS, REST_STABLE_MS[rest.by]);
  return stability.isStableSince(key, seen, ports.clock.monotonicMs(), forMs)
    ? [{ type: 'document_evidence_seen', runId: run.id }]
    : [];
}

/**
 * How many of the latest runs Baton searches for late documents. Baton searches a run until LATE_MS after the last
 * change of the run.
 */
const LATEST_RUNS = 20;
const LATE_MS = 24 * 3_600_000;

/**
 * Finds documents that agents finished only after their run had ended. Without this search, the work of these agents
 * would be lost.
 */
async function findLateDocuments(ports: Ports, stability: StabilityTracker): Promise<readonly Fact[]> {
  const late: Fact[] = [];
  for (const run of ports.store.read((tx) => tx.runs({ limit: LATEST_RUNS }))) {
    const recent = msBetween(run.updatedAt, ports.clock.now()) < LATE_MS;
    // A run that was canceled after its document was recorded needs no late document, because the handoff can continue
    // with the recorded one.
    const isAwaited = run.handoffId === null || (run.step === 'failed' && lacksRecord(run));
    // Baton had read this document before the failure, so the document is not late.
    const wasThere = run.failure?.code === COPY_NOT_KEPT;
    const waits = isOver(run) && recent && isAwaited && !run.lateDocument && !wasThere;
    if (!waits || run.document === null) continue;
    const key = `late/${run.id}`;
    const evidence = await ports.files.readDocumentFacts(run.document.path, run.endToken);
    if (!evidence?.markerFound) stability.forget(key);
    else if (stability.isStableSince(key, evidence.fingerprint, ports.clock.monotonicMs()))
      late.push({ type: 'late_document_seen', runId: run.id });
  }
  return late;
}

const MAX_SCREEN = 400;

async function screenText(ports: Ports, pane: Pane): Promise<string> {
  const screen = await ports.terminal.capture(pane);
  const text = (screen?.lines ?? [])
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' / ');
  // Redact before truncating, because a secret that has lost its beginning would not be recognized.
  return ports.secrets.redact(text).slice(-MAX_SCREEN);
}

interface StabilityTracker {
  /**
   * Returns true if the fingerprint of all observations with this key has stayed the same for at least `forMs`
   * milliseconds.
   */
  isStableSince(key: string, fingerprint: string, atMs: number, forMs?: number): boolean;
  forget(key: string): readonly never[];
}

function createStabilityTracker(): StabilityTracker {
  const first = new Map<string, { fingerprint: string; atMs: number }>();
  return {
    isStableSince: (key, fingerprint, atMs, forMs = STABLE_MS) => {
      const before = first.get(key);
      if (before?.fingerprint === fingerprint) return atMs - before.atMs >= forMs;
      first.set(key, { fingerprint, atMs });
      return false;
    },
    forget: (key) => {
      first.delete(key);
      return [];
    },
  };
}
