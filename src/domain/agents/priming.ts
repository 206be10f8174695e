import type { Effect } from '../effects.ts';
import type { AgentFact, Notice } from '../facts.ts';
import { after, type Instant, msBetween } from '../instant.ts';
import { type Agent, isLive, type Priming, shortUuid } from './agent.ts';

/**
 * The result of one step of priming. Priming delivers the persona's skill and experience to an agent and waits for a
 * receipt. Either the session-start hook delivers the skill to every session, or Baton types the skill once.
 */
export interface PrimingStep {
  readonly agent: Agent;
  readonly effects: readonly Effect[];
  readonly notices: readonly Notice[];
}

const RETRY_MS = 1_000;
/**
 * Refusal reasons that prove that the agent's pane is gone. The reason `agent_gone` is not in this list, because it may
 * only mean that another program briefly uses the terminal. Reconcile detects whether the agent has really ended.
 */
const GONE = new Set(['pane_gone', 'wrong_server']);
/** Refusal reasons that disappear without the help of the operator, so Baton sends no notification. */
const PASSING = new Set(['starting', 'busy']);

export function primeAgent(agent: Agent, fact: AgentFact, now: Instant): PrimingStep {
  const { priming } = agent;
  if (fact.type === 'session_started') return sessionStarted(agent, fact, now);
  if (fact.type === 'agent_seen_ready') return readyForFirstPrompt(agent);
  if (fact.type === 'persona_given') return personaGiven(agent, fact.personaId);
  if (fact.type === 'persona_changed') return personaChanged(agent, fact);
  if (fact.type === 'agent_adopted') return adopted(agent);
  if (priming.status !== 'typing') return unchanged(agent);
  switch (fact.type) {
    case 'prompt_typed':
      return fact.ref === priming.ref ? typed(agent, priming, fact, now) : unchanged(agent);
    case 'prompt_submitted':
      return fact.ref === priming.ref
        ? into(agent, { ...priming, promptId: fact.promptId, accepted: fact.promptId === null })
        : unchanged(agent);
    case 'prompt_found_in_transcript':
      return fact.ref === priming.ref ? into(agent, { ...priming, accepted: true }) : unchanged(agent);
    case 'turn_ended':
    case 'agent_said_idle':
      return endsPriming(priming, fact.promptId)
        ? into(agent, { status: 'done', at: now, warning: null })
        : unchanged(agent);
    case 'agent_seen_idle':
      return priming.accepted && fact.shows !== 'prompt_returned'
        ? into(agent, { status: 'done', at: now, warning: null })
        : unchanged(agent);
    case 'turn_failed':
      return endsPriming(priming, fact.promptId)
        ? fail(agent, `the turn that read the skill failed: ${fact.error}`)
        : unchanged(agent);
    case 'priming_failed':
      return fail(agent, fact.detail);
    case 'skill_absent':
      return {
        agent: { ...agent, priming: { status: 'done', at: now, warning: fact.detail } },
        effects: [],
        notices: [{ type: 'agent_warning', sentence: fact.detail }],
      };
    default:
      return unchanged(agent);
  }
}

/**
 * Types the skill again at the operator's request. The new prompt gets a new reference, because the old prompt may
 * still arrive. With two references, Baton can tell the prompts apart.
 */
export function restartPriming(agent: Agent, attempt: number): PrimingStep {
  return begin({ ...agent, priming: { status: 'none' } }, `-${attempt}`);
}

/** Tries again to type the skill if the last attempt was refused or its outcome is unknown, and the agent is live. */
export function retryPriming(agent: Agent, now: Instant): PrimingStep {
  const { priming } = agent;
  if (priming.status !== 'typing' || priming.retryAt === null || !isLive(agent) || isAhead(priming.retryAt, now))
    return unchanged(agent);
  // While something blocks the composer, Baton does not try to type the skill, because every attempt would be refused.
  // Once the composer is free, reconcile reports this, and Baton tries then.
  if (agent.obstacle) return unchanged(agent);
  return {
    agent: { ...agent, priming: { ...priming, retryAt: null } },
    effects: [{ kind: 'prime_agent', agentId: agent.id, ref: priming.ref }],
    notices: [],
  };
}

/**
 * Returns whether Baton must still wait for the next attempt. If the time of the attempt is further away than the full
 * delay between two attempts, the clock was set back, and Baton does not wait.
 */
const isAhead = (at: Instant, now: Instant): boolean => now < at && msBetween(now, at) <= RETRY_MS;

function sessionStarted(
  agent: Agent,
  { source, skillGiven }: Extract<AgentFact, { type: 'session_started' }>,
  now: Instant,
): PrimingStep {
  const { priming } = agent;
  if (agent.personaId === null || !isLive(agent)) return unchanged(agent);
  if (skillGiven !== undefined)
    return priming.status === 'done' ? unchanged(agent) : into(agent, { status: 'done', at: now, warning: null });
  if (priming.status === 'none') return begin(agent);
  const lost = priming.status === 'done' && priming.warning === null && (source === 'clear' || source === 'compact');
  return lost ? { agent, effects: [], notices: [withoutSkill(agent, source)] } : unchanged(agent);
}

/** Types the skill as the agent's first prompt. This prompt begins the session. */
const readyForFirstPrompt = (agent: Agent): PrimingStep =>
  isLive(agent) && agent.personaId !== null && agent.priming.status === 'none' ? begin(agent) : unchanged(agent);

/**
 * Types the skill into a running session that has no skill yet. If the session has not begun, nothing is typed, because
 * the session gets the skill when it begins.
 */
function personaGiven(agent: Agent, personaId: number): PrimingStep {
  const isDue = isLive(agent) && agent.personaId === personaId && agent.priming.status === 'none';
  return isDue && agent.registeredAt !== null ? begin(agent) : unchanged(agent);
}

/** Types the new skill into the running session, even if the old skill was not delivered yet. */
const personaChanged = (agent: Agent, { personaId, change }: Extract<AgentFact, { type: 'persona_changed' }>) =>
  isLive(agent) && agent.personaId === personaId && agent.registeredAt !== null
    ? begin({ ...agent, priming: { status: 'none' } }, `-${change}`)
    : unchanged(agent);

const adopted = (agent: Agent): PrimingStep =>
  isLive(agent) && agent.personaId !== null && agent.priming.status === 'none' ? begin(agent) : unchanged(agent);

const withoutSkill = ({ id }: Agent, source: string): Notice => ({
  type: 'agent_warning',
  sentence: `Agent ${id} started a new session (${source}) without its skill, which Baton types only once. Tell the agent what it needs to know: baton agent send ${id} "…"`,
  until: 'ended',
});

function begin(agent: Agent, suffix = ''): PrimingStep {
  const ref = `${shortUuid(agent)}-skill${suffix}`;
  const priming: Priming = {
    status: 'typing',
    ref,
    promptId: null,
    accepted: false,
    retryAt: null,
    told: false,
    pasted: false,
  };
  return { agent: { ...agent, priming }, effects: [{ kind: 'prime_agent', agentId: agent.id, ref }], notices: [] };
}

type Typing = Extract<Priming, { status: 'typing' }>;

function typed(
  agent: Agent,
  priming: Typing,
  fact: Extract<AgentFact, { type: 'prompt_typed' }>,
  now: Instant,
): PrimingStep {
  const { outcome } = fact;
  if (outcome.verdict === 'typed') return into(agent, { ...priming, pasted: true });
  if (outcome.verdict === 'refused' && GONE.has(outcome.reason)) return fail(agent, outcome.detail);
  const isRefused = outcome.verdict === 'refused';
  const passing = isRefused && PASSING.has(outcome.reason);
  const told = priming.told || !passing;
  return {
    agent: {
      ...agent,
      priming: {
        ...priming,
        retryAt: after(now, RETRY_MS),
        told,
        pasted: priming.pasted || !isRefused,
        ...(isRefused ? { refusal: outcome.detail } : {}),
      },
    },
    effects: [],
    notices: told && !priming.told ? [notYet(agent, outcome.detail)] : [],
  };
}

const notYet = ({ id }: Agent, detail: string): Notice => ({
  type: 'agent_warning',
  sentence: `Agent ${id} does not have its skill yet: ${detail}. Baton keeps trying; see the agent's terminal: baton agent attach ${id}`,
  until: 'ended',
});

/**
 * Returns whether a Stop ends the turn in which the agent received the skill. A Stop with a prompt id counts only if a
 * hook has reported that id together with Baton's prompt. A Stop with another id may belong to an earlier turn.
 */
const endsPriming = (priming: Typing, promptId: string | null): boolean =>
  priming.promptId === null ? priming.accepted && promptId === null : promptId === priming.promptId;

function fail(agent: Agent, detail: string): PrimingStep {
  return {
    agent: { ...agent, priming: { status: 'failed', detail } },
    effects: [],
    notices: [
      { type: 'agent_warning', sentence: `The skill did not reach agent ${agent.id}: ${detail}`, until: 'ended' },
    ],
  };
}

const into = (agent: Agent, priming: Priming): PrimingStep => ({
  agent: { ...agent, priming },
  effects: [],
  notices: [],
});
const unchanged = (agent: Agent): PrimingStep => ({ agent, effects: [], notices: [] });
