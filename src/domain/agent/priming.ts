import type { Effect } from '../effects.ts';
import type { AgentFact, Notice } from '../facts.ts';
import { after, type Instant, msBetween } from '../instant.ts';
import { type Agent, isLive, type Priming, shortUuid } from './agent.ts';

/**
 * Skill injection: an agent with a persona gets skill and experience once, by receipt, however often its session
 * starts (`/clear`, compaction and resume start it again).
 */
export interface PrimingStep {
  readonly agent: Agent;
  readonly effects: readonly Effect[];
  readonly notices: readonly Notice[];
}

const RETRY_MS = 1_000;
const GONE = new Set(['agent_gone', 'pane_gone', 'wrong_server']);

export function primeAgent(agent: Agent, fact: AgentFact, now: Instant): PrimingStep {
  const { priming } = agent;
  if (priming.status === 'none') return fact.type === 'session_started' ? begin(agent) : unchanged(agent);
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
      return endsPriming(priming, fact.promptId)
        ? into(agent, { status: 'done', at: now, warning: null })
        : unchanged(agent);
    case 'agent_seen_idle':
      return priming.accepted ? into(agent, { status: 'done', at: now, warning: null }) : unchanged(agent);
    case 'turn_failed':
      return endsPriming(priming, fact.promptId)
        ? fail(agent, `the turn that took the skill failed: ${fact.error}`)
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

/** The operator wants the skill given once more: a new prompt, as the first one may still be on its way. */
export function restartPriming(agent: Agent, attempt: number): PrimingStep {
  return begin({ ...agent, priming: { status: 'none' } }, `-${attempt}`);
}

/** Typing that was refused (nothing reached the agent) is tried again while the agent lives. */
export function retryPriming(agent: Agent, now: Instant): PrimingStep {
  const { priming } = agent;
  if (priming.status !== 'typing' || priming.retryAt === null || !isLive(agent) || isAhead(priming.retryAt, now))
    return unchanged(agent);
  return {
    agent: { ...agent, priming: { ...priming, retryAt: null } },
    effects: [{ kind: 'prime_agent', agentId: agent.id, ref: priming.ref }],
    notices: [],
  };
}

/** More than the whole wait ahead: the clock has been put back since, and nobody waits for a day to come again. */
const isAhead = (at: Instant, now: Instant): boolean => now < at && msBetween(now, at) <= RETRY_MS;

function begin(agent: Agent, suffix = ''): PrimingStep {
  if (agent.personaId === null) return unchanged(agent);
  const ref = `${shortUuid(agent)}-skill${suffix}`;
  const priming: Priming = { status: 'typing', ref, promptId: null, accepted: false, retryAt: null };
  return { agent: { ...agent, priming }, effects: [{ kind: 'prime_agent', agentId: agent.id, ref }], notices: [] };
}

type Typing = Extract<Priming, { status: 'typing' }>;

function typed(
  agent: Agent,
  priming: Typing,
  fact: Extract<AgentFact, { type: 'prompt_typed' }>,
  now: Instant,
): PrimingStep {
  if (fact.outcome.verdict === 'typed') return unchanged(agent);
  if (fact.outcome.verdict === 'refused' && GONE.has(fact.outcome.reason)) return fail(agent, fact.outcome.detail);
  return into(agent, { ...priming, retryAt: after(now, RETRY_MS) });
}

/** Until the hook has named our prompt, no Stop can be ours. A runtime without prompt ids sends null for all of them. */
const endsPriming = (priming: Typing, promptId: string | null): boolean =>
  priming.promptId === null ? priming.accepted : promptId === priming.promptId;

function fail(agent: Agent, detail: string): PrimingStep {
  return {
    agent: { ...agent, priming: { status: 'failed', detail } },
    effects: [],
    notices: [{ type: 'agent_warning', sentence: `The skill did not reach agent ${agent.id}: ${detail}` }],
  };
}

const into = (agent: Agent, priming: Priming): PrimingStep => ({
  agent: { ...agent, priming },
  effects: [],
  notices: [],
});
const unchanged = (agent: Agent): PrimingStep => ({ agent, effects: [], notices: [] });
