import type { Agent } from '../agents/agent.ts';
import type { AgentFact, Notice } from '../facts.ts';
import type { Instant } from '../instant.ts';
import { abandoned, accepted, acceptedLate, refused, unconfirmed } from './message-sentences.ts';
import { isOpen, isWatched, type Message, type TypingOutcome } from './operator-message.ts';

/** The fields of an agent that the functions for messages need. */
type Addressee = Pick<Agent, 'id' | 'turnPromptId' | 'messages'>;

const KEPT = 5;

export function trackMessages(agent: Addressee, fact: AgentFact, now: Instant): readonly Message[] {
  if (fact.type === 'message_begun') return [...kept(agent.messages), begin(agent, fact, now)];
  const watched = agent.messages.filter((message) => isWatched(message, now));
  if (watched.length === 0) return agent.messages;
  const announced = fact.type === 'prompt_submitted' ? whose(agent.messages, watched, fact.textHash) : undefined;
  return agent.messages.map((message) => {
    if (!watched.includes(message)) return message;
    return message === announced ? submit(agent, message, fact) : track(agent, message, fact);
  });
}

const kept = (messages: readonly Message[]): readonly Message[] =>
  messages.filter((message, at) => isOpen(message) || at > messages.length - KEPT);

/**
 * Returns the message that a submitted prompt belongs to: the oldest message with the same text and no receipt. If
 * every such message has a receipt, returns the latest one, because a prompt that was blocked may be submitted again.
 */
function whose(all: readonly Message[], watched: readonly Message[], textHash: string): Message | undefined {
  const isSame = (message: Message): boolean => message.textHash === textHash;
  const first = watched.find((message) => isSame(message) && message.submitted === null);
  const latest = all.filter(isSame).at(-1);
  return first ?? (latest !== undefined && watched.includes(latest) ? latest : undefined);
}

function begin(agent: Addressee, fact: Extract<AgentFact, { type: 'message_begun' }>, now: Instant): Message {
  const { ref, textHash, excerpt, sentBy, transcript } = fact;
  const ahead = agent.messages.filter((each) => each.textHash === textHash && isWatched(each, now)).length;
  const nothingYet = { typing: null, submitted: null, verdict: null };
  return { ref, textHash, excerpt, sentBy, transcript, ahead, sentAt: now, ...nothingYet };
}

function submit(agent: Addressee, message: Message, fact: AgentFact): Message {
  if (fact.type !== 'prompt_submitted') return message;
  const queued = fact.promptId !== null && fact.promptId === agent.turnPromptId;
  return { ...message, submitted: { promptId: fact.promptId, queued } };
}

/**
 * Updates the two receipts of a message. First receipt: the prompt hook shows that the message was submitted; a hook of
 * the user can still block it. Second receipt: the transcript or a later event of the turn shows that the model has the
 * message.
 */
function track(agent: Addressee, message: Message, fact: AgentFact): Message {
  switch (fact.type) {
    case 'prompt_typed':
      return fact.ref === message.ref ? typed(agent, message, fact.outcome) : message;
    case 'prompt_found_in_transcript':
      return fact.ref === message.ref ? accept(agent, message) : message;
    case 'tool_used':
    case 'input_requested':
    case 'turn_ended':
    case 'turn_failed':
      return isOfItsTurn(message, fact.promptId) ? accept(agent, message) : message;
    case 'message_overdue':
      return fact.ref === message.ref && isOpen(message)
        ? { ...message, verdict: unconfirmed(agent.id, message, fact.detail) }
        : message;
    default:
      return message;
  }
}

/**
 * Returns whether an event of a turn confirms the message. An event that names no turn may be late and belong to
 * another turn, so it confirms only a message without a verdict.
 */
const isOfItsTurn = (message: Message, promptId: string | null): boolean =>
  message.submitted !== null &&
  !message.submitted.queued &&
  message.submitted.promptId === promptId &&
  (promptId !== null || isOpen(message));

function typed(agent: Addressee, message: Message, outcome: TypingOutcome): Message {
  const verdict = outcome.verdict === 'refused' ? refused(agent.id, outcome) : message.verdict;
  return { ...message, typing: outcome, verdict };
}

const accept = (agent: Addressee, message: Message): Message => ({
  ...message,
  verdict: isOpen(message) ? accepted(agent.id) : acceptedLate(agent.id),
});

/**
 * Returns a warning if Baton was stopped while it sent the message, because the sender then got no result. A receipt
 * that arrives later closes the warning.
 */
export function tellAbandoned({ id, messages }: Addressee, ref: string): readonly Notice[] {
  const message = messages.find((each) => each.ref === ref && isOpen(each));
  return message === undefined ? [] : [{ type: 'agent_warning', sentence: abandoned(id, message), until: ref }];
}
