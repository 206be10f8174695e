import type { Agent } from '../../domain/agents/agent.ts';
import type { Fact } from '../../domain/facts.ts';
import { type Instant, msBetween } from '../../domain/instant.ts';
import { isOpen, isWatched, type Message } from '../../domain/messages/operator-message.ts';
import { comparable } from '../../domain/plain-text.ts';
import type { Ports } from '../ports/index.ts';

/**
 * The maximum time that Baton needs to type a message and to get its receipt. A server that has not reported the
 * outcome after this time never reports it.
 */
const ABANDONED_MS = 60_000;
const ABANDONED = 'Baton was stopped before the outcome was known';

/**
 * Searches the transcript for messages without a receipt. Reports a message that is not in the transcript as overdue in
 * two cases: the server that sent the message no longer runs, or the message is so old that its server no longer reports
 * the outcome.
 */
export async function findMessageReceipts(
  ports: Pick<Ports, 'runtimes' | 'clock' | 'chance' | 'settings'>,
  agent: Agent,
): Promise<readonly Fact[]> {
  if (agent.messages.length === 0) return [];
  const now = ports.clock.now();
  const facts: Fact[] = [];
  for (const message of agent.messages.filter((each) => isWatched(each, now))) {
    const about = { agentId: agent.id, ref: message.ref };
    if (await isInTranscript(ports, agent, message)) facts.push({ type: 'prompt_found_in_transcript', ...about });
    else if (isAbandoned(ports, message, now))
      facts.push({ type: 'message_overdue', ...about, detail: ABANDONED, senderGone: true });
  }
  return facts;
}

const isAbandoned = ({ settings }: Pick<Ports, 'settings'>, message: Message, now: Instant): boolean =>
  isOpen(message) && (message.sentBy !== settings.instance || msBetween(message.sentAt, now) > ABANDONED_MS);

async function isInTranscript(
  ports: Pick<Ports, 'runtimes' | 'chance'>,
  agent: Agent,
  { transcript, textHash, ahead }: Message,
): Promise<boolean> {
  const reader = ports.runtimes.get(agent.runtime)?.transcript;
  if (agent.transcriptPath === null || reader === undefined) return false;
  // If a /clear has begun a new transcript since the message was sent, everything in the new transcript is newer than
  // the message. In this case, read the new transcript from its beginning.
  const from = transcript?.path === agent.transcriptPath ? transcript.from : 0;
  const prompts = await reader.promptsBehind(agent.transcriptPath, from);
  return prompts.filter((prompt) => ports.chance.sha256(comparable(prompt)) === textHash).length > ahead;
}
