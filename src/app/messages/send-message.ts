import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { agentNotFound, refuseNoPane, refuseNotActive } from '../../domain/agents/refuse-unreachable.ts';
import type { AgentFact, TypingOutcome } from '../../domain/facts.ts';
import { howToWait } from '../../domain/handoffs/run.ts';
import { msBetween } from '../../domain/instant.ts';
import { isOpen, type MessageVerdict } from '../../domain/messages/operator-message.ts';
import { comparable, looksLikeCommand, typeable } from '../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { awaitNews } from '../await-news.ts';
import { apiDelivery } from '../engine/client/api-delivery.ts';
import { restDoubts } from '../engine/client/client-status.ts';
import { recordFact } from '../engine/record-facts.ts';
import { errorMessage } from '../error-message.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { Delivery, PaneIdentity } from '../ports/terminal.ts';
import { isSubmitted } from './is-submitted.ts';
import { findMessageReceipts } from './message-receipts.ts';
import { reserveIn } from './sent-prompts.ts';

const WAIT_READY_MS = 3_000;
const PACE_MS = 30;
const MAX_EXCERPT = 200;

/** The outcome of a message, and the message's reference in the log. */
export type SentMessage = MessageVerdict & { readonly ref: string };

/**
 * Types the operator's message to an agent; refuses while the agent is in a handoff. Baton records the message before
 * typing it. After a crash, Baton reports what it knows and does not type the message again.
 */
export async function sendMessage(
  ports: Ports,
  agentId: number,
  text: string,
  isFirstPrompt = false,
): Promise<SentMessage | Refusal> {
  const ref = `message-${ports.chance.token(12).toLowerCase()}`;
  const begun = await begin(ports, agentId, { ref, text, isFirstPrompt });
  if (isRefusal(begun)) return begun;
  ports.checkpoint('message:begun');
  if (begun.verdict !== null) return { ...begun.verdict, ref };
  const outcome = await type(ports, begun, ref, text);
  const { verdict } = outcome;
  ports.log.info('typed into an agent', { agent: agentId, purpose: 'message', verdict, length: text.length });
  ports.checkpoint('message:typed');
  await record(ports, { type: 'prompt_typed', agentId, purpose: 'message', ref, outcome });
  ports.checkpoint('message:reported');
  return { ...(await verdictOf(ports, agentId, ref)), ref };
}

/**
 * Sends the prompt that the operator gave when starting the agent. The transaction that records the message also
 * changes the prompt's status, so that the status is no longer `due`. If the effect is performed again after a crash,
 * Baton therefore sends nothing.
 */
export async function sendFirstPrompt(ports: Ports, { agentId }: { agentId: number }): Promise<readonly AgentFact[]> {
  const prompt = ports.store.read((tx) => tx.agentById(agentId)?.firstPrompt);
  if (prompt?.status !== 'due' || prompt.text === null) return [];
  const sent = await sendMessage(ports, agentId, prompt.text, true);
  return isRefusal(sent) ? [{ type: 'first_prompt_refused', agentId, detail: sent.sentence }] : [];
}

interface Addressee {
  readonly agent: Agent;
  readonly pane: PaneIdentity;
  readonly runtime: AgentRuntime;
}

/**
 * A message that Baton has recorded but not typed yet. If `verdict` is set, the outcome is already certain, so Baton
 * does not type the message.
 */
type Begun = Addressee & { readonly verdict: MessageVerdict | null };

async function begin(
  ports: Ports,
  agentId: number,
  { ref, text, isFirstPrompt }: { ref: string; text: string; isFirstPrompt: boolean },
): Promise<Begun | Refusal> {
  if (typeable(text).trim() === '') return { code: 'bad_request', sentence: 'The message is empty' };
  const transcript = await transcriptOf(ports, agentId);
  return ports.store.write((tx) => {
    const addressee = judge(tx, ports, agentId);
    if (isRefusal(addressee)) return addressee;
    const textHash = ports.chance.sha256(comparable(text));
    const excerpt = typeable(text).slice(0, MAX_EXCERPT);
    const sentBy = ports.settings.instance;
    const message = { agentId, ref, textHash, excerpt, transcript, sentBy };
    recordFact(tx, ports, { type: 'message_begun', ...message, ...(isFirstPrompt ? { isFirstPrompt: true } : {}) });
    const outcome = whyNotTyped(addressee.agent, text);
    if (outcome !== undefined)
      recordFact(tx, ports, { type: 'prompt_typed', agentId, purpose: 'message', ref, outcome });
    // Store the text before it is pasted. If Baton crashes between paste and Enter, it then recognizes its own text in
    // the composer.
    else reserveIn(tx, ports, { ref, agentId, runId: null, purpose: 'message', text: typeable(text) });
    return { ...addressee, verdict: tx.agentById(agentId)?.messages.at(-1)?.verdict ?? null };
  });
}

function judge(tx: Tx, ports: Ports, agentId: number): Addressee | Refusal {
  const agent = tx.agentById(agentId);
  if (agent === undefined) return agentNotFound(agentId);
  if (!isLive(agent)) return refuseNotActive(agent);
  const { pane } = agent;
  if (pane === null) return refuseNoPane(agent, 'type to the agent');
  const run = runInFlightOf(tx, agentId);
  if (run !== undefined) {
    return {
      code: 'agent_in_handoff',
      sentence: `Agent ${agentId} takes part in handoff ${run.id}, so Baton did not type the message`,
      hint: howToWait(run),
      runId: run.id,
      runStep: run.step,
    };
  }
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime === undefined) return { code: 'runtime_unknown', sentence: `Unknown runtime "${agent.runtime}"` };
  return { agent, pane, runtime };
}

/**
 * Returns the reason why the message must not be typed. Returns undefined if the message may be typed. While one
 * message waits for its receipt, a new message is refused. Otherwise Baton could not tell to which of the two messages
 * a receipt belongs.
 */
function whyNotTyped(agent: Agent, text: string): TypingOutcome | undefined {
  const refused = (reason: string, detail: string): TypingOutcome => ({ verdict: 'refused', reason, detail });
  if (looksLikeCommand(text)) {
    const first = typeable(text).trim().charAt(0);
    return refused('command', `the client may treat a message that begins with "${first}" as a command`);
  }
  return agent.messages.some(isOpen) ? refused('busy', 'another message is being sent to the agent') : undefined;
}

async function transcriptOf(ports: Ports, agentId: number) {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  const reader = agent && ports.runtimes.get(agent.runtime)?.transcript;
  if (!agent?.transcriptPath || reader === undefined) return null;
  return { path: agent.transcriptPath, from: await reader.end(agent.transcriptPath) };
}

async function type(
  ports: Ports,
  { agent, pane, runtime: reader }: Begun,
  id: string,
  text: string,
): Promise<TypingOutcome> {
  const delivery: Delivery = {
    id,
    kind: 'prompt',
    text,
    reader,
    waitReadyMs: WAIT_READY_MS,
    whyNotAtRest: restDoubts(ports, agent.id),
    stillWanted: () => ports.store.read((tx) => runInFlightOf(tx, agent.id)) === undefined,
    isSubmitted: () => isSubmitted(ports, agent.id, id),
    awaitNews: (ms) => awaitNews(ports, ms),
    ...apiDelivery(ports, agent.id, id),
  };
  try {
    const outcome = await ports.terminal.deliver(pane, delivery);
    if (outcome.verdict !== 'refused' || outcome.reason !== 'not_wanted') return outcome;
    return { ...outcome, detail: 'a handoff of the agent has just begun' };
  } catch (error) {
    // The terminal throws an error only if it has typed nothing. So the message counts as refused.
    return { verdict: 'refused', reason: 'terminal_unavailable', detail: errorMessage(error) };
  }
}

/** Waits for the receipt, which arrives as a fact from a hook, and checks the transcript meanwhile. */
async function verdictOf(ports: Ports, agentId: number, ref: string): Promise<MessageVerdict> {
  const began = ports.clock.monotonicMs();
  for (;;) {
    const agent = ports.store.read((tx) => tx.agentById(agentId));
    const verdict = agent?.messages.find((message) => message.ref === ref)?.verdict;
    if (agent === undefined || verdict === undefined) throw new Error(`message ${ref} no longer exists`);
    if (verdict !== null) return verdict;
    const found = (await findMessageReceipts(ports, agent)).find((fact) => 'ref' in fact && fact.ref === ref);
    const late = isLive(agent) ? isLate(ports, began) : 'the agent has ended';
    if (found !== undefined) await record(ports, found as AgentFact);
    else if (late !== undefined) await record(ports, { type: 'message_overdue', agentId, ref, detail: late });
    else await awaitNews(ports, PACE_MS);
  }
}

function isLate({ clock, settings }: Ports, began: number): string | undefined {
  const { receiptMs } = settings;
  return clock.monotonicMs() - began < receiptMs ? undefined : `waited for ${receiptMs / 1000} s`;
}

const record = (ports: Ports, fact: AgentFact): Promise<void> =>
  ports.store.write((tx) => void recordFact(tx, ports, fact));

/**
 * Handles the messages that an earlier server has left unfinished. Called when Baton starts, after it has read the
 * spool. If a message was pasted and not submitted, Baton submits it, because the pasted text would block all later
 * typing. Baton never types a message a second time.
 */
export async function settleAbandonedMessages(ports: Ports): Promise<void> {
  const waiting = (): readonly Agent[] =>
    ports.store.read((tx) => tx.unsettledAgents()).filter(({ messages }) => messages.some(isOpen));
  for (const agent of waiting()) await sendOff(ports, agent);
  const agents = waiting();
  const facts = (await Promise.all(agents.map((agent) => findMessageReceipts(ports, agent)))).flat();
  if (facts.length === 0) return;
  await ports.store.write((tx) => {
    for (const fact of facts) recordFact(tx, ports, fact);
  });
}

/**
 * The maximum age of a pasted message that Baton still submits. An older message is only reported, because the operator
 * may no longer want it.
 */
const STALE_MS = 10 * 60_000;

async function sendOff(ports: Ports, { id: agentId, pane, runtime, messages }: Agent): Promise<void> {
  const reader = ports.runtimes.get(runtime);
  const last = messages.at(-1);
  const kept = last && ports.store.read((tx) => tx.promptText(last.ref));
  if (!pane || reader === undefined || last === undefined || kept === undefined || !isOpen(last)) return;
  if (last.sentBy === ports.settings.instance || msBetween(last.sentAt, ports.clock.now()) > STALE_MS) return;
  const { ref, text } = kept;
  // This delivery presses Enter but never pastes. If the text was already pasted, the delivery id on the pane prevents
  // a second paste. If the text was not pasted, `stillWanted` refuses the delivery.
  const finish = { id: ref, kind: 'prompt', text, reader, waitReadyMs: 0, stillWanted: () => false } as const;
  const outcome = await ports.terminal.deliver(pane, finish).catch(() => undefined);
  if (outcome?.verdict !== 'typed') return;
  ports.log.info('submitted a message that was pasted before Baton stopped', { agent: agentId });
  await ports.store.write((tx) =>
    recordFact(tx, ports, { type: 'prompt_typed', agentId, purpose: 'message', ref, outcome }),
  );
}
