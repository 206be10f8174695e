import { type Agent, isLive } from '../agents/agent.ts';
import type { Effect } from '../effects.ts';
import type { AgentFact, Notice } from '../facts.ts';
import { after, type Instant } from '../instant.ts';
import { type FirstPrompt, isOpen } from './operator-message.ts';

const MAX_ATTEMPTS = 5;
const RETRY_MS = 5_000;
const EXCERPT = 80;

/**
 * If the first prompt is refused for one of these reasons, Baton sends it again later, because the reason passes by
 * itself. After a refusal for any other reason, the operator must act.
 */
const PASSING: ReadonlySet<string | null> = new Set(['starting', 'busy', 'unknown', 'terminal_unavailable']);

export const newFirstPrompt = (text: string): FirstPrompt => ({
  status: 'waiting',
  text,
  excerpt: excerptOf(text),
  ref: null,
  attempts: 0,
  retryAt: null,
  sentence: null,
});

function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
}

export interface FirstPromptStep {
  readonly firstPrompt: FirstPrompt | null;
  readonly effects: readonly Effect[];
  readonly notices: readonly Notice[];
}

/** Updates the first prompt after a fact; `agent` is the agent after the fact. */
export function trackFirstPrompt(agent: Agent, fact: AgentFact, now: Instant): FirstPromptStep {
  const before = agent.firstPrompt ?? null;
  if (before === null) return { firstPrompt: null, effects: [], notices: [] };
  const told = outcome(agent, before, fact, now);
  const notices = told.status === before.status ? [] : tell(agent, told, fact);
  return { ...dueFirstPrompt({ ...agent, firstPrompt: told }, now), notices };
}

/**
 * Requests the effect that sends the first prompt, if the agent is ready for it. Reconcile calls this function again
 * and again. So if the agent is not ready yet, the prompt is sent later.
 */
export function dueFirstPrompt(agent: Agent, now: Instant): Omit<FirstPromptStep, 'notices'> {
  const prompt = agent.firstPrompt ?? null;
  return prompt !== null && isDue(agent, prompt, now)
    ? { firstPrompt: { ...prompt, status: 'due' }, effects: [{ kind: 'send_first_prompt', agentId: agent.id }] }
    : { firstPrompt: prompt, effects: [] };
}

function outcome(agent: Agent, prompt: FirstPrompt, fact: AgentFact, now: Instant): FirstPrompt {
  if (fact.type === 'message_begun' && fact.isFirstPrompt)
    return { ...prompt, status: 'sending', ref: fact.ref, attempts: prompt.attempts + 1 };
  if (fact.type === 'first_prompt_refused') return refused(prompt, fact.detail);
  if (prompt.status === 'waiting' || prompt.status === 'due') {
    if (!isLive(agent)) return refused(prompt, `Agent ${agent.id} is ${agent.state}: ${agent.stateReason}.`);
    return agent.priming.status === 'failed' ? refused(prompt, `Agent ${agent.id} did not get its skill.`) : prompt;
  }
  const verdict = agent.messages.find(({ ref }) => ref === prompt.ref)?.verdict ?? null;
  if (verdict === null || verdict.verdict === prompt.status) return prompt;
  if (verdict.verdict !== 'refused')
    return { ...prompt, status: verdict.verdict, text: null, sentence: verdict.sentence };
  // A refused message was not typed at all, so Baton may send the first prompt again.
  return PASSING.has(verdict.reason) && prompt.attempts < MAX_ATTEMPTS
    ? { ...prompt, status: 'waiting', retryAt: after(now, RETRY_MS) }
    : refused(prompt, verdict.sentence);
}

const refused = (prompt: FirstPrompt, sentence: string): FirstPrompt =>
  prompt.status === 'refused' ? prompt : { ...prompt, status: 'refused', text: null, sentence };

/** Returns whether the agent is ready for its first prompt. An agent with a persona must have its skill first. */
function isDue(agent: Agent, { status, retryAt }: FirstPrompt, now: Instant): boolean {
  const { state, pane, personaId, priming, messages } = agent;
  const isPrimed = personaId === null ? priming.status !== 'typing' : priming.status === 'done';
  const isFree = state === 'idle' && pane !== null && isPrimed && !messages.some(isOpen);
  return status === 'waiting' && isFree && (retryAt === null || now >= retryAt);
}

/**
 * Returns the warning about a first prompt that was refused or may not have arrived. The warning goes to the inbox,
 * because no caller waits for the outcome of a first prompt.
 */
function tell({ id }: Agent, { status, excerpt, sentence, ref }: FirstPrompt, fact: AgentFact): readonly Notice[] {
  // If the server process that sent the first prompt was killed, `tellAbandoned` has already warned the operator.
  const isTold = fact.type === 'message_overdue' && fact.senderGone === true;
  if ((status !== 'refused' && status !== 'unconfirmed') || isTold) return [];
  const words = `The first prompt of agent ${id} ("${excerpt}") ${status === 'refused' ? 'was not sent' : 'may not have arrived'}. ${sentence ?? ''}`;
  return [
    { type: 'agent_warning', sentence: words.trim(), ...(ref === null || status === 'refused' ? {} : { until: ref }) },
  ];
}
