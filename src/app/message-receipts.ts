import type { Agent } from '../domain/agent/agent.ts';
import { isOpen, isWatched, type Message } from '../domain/agent/message.ts';
import type { Fact } from '../domain/facts.ts';
import { type Instant, msBetween } from '../domain/instant.ts';
import { comparable } from '../domain/plain-text.ts';
import { recordFact } from './record-facts.ts';
import type { Ports } from './world.ts';

/** Longer than any typing and waiting takes: whoever sent it has failed to say what became of it. */
const ABANDONED_MS = 60_000;

/** What the agent's transcript says about the messages that have no receipt yet, and which of them nobody waits for. */
export async function lookForMessages(ports: Ports, agent: Agent): Promise<readonly Fact[]> {
  const now = ports.clock.now();
  const facts: Fact[] = [];
  for (const message of agent.messages.filter((each) => isWatched(each, now))) {
    const about = { agentId: agent.id, ref: message.ref };
    if (await isInTranscript(ports, agent, message)) facts.push({ type: 'prompt_found_in_transcript', ...about });
    else if (isAbandoned(ports, message, now))
      facts.push({ type: 'message_overdue', ...about, detail: 'Baton was stopped before it could tell' });
  }
  return facts;
}

/**
 * Called at start, after the hooks of the meantime were taken in. Nothing is typed again: whoever sent it may have repeated
 * it. But what was pasted and not sent off is sent: it would stand in the way of everything that comes after it.
 */
export async function settleAbandonedMessages(ports: Ports): Promise<void> {
  const waiting = (): readonly Agent[] =>
    ports.store.read((tx) => tx.agents()).filter(({ messages }) => messages.some(isOpen));
  for (const agent of waiting()) await sendOff(ports, agent);
  const agents = waiting();
  const facts = (await Promise.all(agents.map((agent) => lookForMessages(ports, agent)))).flat();
  if (facts.length === 0) return;
  await ports.store.write((tx) => {
    for (const fact of facts) recordFact(tx, ports, fact);
  });
}

/** After this long the operator has long done something else: then it is only told. */
const STALE_MS = 10 * 60_000;

async function sendOff(ports: Ports, { id: agentId, pane, runtime, messages }: Agent): Promise<void> {
  const reader = ports.runtimes.get(runtime);
  const last = messages.at(-1);
  const kept = last && ports.store.read((tx) => tx.promptText(last.ref));
  if (!pane || reader === undefined || last === undefined || kept === undefined || !isOpen(last)) return;
  if (last.sentBy === ports.settings.instance || msBetween(last.sentAt, ports.clock.now()) > STALE_MS) return;
  const { ref, text } = kept;
  // By its reference it is not pasted again, and if it never was pasted it is not wanted any more.
  const finish = { id: ref, kind: 'prompt', text, reader, waitReadyMs: 0, stillWanted: () => false } as const;
  const outcome = await ports.terminal.deliver(pane, finish).catch(() => undefined);
  if (outcome?.verdict !== 'typed') return;
  ports.log.info('sent off a message that was pasted before Baton was stopped', { agent: agentId });
  await ports.store.write((tx) =>
    recordFact(tx, ports, { type: 'prompt_typed', agentId, purpose: 'message', ref, outcome }),
  );
}

const isAbandoned = ({ settings }: Ports, message: Message, now: Instant): boolean =>
  isOpen(message) && (message.sentBy !== settings.instance || msBetween(message.sentAt, now) > ABANDONED_MS);

async function isInTranscript(ports: Ports, agent: Agent, { transcript, textHash, ahead }: Message): Promise<boolean> {
  const reader = ports.runtimes.get(agent.runtime)?.transcript;
  if (agent.transcriptPath === null || reader === undefined) return false;
  // After /clear there is a new one, and all of it came later.
  const from = transcript?.path === agent.transcriptPath ? transcript.from : 0;
  const prompts = await reader.promptsBehind(agent.transcriptPath, from);
  return prompts.filter((prompt) => ports.chance.sha256(comparable(prompt)) === textHash).length > ahead;
}
