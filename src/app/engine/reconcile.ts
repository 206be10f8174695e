import {
  type Agent,
  agentProcess,
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
import { findRef, refLine } from '../../domain/handoffs/prompts/prompts.ts';
import { isOver, lacksRecord, type Run } from '../../domain/handoffs/run.ts';
import { msBetween } from '../../domain/instant.ts';
import { assessDiskRoom, roomInWords } from '../../domain/maintenance/disk-room.ts';
import { mayStand } from '../../domain/messages/sent-prompt.ts';
import { tendRestoring } from '../agents/restore-agents.ts';
import { findOverdueAnswers } from '../messages/abandoned-answers.ts';
import { findMessageReceipts } from '../messages/message-receipts.ts';
import { readQuestion } from '../messages/read-question.ts';
import { syncHandoffPackages } from '../packages/background/sync-handoff-packages.ts';
import { createPackageTender } from '../packages/background/tend-packages.ts';
import { layOutSkills } from '../personas/skill-at-start.ts';
import type { ClientStatus } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { ScreenState } from '../ports/terminal.ts';
import { syncAdoptedHooks } from '../sessions/sync-adopted-hooks.ts';
import { clientStatus, saysRest } from './client-status.ts';
import { findDeniedTool } from './denied-tool.ts';
import type { Health } from './health.ts';
import { observeExternalPanes, observePanes, removeDeadPanes } from './observe-panes.ts';
import { recordFact, retryPrimings } from './record-facts.ts';

/**
 * Observes panes, screens, transcripts and files, and records what it sees. Therefore a lost, duplicate or reordered
 * hook does not change the final state. Runs every few seconds, at start, and when tmux or the spool signals a change.
 */
export interface Reconciler {
  /** Reconciles once. Calls never overlap: a call during a reconcile runs another one right after it. */
  look(): Promise<void>;
}

/** An observation is accepted only if it is made twice, at least this many milliseconds apart. */
const STABLE_MS = 500;
/** If an agent has sent no hook for this long, its screen or transcript may correct its recorded state. */
const QUIET_MS = 5_000;
/**
 * The same limit while a run waits for the agent. A shorter time is not enough, because a client under load may draw
 * its work well after its hook has arrived.
 */
const AWAITED_QUIET_MS = 2_000;

export function createReconciler(ports: Ports, health: Health): Reconciler {
  const stability = createStabilityTracker();
  const tendPackages = createPackageTender(ports);
  let current: Promise<void> | undefined;
  let again = false;

  const loop = async (): Promise<void> => {
    do {
      again = false;
      await reconcileOnce(ports, health, stability, tendPackages);
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

async function reconcileOnce(
  ports: Ports,
  health: Health,
  stability: StabilityTracker,
  tendPackages: () => Promise<void>,
): Promise<void> {
  const { agents, runs } = ports.store.read((tx) => ({ agents: tx.liveAgents(), runs: tx.runsInFlight() }));
  const panes = await health.guard('check the panes', () => observePanes(ports, agents));
  const outside = await observeExternalPanes(ports, health, agents);
  const facts: Fact[] = [...(panes?.facts ?? []), ...outside.facts];
  const gone = new Set(facts.map((fact) => ('agentId' in fact ? fact.agentId : 0)));
  const here = agents.filter((agent) => !gone.has(agent.id));
  // If tmux could not list the panes, skip the agents, because each check would hang. Deadlines are still checked.
  if (panes !== undefined) {
    for (const agent of here.filter(({ id }) => !outside.unseen.has(id)))
      facts.push(
        ...((await health.guard('check the agents', () => observeAgent(ports, agent, runs, stability))) ?? []),
      );
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
  await health.guard('write the skill files of its agents', () => layOutSkills(ports, here));
  await health.guard('connect the hooks of adopted sessions', () => syncAdoptedHooks(ports));
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
          `${roomInWords(room)}. Free some space there; without it, Baton loses hooks of agents and its own records`,
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
  // If the store refused this write, the next write would fail for the same reason and would be reported twice.
  if (written) await health.guard('update the packages of its handoffs', () => syncHandoffPackages(ports));
  await health.guard('resume lost agents', () => tendRestoring(ports));
  await health.guard('check the packages', tendPackages);
}

async function recordObserved(ports: Ports, seen: readonly Agent[], facts: readonly Fact[]): Promise<true> {
  if (facts.length === 0 && !seen.some((agent) => agent.priming.status === 'typing')) return true;
  await ports.store.write((tx) => {
    for (const fact of facts) if (!isStale(tx, seen, fact)) recordFact(tx, ports, fact);
    retryPrimings(tx, ports);
  });
  return true;
}

/** An observation is stale if a hook of the agent arrived during the observation, because the hook is newer. */
function isStale(tx: Tx, seen: readonly Agent[], fact: Fact): boolean {
  if (!isObservation(fact)) return false;
  return tx.agentById(fact.agentId)?.lastSeenAt !== seen.find((agent) => agent.id === fact.agentId)?.lastSeenAt;
}

const isObservation = (fact: Fact): fact is Extract<Fact, { type: `agent_seen_${string}` | 'agent_composer_seen' }> =>
  fact.type.startsWith('agent_seen_') || fact.type === 'agent_composer_seen';

async function observeAgent(
  ports: Ports,
  agent: Agent,
  runs: readonly Run[],
  stability: StabilityTracker,
): Promise<readonly Fact[]> {
  const { pane, state } = agent;
  if (pane !== null && state !== 'starting' && !(await ports.ownsTerminal(agentProcess(pane)))) {
    return terminalTaken(ports, agent, stability);
  }
  stability.forget(terminalKey(agent));
  if (isWithoutTerminal(agent)) return [{ type: 'terminal_returned', agentId: agent.id }];
  const awaited = agent.priming.status === 'typing' || runs.some((run) => watchedAgentId(run) === agent.id);
  return [
    ...(await observeScreen(ports, agent, awaited, stability)),
    ...(await findSkillReceipt(ports, agent)),
    ...(await findContextUse(ports, agent)),
    ...(await findMessageReceipts(ports, agent)),
    ...findOverdueAnswers(ports, agent),
    ...findOverdueStart(ports, agent),
    ...findOverdueSkill(ports, agent, runs, stability),
  ];
}

/** Reads the context use of an adopted agent from its transcript, because its client has no Baton status line. */
async function findContextUse(
  ports: Ports,
  { id: agentId, adoption, transcriptPath, runtime, context }: Agent,
): Promise<readonly Fact[]> {
  if (adoption !== 'adopted' || transcriptPath === null) return [];
  const use = await ports.runtimes.get(runtime)?.contextInTranscript?.(transcriptPath);
  // Report only changes: each report counts as activity, so an agent with repeated reports would never become idle.
  const isKnown = use?.usedTokens === context?.usedTokens && use?.windowTokens === context?.windowTokens;
  return use === undefined || isKnown ? [] : [{ type: 'context_measured', agentId, ...use }];
}

/** Finds an agent whose session does not begin in time. Outside a run, no step has a deadline for this. */
function findOverdueStart(ports: Ports, agent: Agent): readonly Fact[] {
  const late = msBetween(agent.startedAt, ports.clock.now()) > ports.settings.deadlines.awaiting_registration;
  const detail = `was started, but its session has not begun; look at its terminal: baton agent attach ${agent.id}`;
  if (agent.state !== 'starting' || !late || agent.stateCause === 'start_overdue') return [];
  return [{ type: 'agent_start_overdue', agentId: agent.id, detail }];
}

/**
 * Finds a skill prompt that was typed but not accepted in time, for example because a hook of the user blocked it.
 * Outside a run there is no step with a deadline that would detect this.
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
          detail: `it was typed, but the agent did not accept it; look at its terminal: baton agent attach ${agentId}`,
        },
      ]
    : [];
}

const terminalKey = (agent: Agent): string => `terminal/${agent.id}`;

/** Reports that another program has the terminal, if this is seen twice; a tool may use it for a moment. */
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
  return [...seen, ...(await findDocument(ports, run, agent, stability))];
}

/** Returns the screen text for the message about a missed deadline; undefined before the deadline. */
async function lastWords(ports: Ports, run: Run, agent: Agent): Promise<string | undefined> {
  const late = run.deadlineAt !== null && ports.clock.now() >= run.deadlineAt;
  return late && agent.pane !== null ? screenText(ports, agent.pane) : undefined;
}

/**
 * Detects changes for which the client fires no hook: the user interrupts a turn, a queued prompt begins after the Stop
 * of the turn before, or the client asks something before its session has started. The screen proves work and
 * questions, but a screen without a sign of work does not prove that the agent is idle (`restEvidence`).
 */
async function observeScreen(
  ports: Ports,
  agent: Agent,
  awaited: boolean,
  stability: StabilityTracker,
): Promise<readonly Fact[]> {
  const key = `screen/${agent.id}`;
  const screen = agent.pane === null ? undefined : await ports.terminal.capture(agent.pane);
  const seen = screen === undefined ? undefined : ports.runtimes.get(agent.runtime)?.readScreen(screen);
  if (screen === undefined || seen === undefined) return stability.forget(key);
  const status = await clientStatus(ports, agent);
  const quiet = isSilent(ports, agent, awaited ? AWAITED_QUIET_MS : QUIET_MS, stability);
  const rest = await restEvidence(ports, agent, seen, { status, quiet });
  const asked = readQuestion(ports, agent.runtime, screen);
  const news = whatIsNew(agent, seen, { status, quiet, rest, asked });
  const obstacle = awaited ? obstacleOf(ports, agent, seen) : agent.obstacle && null;
  const atMs = ports.clock.monotonicMs();
  const facts: Fact[] = [];
  // Require that no hook has arrived between both observations: a turn that just began may not be drawn yet.
  if (news === undefined) stability.forget(key);
  else if (stability.isStableSince(key, `${news.type}/${asked?.id}/${agent.lastSeenAt}`, atMs)) facts.push(news);
  if (obstacle === undefined || obstacle?.kind === agent.obstacle?.kind) stability.forget(`composer/${agent.id}`);
  else if (stability.isStableSince(`composer/${agent.id}`, `${obstacle?.kind}`, atMs))
    facts.push({ type: 'agent_composer_seen', agentId: agent.id, obstacle });
  return facts;
}

const MAX_SHOWN = 200;

/**
 * Returns what is in the way in the composer, null if the composer is free, and undefined if this screen does not show
 * it. Called only while Baton waits for the composer; at other times a draft is no obstacle.
 */
function obstacleOf(ports: Ports, agent: Agent, seen: ScreenState): ComposerObstacle | null | undefined {
  if (seen.kind === 'ready' || (seen.kind === 'draft' && isOurs(ports, agent, seen.text))) return null;
  return seen.kind === 'draft' || seen.kind === 'view'
    ? { kind: seen.kind, shows: seen.text.slice(0, MAX_SHOWN) }
    : undefined;
}

/**
 * Is the draft a prompt that Baton pasted before a crash? Such a draft is no obstacle, because the next attempt presses
 * Enter on it. A prompt that has already arrived is not ours: the operator has recalled it.
 */
function isOurs(ports: Ports, { id: agentId, runtime }: Agent, draft: string): boolean {
  const reader = ports.runtimes.get(runtime);
  const texts = ports.store.read((tx) => tx.promptTextsOf({ agentId }));
  return reader !== undefined && texts.some((each) => mayStand(each) && reader.isOurDraft(draft, each.text));
}

/**
 * Returns the evidence that the agent is idle, if there is any: the client's own status or, if the client has none,
 * that its last hook was a Stop, or that its transcript ends with an interrupted turn.
 */
async function restEvidence(
  ports: Ports,
  agent: Agent,
  seen: ScreenState,
  { status, quiet }: { readonly status: ClientStatus | undefined; readonly quiet: boolean },
): Promise<RestEvidence | undefined> {
  if (status !== undefined) return saysRest(status) ? 'status' : undefined;
  if (hasRested(agent)) return 'hooks';
  // The end of the transcript may still belong to the previous turn, until the prompt of this turn is written.
  const isOfThisTurn = quiet || (seen.kind === 'ready' && seen.interrupted === true);
  const transcript = ports.runtimes.get(agent.runtime)?.transcript;
  if (!isOfThisTurn || agent.transcriptPath === null || transcript === undefined) return undefined;
  return (await transcript.endsInterrupted(agent.transcriptPath)) ? 'transcript' : undefined;
}

/**
 * Has the agent sent no hook for this long? Checks also the monotonic time, because after the wall clock was set back,
 * `lastSeenAt` is in the future.
 */
function isSilent({ clock }: Ports, agent: Agent, forMs: number, stability: StabilityTracker): boolean {
  const unheard = stability.isStableSince(`heard/${agent.id}`, agent.lastSeenAt, clock.monotonicMs(), forMs);
  return unheard || msBetween(agent.lastSeenAt, clock.now()) > forMs;
}

interface Looked {
  readonly status: ClientStatus | undefined;
  readonly rest: RestEvidence | undefined;
  readonly quiet: boolean;
  readonly asked: Question | undefined;
}

function whatIsNew(agent: Agent, seen: ScreenState, { status, rest, quiet, asked }: Looked): Fact | undefined {
  const { id: agentId, state, priming } = agent;
  if (seen.kind === 'dialog') {
    // A hook reports that the agent asks, but only the screen shows the question and its options. If the agent is idle,
    // the dialog is a menu that the operator opened.
    if (seen.isMenu && hasRested(agent))
      return isInMenu(agent) ? undefined : { type: 'agent_seen_asking', agentId, question: seen.text, isMenu: true };
    const isKnown = asked === undefined || asked.id === agent.question?.id;
    if (state === 'awaiting_input' && isKnown && !isInMenu(agent)) return undefined;
    return { type: 'agent_seen_asking', agentId, question: seen.text, ...(asked === undefined ? {} : { asked }) };
  }
  if (state === 'starting') return undefined;
  // Check this also after a question: answering fires no hook, and a run waits as long as the agent seems to ask.
  if (seen.kind === 'busy' || status?.status === 'busy') return seenWorking(agent, seen);
  // A screen that cannot be parsed may show work, so the agent is not idle.
  if (seen.kind === 'unknown')
    return quiet && state !== 'unknown' ? { type: 'agent_seen_unknown', agentId, line: seen.text } : undefined;
  if (seen.kind !== 'ready' && seen.kind !== 'draft') return undefined;
  // If the Stop of the skill prompt arrived before its receipt, the agent is idle, but still being primed.
  if (state === 'idle' && priming.status !== 'typing') return undefined;
  if (rest !== undefined) return seenIdle(agent, seen, rest, quiet);
  const isDoubtful = quiet && status === undefined && state !== 'unknown';
  return isDoubtful ? { type: 'agent_seen_unknown', agentId, line: null } : undefined;
}

function seenWorking({ id: agentId, state, stateReason }: Agent, seen: ScreenState): Fact | undefined {
  const doing = seen.kind === 'busy' ? seen.doing : undefined;
  // The state reason contains the client's own text about its work, so the same text is no change.
  if (state === 'working' && (doing === undefined || doing === stateReason)) return undefined;
  if (doing !== undefined) return { type: 'agent_seen_working', agentId, doing };
  return { type: 'agent_seen_working', agentId, ...(seen.kind === 'busy' ? {} : { by: 'status' }) };
}

function seenIdle(agent: Agent, seen: ScreenState, by: RestEvidence, quiet: boolean): Fact | undefined {
  const { id: agentId, state } = agent;
  // Wait until no hooks arrive, because a client under load draws its work well after its hook has arrived.
  if (by === 'hooks' && !quiet) return undefined;
  if (seen.kind === 'ready')
    return { type: 'agent_seen_idle', agentId, by, ...(seen.interrupted ? { shows: 'interrupted' } : {}) };
  // If the agent is idle while it is being primed, the draft is our own prompt, which is about to be submitted.
  if (seen.kind !== 'draft' || state === 'idle') return undefined;
  return { type: 'agent_seen_idle', agentId, by, shows: holdsRef(seen.text) ? 'prompt_returned' : 'draft' };
}

/** Does the draft contain the reference of a prompt? Ignores whitespace, because the composer wraps lines anywhere. */
const holdsRef = (draft: string): boolean => findRef(draft.replace(/\s+/g, '')) !== null;

/** Looks for the prompt of a run in the transcript, because the prompt hook may be lost. */
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
 * Detects a finished document even if the Stop hook is lost. The evidence is that the document ends with its marker and
 * no longer changes, and that the agent is idle.
 */
async function findDocument(
  ports: Ports,
  run: Run,
  agent: Agent | undefined,
  stability: StabilityTracker,
): Promise<readonly Fact[]> {
  if (run.step !== 'awaiting_document' || run.document === null || isOver(run)) return [];
  const key = `document/${run.id}`;
  const atRest = agent === undefined || !isLive(agent) || agent.state === 'idle';
  const evidence = atRest ? await ports.files.readDocumentFacts(run.document.path, run.endToken) : undefined;
  if (!evidence?.markerFound) return stability.forget(key);
  return stability.isStableSince(key, evidence.fingerprint, ports.clock.monotonicMs())
    ? [{ type: 'document_evidence_seen', runId: run.id }]
    : [];
}

/** Only this many of the latest runs are checked for a late document, and only this long after their end. */
const LATEST_RUNS = 20;
const LATE_MS = 24 * 3_600_000;

/** Finds documents that were finished after their run had ended, so that the work of the agent is not lost. */
async function findLateDocuments(ports: Ports, stability: StabilityTracker): Promise<readonly Fact[]> {
  const late: Fact[] = [];
  for (const run of ports.store.read((tx) => tx.runs({ limit: LATEST_RUNS }))) {
    const recent = msBetween(run.updatedAt, ports.clock.now()) < LATE_MS;
    // After a cancelled run, the handoff continues with the recorded document, so a late document is not needed.
    const isAwaited = run.handoffId === null || (run.step === 'failed' && lacksRecord(run));
    const waits = isOver(run) && recent && isAwaited && !run.lateDocument;
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
  // Redact before truncating, because a secret whose beginning is cut off would not be recognized.
  return ports.secrets.redact(text).slice(-MAX_SCREEN);
}

interface StabilityTracker {
  /** Returns true if the same fingerprint has been seen for `forMs` without a change. */
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
