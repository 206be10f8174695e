import type { Effect } from '../effects.ts';
import type { AgentFact, FactOf, Notice, RestEvidence, RestShown } from '../facts.ts';
import { isAutoFact } from '../handoffs/policy/track-auto.ts';
import type { Instant } from '../instant.ts';
import { trackLimit } from '../limits/track-limit.ts';
import { trackFirstPrompt } from '../messages/first-prompt.ts';
import { tellAbandoned, trackMessages } from '../messages/track-messages.ts';
import {
  type Agent,
  type AgentState,
  type BackgroundTask,
  type ComposerObstacle,
  type EarlyEnd,
  hasRested,
  isInMenu,
  isLive,
  isWithoutTerminal,
  LAUNCH_UNKNOWN,
  type Pane,
  type StateCause,
  shortUuid,
} from './agent.ts';
import { primeAgent } from './priming.ts';
import type { Question } from './question.ts';
import { trackAnswers } from './track-answers.ts';

export interface AgentStep {
  readonly agent: Agent;
  readonly effects: readonly Effect[];
  readonly notices: readonly Notice[];
}

/**
 * The text of `stateReason` for each kind of evidence that the agent is idle. A fact that an older version of Baton
 * recorded names no evidence.
 */
const REST_BY: Record<RestEvidence, string> = {
  api: 'its client reports through its API that it is idle',
  status: 'its client reports that it is idle',
  transcript: 'its turn was interrupted',
  hooks: 'finished its turn',
};

const EMPTY_COMPOSER = 'its screen shows an empty composer and no work';
const REST: Record<RestShown, string> = {
  interrupted: 'its turn was interrupted',
  prompt_returned: 'its composer contains an unsent prompt from Baton',
  draft: 'its screen shows unsent text and no work',
};

const MENU_OPEN = 'a menu is open in its terminal';

/**
 * Returns how the turn was interrupted. Returns null if it was not interrupted. The transcript is evidence of an idle
 * agent only if it shows that the turn was interrupted or that a hook blocked the prompt. Both count as interrupted.
 */
function interruptionIn({ shows, by }: FactOf<'agent_seen_idle'>): StateCause | null {
  if (shows === undefined) return by === 'transcript' ? 'interrupted' : null;
  return shows === 'draft' ? null : shows;
}

/**
 * Returns how the agent's last turn was interrupted. Returns undefined if the agent is not idle, or is idle for another
 * reason.
 */
export const restShown = ({ state, stateCause }: Agent): RestShown | undefined =>
  state === 'idle' && (stateCause === 'interrupted' || stateCause === 'prompt_returned') ? stateCause : undefined;

/**
 * Applies one fact to one agent. An agent with a known pane stays ended once its process has ended, whatever is
 * reported later.
 */
export function applyFact(before: Agent, fact: AgentFact, now: Instant): AgentStep {
  const observed = observe(before, fact, now);
  const primed = primeAgent(observed, fact, now);
  const messages = trackMessages(before, fact, now);
  const answers = trackAnswers(before, fact, now);
  const question = questionAfter(before, primed.agent, fact);
  const after = primed.agent;
  const known = {
    ...after,
    messages,
    answers,
    question,
    tool: toolInUse(after, fact),
    rested: restedAfter(before, after, fact),
    earlyEnd: earlyEndAfter(before, fact),
    obstacle: obstacleAfter(after, fact),
  };
  const { firstPrompt, effects, notices: warnings } = trackFirstPrompt(known, fact, now);
  const prompted = firstPrompt === null ? known : { ...known, firstPrompt };
  const { agent, effects: limited } = trackLimit(before, prompted, fact, now);
  const notices: Notice[] = [...primed.notices, ...tell(before, fact), ...tellVerdicts(before, agent), ...warnings];
  notices.push(...tellAnswers(before, agent));
  if (before.state !== agent.state) {
    notices.push({ type: 'agent_state_changed', from: before.state, to: agent.state, reason: agent.stateReason });
  }
  return { agent, effects: [...primed.effects, ...giveBack(before, agent), ...effects, ...limited], notices };
}

/**
 * Requests the removal of Baton's tag and hooks from the operator's pane when an adopted agent ends. The removal is
 * needed because the pane stays open.
 */
const giveBack = ({ id, pane, state }: Agent, after: Agent): readonly Effect[] =>
  pane?.outside !== undefined && isLive({ state }) && !isLive(after)
    ? [{ kind: 'release_agent', agentId: id, pane }]
    : [];

/**
 * Returns warnings about failures that neither a run nor the answer to a request reports. Without these warnings, the
 * operator would not learn of the failures.
 */
function tell(agent: Agent, fact: AgentFact): readonly Notice[] {
  if (fact.type === 'agent_interrupted' && fact.refusal !== null)
    return [{ type: 'agent_warning', sentence: `Agent ${agent.id} was not interrupted: ${fact.refusal}` }];
  if (fact.type === 'agent_start_overdue')
    return [{ type: 'agent_warning', sentence: `Agent ${agent.id} ${fact.detail}` }];
  if (fact.type === 'message_overdue' && fact.senderGone) return tellAbandoned(agent, fact.ref);
  // If a run requested the exit, no warning is needed: the run repeats an exit command that was refused, and fails with
  // its own message when it gives up.
  if (fact.type !== 'prompt_typed' || fact.purpose !== 'exit' || fact.outcome.verdict !== 'refused') return [];
  if (fact.ofRun !== undefined) return [];
  const sentence = `Agent ${agent.id} was not asked to exit: ${fact.outcome.detail}`;
  return [{ type: 'agent_warning', sentence, until: 'ended' }];
}

/**
 * Logs the verdict of each message whose verdict has changed. For example, the verdict `unconfirmed` may later become
 * `accepted`.
 */
const tellVerdicts = (before: Agent, { messages }: Agent): readonly Notice[] =>
  messages.flatMap(({ ref, verdict }) => {
    const told = before.messages.find((message) => message.ref === ref)?.verdict ?? null;
    return verdict === null || verdict === told ? [] : [{ type: 'message_verdict', ref, ...verdict }];
  });

const tellAnswers = (before: Agent, { answers }: Agent): readonly Notice[] =>
  answers.flatMap(({ ref, verdict }) => {
    const told = before.answers.find((answer) => answer.ref === ref)?.verdict ?? null;
    return verdict === null || verdict === told ? [] : [{ type: 'answer_verdict', ref, ...verdict }];
  });

/**
 * Returns the agent's open question after a fact; null if the agent asks nothing. Only a reading of the screen sets the
 * question; a hook leaves the question unchanged.
 */
function questionAfter(before: Agent, { state }: Agent, fact: AgentFact): Question | null {
  if (state !== 'awaiting_input') return null;
  return fact.type === 'agent_seen_asking' ? (fact.asked ?? null) : before.question;
}

/**
 * Returns whether the agent is known to be idle after a fact. A fact about a dialog, an unreadable screen or another
 * program in the terminal does not show whether the turn has ended, so the earlier result stays.
 */
function restedAfter(before: Agent, { state }: Agent, fact: AgentFact): boolean {
  switch (fact.type) {
    case 'prompt_submitted':
    case 'tool_used':
    case 'input_requested':
    case 'agent_seen_working':
    case 'compaction_started':
    case 'turn_ended':
    case 'agent_adopted':
      return state === 'idle';
    default:
      return state === 'idle' || (isLive({ state }) && hasRested(before));
  }
}

/**
 * Returns the end of a turn whose prompt has not been reported yet; null if there is none. A turn whose prompt is
 * already known does not count.
 */
function earlyEndAfter({ turnPromptId, lastTurnId, earlyEnd = null }: Agent, fact: AgentFact): EarlyEnd | null {
  if (fact.type === 'prompt_submitted') return null;
  if (fact.type !== 'turn_ended' && fact.type !== 'turn_failed') return earlyEnd;
  const { agentId: _, promptId, ...end } = fact;
  const isKnown = promptId === null || turnPromptId !== null || promptId === lastTurnId;
  return isKnown ? earlyEnd : { ...end, promptId };
}

/**
 * Returns the stored end of the turn whose prompt is reported now. Some clients report the end of a turn only once, and
 * sometimes before the prompt. Without this function, the agent would then count as working forever. The function
 * applies only to prompts from Baton.
 */
export function endReportedBefore({ earlyEnd }: Agent, fact: AgentFact): AgentFact | undefined {
  if (fact.type !== 'prompt_submitted' || fact.ref === null || fact.promptId === null) return undefined;
  return earlyEnd?.promptId === fact.promptId ? { ...earlyEnd, agentId: fact.agentId } : undefined;
}

/**
 * Returns the obstacle in the composer after a fact. A prompt, a new session and the agent's end clear the obstacle.
 */
function obstacleAfter({ state, obstacle = null }: Agent, fact: AgentFact): ComposerObstacle | null {
  if (fact.type === 'agent_composer_seen') return fact.obstacle;
  const isOver = fact.type === 'prompt_submitted' || fact.type === 'session_started' || !isLive({ state });
  return isOver ? null : obstacle;
}

function observe(agent: Agent, fact: AgentFact, now: Instant): Agent {
  if (fact.type === 'session_started') return sessionStarted(agent, fact, now);
  if (fact.type === 'agent_launched') return { ...launched(agent, fact.pane), bootId: fact.bootId ?? null };
  if (fact.type === 'agent_released') return released(agent, now);
  // Facts about Baton's own actions do not show that the agent is alive, so they leave lastSeenAt unchanged.
  if (fact.type === 'message_begun' || fact.type === 'message_overdue') return agent;
  if (fact.type === 'answer_begun' || fact.type === 'answer_overdue') return agent;
  if (fact.type === 'first_prompt_refused') return agent;
  if (fact.type === 'restore_wanted') return { ...agent, restore: { status: 'wanted', since: now } };
  if (fact.type === 'restore_failed') return { ...agent, restore: { status: 'failed', detail: fact.detail } };
  if (fact.type === 'restore_closed') return { ...agent, restore: { status: 'closed', detail: fact.detail } };
  if (fact.type === 'session_ended' && !isLive(agent)) return sayingGoodbye(agent, fact.reason);
  if (!isLive(agent)) return agent;
  if (fact.type === 'persona_given') return { ...agent, personaId: agent.personaId ?? fact.personaId };
  if (fact.type === 'limit_wait_chosen') return agent;
  if (fact.type === 'handoff_policy_set') return { ...agent, policy: fact.policy };
  if (isAutoFact(fact)) return agent;
  if (fact.type === 'agent_muted') return { ...agent, muted: fact.muted ? { until: fact.until } : null };
  if (fact.type === 'persona_changed') return changedPersona(agent, fact.personaId, now);
  const seen = { ...agent, lastSeenAt: now };
  switch (fact.type) {
    case 'agent_launch_failed':
      if (fact.isUnknown) return into(agent, agent.state, LAUNCH_UNKNOWN, 'launch_unknown');
      return { ...into(agent, 'ended', `could not be started: ${fact.detail}`, 'launch_failed'), endedAt: now };
    case 'agent_adopted':
      return adopted(seen, fact, now);
    case 'agent_adoption_failed':
      return { ...into(agent, 'ended', `was not adopted: ${fact.detail}`), endedAt: now };
    case 'prompt_submitted':
      return {
        ...into(seen, 'working', fact.ref === null ? 'works on a prompt' : 'works on a prompt from Baton'),
        turnPromptId: fact.promptId,
        lastTurnId: fact.promptId,
        // A prompt that the user submits during a turn gets the id of that turn. The client queues the prompt, at most
        // until the turn ends. No hook reports when a queued prompt begins.
        queued: fact.promptId !== null && fact.promptId === agent.turnPromptId,
        compactsAtRest: false,
        isLeaving: false,
        lastPrompt: fact.ref === null ? fact.excerpt : agent.lastPrompt,
        ...(agent.cutOff ? { cutOff: null } : {}),
      };
    case 'tool_used':
      // The model gets a queued prompt together with the result of a tool. So once the tool has ended, the prompt is no
      // longer queued.
      return { ...into(seen, 'working', `uses ${fact.tool}`), queued: fact.phase === 'began' && agent.queued === true };
    case 'input_requested':
      return into(seen, 'awaiting_input', fact.question);
    case 'turn_ended':
      return isOfAnotherTurn(agent, fact.promptId) ? seen : turnEnded(seen, fact);
    case 'turn_failed':
      if (isOfAnotherTurn(agent, fact.promptId)) return seen;
      return atRest(seen, `its turn failed: ${fact.error}`, 'turn_failed');
    case 'agent_said_idle':
      return isAboutThisTurn(agent, fact.promptId) ? atRest(seen, 'reports that it waits for a prompt') : seen;
    case 'agent_seen_ready':
      if (agent.registeredAt !== null) return seen;
      return atRest({ ...seen, registeredAt: now }, 'is ready; its session begins with its first prompt');
    case 'agent_seen_idle':
      return atRest(
        seen,
        fact.shows ? REST[fact.shows] : fact.by ? REST_BY[fact.by] : EMPTY_COMPOSER,
        interruptionIn(fact),
      );
    case 'agent_seen_working':
      return into(seen, 'working', fact.doing ?? SEEN_WORKING[fact.by ?? 'screen']);
    case 'agent_seen_unknown':
      return into(agent, 'unknown', whyUnknown(fact.line));
    case 'agent_composer_seen':
      return agent;
    case 'agent_seen_asking':
      // Keep the text of the question if a hook has already reported it, because the hook's text is better than the
      // text read from the screen.
      if (fact.isMenu) return into(seen, 'awaiting_input', `${MENU_OPEN}: ${fact.question}`, 'menu_open');
      if (agent.state === 'awaiting_input' && !isWithoutTerminal(agent) && !isInMenu(agent)) return seen;
      return into(seen, 'awaiting_input', `its screen shows a question: ${fact.question}`);
    case 'answer_given':
      return isAnswered(agent, fact) ? into(seen, 'working', 'continues after an answer') : agent;
    case 'compaction_started':
      return hasRested(agent)
        ? { ...into(seen, 'working', 'compacts its context'), compactsAtRest: true }
        : into(seen, agent.state, 'compacts its context');
    case 'compaction_ended':
      return agent.compactsAtRest ? atRest(seen, 'finished compacting its context') : seen;
    case 'permission_mode_seen':
      return { ...seen, permissionMode: fact.mode };
    case 'context_measured':
      return { ...seen, context: { ...measured(fact), measuredAt: now } };
    case 'session_ended':
      return fact.reason === 'clear'
        ? seen
        : {
            ...into(sayingGoodbye(seen, fact.reason), agent.state, `its session ended (${fact.reason})`),
            ...(BY_REQUEST.has(fact.reason) ? {} : cutOffAt(agent, now)),
          };
    case 'agent_start_overdue':
      return into(agent, agent.state, fact.detail, 'start_overdue');
    case 'terminal_taken':
      return into(agent, 'awaiting_input', 'another program has its terminal', 'terminal_taken');
    case 'terminal_returned':
      if (!isWithoutTerminal(agent)) return agent;
      return into(agent, hasRested(agent) ? 'idle' : 'working', 'has its terminal again');
    case 'agent_process_gone':
      return { ...into(agent, 'ended', fact.detail), endedAt: now, turnPromptId: null, ...cutOffAt(agent, now) };
    case 'agent_pane_lost':
      return { ...into(agent, 'lost', fact.detail), turnPromptId: null, ...cutOffAt(agent, now) };
    default:
      return seen;
  }
}

/**
 * If the agent's process ended or its pane was lost while the agent worked or asked a question, records what the agent
 * was doing. Skips an agent that was asked to exit.
 */
function cutOffAt(agent: Agent, at: Instant): Pick<Agent, 'cutOff'> {
  const { state, stateReason, isLeaving, cutOff, lastPrompt } = agent;
  const isBusy = state === 'working' || state === 'awaiting_input';
  if (!isBusy || isLeaving === true || cutOff) return {};
  const doing =
    state === 'working'
      ? `${stateReason}${lastPrompt ? `, for the prompt "${excerptOf(lastPrompt)}"` : ''}`
      : stateReason.replace(/^asks /, '');
  return { cutOff: { state, doing, at } };
}

const MAX_PROMPT = 80;
const excerptOf = (prompt: string): string =>
  prompt.length <= MAX_PROMPT ? prompt : `${prompt.slice(0, MAX_PROMPT - 1)}…`;

/**
 * The reasons that a client reports when the operator quits the client. A killed client reports another reason or none.
 */
const BY_REQUEST: ReadonlySet<string> = new Set(['prompt_input_exit', 'logout']);

const sayingGoodbye = (agent: Agent, reason: string): Agent =>
  BY_REQUEST.has(reason) ? { ...agent, isLeaving: true } : agent;

/**
 * Returns the tool that the agent uses now. If a turn is interrupted, no hook reports that its tool has ended.
 * Therefore the next prompt or an idle state also clears the tool.
 */
function toolInUse({ tool = null, state }: Agent, fact: AgentFact): string | null {
  if (fact.type === 'tool_used' && fact.phase === 'began') return fact.tool;
  if (fact.type === 'tool_used' && fact.tool === tool) return null;
  const mayGoOn = state === 'working' || state === 'awaiting_input' || state === 'unknown';
  return mayGoOn && fact.type !== 'prompt_submitted' ? tool : null;
}

/** Returns the activity shown to people: the tool in use or, if there is none, the last prompt. */
export const activityOf = ({ state, tool, lastPrompt }: Agent): string | null =>
  state === 'working' && tool ? tool : lastPrompt;

/**
 * Applies the adoption of an external session. The session began before Baton knew of it. So Baton does not wait for a
 * report that the session has started, and the agent counts as registered at once.
 */
function adopted(
  agent: Agent,
  { pane, isWorking }: Extract<AgentFact, { type: 'agent_adopted' }>,
  now: Instant,
): Agent {
  const known = { ...agent, pane, registeredAt: agent.registeredAt ?? now };
  if (isWorking === null) return into(known, 'unknown', 'was adopted; Baton cannot tell yet whether it is idle');
  return isWorking ? into(known, 'working', 'was adopted while working') : into(known, 'idle', 'was adopted');
}

/**
 * Releases the agent. Removes the pane from the agent, so that no pending effect can type into the pane. Sets
 * `isLeaving`, so that Baton sends no notification of the agent's end.
 */
function released(agent: Agent, now: Instant): Agent {
  const free: Agent = { ...agent, adoption: 'released', pane: null, turnPromptId: null, isLeaving: true };
  return isLive(agent) ? { ...into(free, 'ended', RELEASED), endedAt: now } : free;
}

const RELEASED = 'was released and continues without Baton';

/**
 * Changes the agent's persona. The earlier personas stay in `wore`, because the agent still belongs to the history of
 * each of them.
 */
function changedPersona(agent: Agent, personaId: number, until: Instant): Agent {
  const { personaId: before, wore = [] } = agent;
  return { ...agent, personaId, wore: before === null ? wore : [...wore, { personaId: before, until }] };
}

/**
 * Stores the pane of a started agent. If the agent's session began before Baton found the pane, the agent becomes idle
 * now.
 */
function launched(agent: Agent, pane: Pane): Agent {
  if (agent.stateCause !== 'launch_unknown') return { ...agent, pane };
  const found = into({ ...agent, pane }, agent.state, 'is being started');
  return agent.registeredAt === null ? found : into(found, 'idle', 'its session started before its pane was found');
}

/**
 * Returns whether an answer belongs to the current question. Compares question ids, because the agent's next question
 * may be recorded before the result of the answer.
 */
const isAnswered = (
  { answers, question }: Agent,
  { ref, outcome }: Extract<AgentFact, { type: 'answer_given' }>,
): boolean =>
  outcome.verdict === 'typed' &&
  question !== null &&
  answers.some((answer) => answer.ref === ref && answer.questionId === question.id);

/**
 * True if the report is about another turn than the agent's current one. A late or repeated report about an earlier
 * turn must not end the current turn.
 */
const isOfAnotherTurn = ({ turnPromptId }: Agent, promptId: string | null): boolean =>
  promptId !== null && turnPromptId !== null && promptId !== turnPromptId;

function sessionStarted(agent: Agent, fact: Extract<AgentFact, { type: 'session_started' }>, now: Instant): Agent {
  const begun = {
    ...agent,
    runtimeSessionId: fact.runtimeSessionId,
    clientPid: isFirst(agent, fact) || !isLive(agent) ? (fact.clientPid ?? null) : agent.clientPid,
    transcriptPath: fact.transcriptPath ?? agent.transcriptPath,
    registeredAt: agent.registeredAt ?? now,
  };
  // Baton read this hook after the agent's process had ended. Store the session, because `baton agent resume` needs it,
  // but leave the agent `ended`.
  if (agent.state === 'ended' && agent.pane !== null) return begun;
  const known = { ...begun, lastSeenAt: now, isLeaving: false };
  // The start of the agent was recorded as failed, but now its session has begun. Whether the agent is live is unknown
  // until Baton finds its pane.
  if (agent.state === 'ended') return { ...into(known, 'starting', LAUNCH_UNKNOWN, 'launch_unknown'), endedAt: null };
  // A compaction restarts the session in the middle of a turn, and the turn continues.
  if (fact.source === 'compact') return agent.compactsAtRest ? atRest(known, 'finished compacting its context') : known;
  if (agent.pane === null && agent.stateCause === 'launch_unknown') return known;
  // Some clients begin a session only with its first prompt. When the start of the session is reported, the turn of
  // that prompt may already be running. So this report does not make the agent idle.
  if (fact.source === 'startup' && agent.registeredAt !== null && isFirst(agent, fact)) return known;
  return { ...atRest(known, `its session started (${fact.source})`), background: [], endedAt: null };
}

/**
 * True if a hook reports the agent's own session for the first time. The session itself may already be known from the
 * control API or from its first prompt.
 */
const isFirst = (agent: Agent, { runtimeSessionId }: FactOf<'session_started'>): boolean =>
  agent.registeredAt === null ||
  agent.runtimeSessionId === null ||
  (agent.runtimeSessionId === runtimeSessionId && agent.clientPid === null);

/** Sets the state, its reason and its cause together, so that no old cause remains after a change of state. */
const into = (agent: Agent, state: AgentState, stateReason: string, stateCause: StateCause | null = null): Agent => ({
  ...agent,
  state,
  stateReason,
  stateCause,
});

const atRest = (agent: Agent, why: string, cause: StateCause | null = null): Agent => ({
  ...into(agent, 'idle', why, cause),
  turnPromptId: null,
  queued: false,
  compactsAtRest: false,
});

/**
 * Ends the turn. The agent stays `working` while subagents run or a prompt is queued. A background shell does not keep
 * the agent `working`, because a shell may be a server that never ends.
 */
function turnEnded(agent: Agent, fact: Extract<AgentFact, { type: 'turn_ended' }>): Agent {
  const known = { ...agent, background: fact.background ?? [] };
  const subagents = subagentsLeft(fact);
  if (subagents > 0) return into(known, 'working', `finished its turn, but ${stillRun(subagents, 'background task')}`);
  if (agent.queued)
    return {
      ...into(known, 'working', 'starts with the prompt that was queued during its turn'),
      turnPromptId: null,
      queued: false,
    };
  const shells = known.background.length;
  return atRest(
    known,
    shells === 0 ? 'finished its turn' : `finished its turn; ${stillRun(shells, 'background shell')}`,
  );
}

const stillRun = (number: number, what: string): string =>
  number === 1 ? `1 ${what} still runs` : `${number} ${what}s still run`;

/**
 * Returns how many background tasks must end before the agent counts as idle. Background shells do not count. If the
 * client does not say what kind its tasks are, all of them count, because each may be a subagent.
 */
export const subagentsLeft = ({
  background,
  backgroundTasks,
}: {
  readonly background?: readonly BackgroundTask[];
  readonly backgroundTasks: number;
}): number => (background === undefined ? backgroundTasks : background.filter(({ kind }) => kind !== 'shell').length);

const SEEN_WORKING = {
  api: 'its client reports through its API that it is working',
  status: 'its client reports that it is working',
  screen: 'its screen shows that it is working',
};

const whyUnknown = (line: string | null): string =>
  line === null
    ? 'its screen shows an empty composer, but no hook has reported the end of its turn'
    : `its screen shows a line that Baton does not recognize: ${line}`;

/**
 * Returns whether a report that the agent is idle concerns the current turn. A late report about an earlier turn must
 * not end the running turn. If the state is `unknown`, a report that names no turn also counts.
 */
const isAboutThisTurn = ({ state, turnPromptId }: Agent, promptId: string | null): boolean => {
  if (state === 'unknown') return promptId === null || turnPromptId === null || promptId === turnPromptId;
  return state === 'working' && promptId !== null && promptId === turnPromptId;
};

const measured = (fact: Extract<AgentFact, { type: 'context_measured' }>) => ({
  usedPercent: fact.usedPercent,
  usedTokens: fact.usedTokens,
  windowTokens: fact.windowTokens,
});

/** Returns the agent's name for people: its persona's name, or the first eight characters of its session id. */
export const agentLabel = (agent: Pick<Agent, 'id' | 'sessionUuid'>, personaName: string | null): string =>
  `${personaName ?? shortUuid(agent)} (agent ${agent.id})`;
