import type { Agent } from '../agents/agent.ts';
import type { Effect } from '../effects.ts';
import type { AgentFact } from '../facts.ts';
import type { Instant } from '../instant.ts';
import type { AgentLimit } from './usage-limit.ts';

/** The result of a fact about an agent's usage limit: the changed agent, and the effects. */
export interface LimitStep {
  readonly agent: Agent;
  readonly effects: readonly Effect[];
}

/**
 * Applies one fact to the agent's usage limit. `after` is the agent after all other rules have applied the fact. Under
 * a limit, an idle agent gets the state `limited`, and so does a working agent whose client only repeats the refused
 * request.
 */
export function trackLimit(before: Agent, after: Agent, fact: AgentFact, now: Instant): LimitStep {
  const { limit: known = null } = before;
  const limit = limitAfter(known, after, fact, now);
  if (limit === null) return over(known, after, fact);
  const { state } = after;
  const isHeldUp = state === 'idle' || state === 'limited' || (state === 'working' && fact.type === 'usage_limit_hit');
  if (!isHeldUp) return { agent: { ...after, limit }, effects: [] };
  return { agent: { ...after, limit, state: 'limited', stateReason: limit.words, stateCause: null }, effects: [] };
}

function limitAfter(known: AgentLimit | null, after: Agent, fact: AgentFact, now: Instant): AgentLimit | null {
  if (after.state === 'ended' || after.state === 'lost') return null;
  switch (fact.type) {
    case 'usage_limit_hit': {
      const { words, until, retriesAt, continuesItself } = fact;
      const { since = now, isAwaited = false } = known ?? {};
      return { words, until, continuesItself, since, isAwaited, ...(retriesAt === undefined ? {} : { retriesAt }) };
    }
    case 'limit_wait_chosen':
      return known && { ...known, isAwaited: fact.wait };
    // A fact of one of these types ends the usage limit: it shows that the model answers again, that the operator has
    // begun something new, or that the limit has reached its end.
    case 'prompt_submitted':
    case 'tool_used':
    case 'turn_ended':
    case 'agent_seen_working':
    case 'session_started':
    case 'usage_limit_over':
      return null;
    default:
      return known;
  }
}

/**
 * Records the end of the agent's usage limit. Also requests one prompt that asks the agent to continue, but only if the
 * operator asked for this prompt and the agent has begun nothing since the limit stopped it.
 */
function over(known: AgentLimit | null, after: Agent, fact: AgentFact): LimitStep {
  if (known === null) return { agent: after, effects: [] };
  const isFree = after.state === 'limited';
  const agent: Agent = {
    ...after,
    limit: null,
    ...(isFree ? { state: 'idle', stateReason: 'its usage limit is over', stateCause: null } : {}),
  };
  const isAsked = known.isAwaited && isFree && fact.type === 'usage_limit_over';
  return {
    agent,
    effects: isAsked ? [{ kind: 'type_continue', agentId: after.id, ref: continueRef(after, known) }] : [],
  };
}

const continueRef = ({ sessionUuid }: Agent, { since }: AgentLimit): string =>
  `${sessionUuid.slice(0, 8)}-continue-${Date.parse(since)}`;
