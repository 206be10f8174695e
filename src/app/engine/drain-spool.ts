import type { Agent } from '../../domain/agents/agent.ts';
import { speaksFor } from '../../domain/agents/correlate.ts';
import type { AgentFact } from '../../domain/facts.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { acknowledgeIn } from '../handoffs/acknowledge-handoff.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import type { ParsedHook, UnboundFact } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { SpooledHook } from '../ports/spool.ts';
import type { Tx } from '../ports/store.ts';
import { recordSessionSeen } from '../sessions/record-session-seen.ts';
import { recordFact } from './record-facts.ts';
import { redactHook } from './redact-fact.ts';

/** Turns waiting hooks into facts, oldest first. Removes a file only after its facts are on disk. */
export async function drainSpool(ports: Ports): Promise<number> {
  const waiting = await ports.spool.waiting();
  for (let start = 0; start < waiting.length; start += BATCH) {
    const batch = waiting.slice(start, start + BATCH);
    ports.checkpoint('spool:read');
    await ports.store.write((tx) => {
      for (const each of batch) 'token' in each ? takeIn(tx, ports, each) : recordSessionSeen(tx, ports, each);
    });
    ports.checkpoint('spool:committed');
    await Promise.all(batch.map((hook) => ports.spool.remove(hook)));
    ports.checkpoint('spool:removed');
  }
  await tellOverflow(ports);
  return waiting.length;
}

/** Reports how many hooks were dropped, because without them a working agent may look idle. */
async function tellOverflow(ports: Ports): Promise<void> {
  const overflow = await ports.spool.overflow();
  if (overflow === undefined) return;
  const { key, count, couldNotBeWritten = false } = overflow;
  const notice = { type: 'spool_overflowed', count, ...(couldNotBeWritten ? { couldNotBeWritten } : {}) } as const;
  await ports.store.write((tx) => {
    raiseNotice(tx, ports, notice, { agentId: null, runId: null }, key);
  });
  const why = couldNotBeWritten ? 'the disk was full or had no free inodes' : 'the spool was full';
  ports.log.warn(`dropped hooks of agents: ${why}`, { count });
  await ports.spool.overflowTold(overflow);
}

const BATCH = 200;
/** The event that `baton ack` writes into the spool when the server does not answer. */
const ACKNOWLEDGE = 'Acknowledge';

function takeIn(tx: Tx, ports: Ports, hook: SpooledHook): void {
  const agent = tx.agentById(hook.agentId);
  if (agent === undefined || ports.chance.sha256(hook.token) !== agent.tokenHash) {
    ports.log.warn('ignored a hook without a valid agent token', { event: hook.event });
    return;
  }
  if (hook.event === ACKNOWLEDGE) {
    takeAcknowledgment(tx, ports, agent, hook);
    return;
  }
  const told = ports.runtimes.get(agent.runtime)?.parseHook({ event: hook.event, payload: hook.payload });
  const parsed = told && redactHook(ports, told);
  if (parsed === undefined || parsed.sessionId === null) {
    ports.log.warn('ignored a hook with an unrecognized payload', { agent: agent.id, event: hook.event });
    return;
  }
  const { sessionId, startedBy } = parsed;
  if (!speaksFor(agent, { sessionId, startedBy, clientPid: hook.clientPid })) {
    ports.log.info('ignored a hook of another session inside this agent', { agent: agent.id, event: hook.event });
    return;
  }
  [...unannounced(agent, parsed), ...parsed.facts].forEach((fact, index) => {
    const bound = {
      ...fact,
      ...(fact.type === 'session_started' && startedBy !== null ? seenBy(hook) : {}),
      agentId: agent.id,
    } as AgentFact;
    recordFact(tx, ports, bound, onceKey(bound, agent) ?? `${hook.key}/${index}`);
  });
}

/** Adds the start of an unknown session that sent a prompt: `/clear` began the session, and its hook was lost. */
function unannounced(
  { runtimeSessionId }: Agent,
  { sessionId, facts, transcriptPath }: ParsedHook,
): readonly UnboundFact[] {
  const isPrompt = facts.some(({ type }) => type === 'prompt_submitted');
  if (!isPrompt || sessionId === null || runtimeSessionId === null || sessionId === runtimeSessionId) return [];
  const told = transcriptPath === undefined ? {} : { transcriptPath };
  return [{ type: 'session_started', runtimeSessionId: sessionId, source: 'clear', ...told }];
}

/** Returns what the hook script itself knows about the start of a session. */
const seenBy = ({ clientPid, given }: SpooledHook) => ({
  ...(clientPid === null ? {} : { clientPid }),
  ...(given === null ? {} : { skillGiven: given }),
});

/**
 * Returns a dedupe key for facts that can occur only once. It is made from their content and not from the spool file,
 * because a hook that fires twice or is replayed the next day must not wake an idle or ended agent.
 */
function onceKey(fact: AgentFact, { runtimeSessionId }: Agent): string | undefined {
  // `/clear` begins a new session, and a late prompt of the earlier session must not bring the earlier session back.
  const isNew = fact.type === 'session_started' && fact.runtimeSessionId !== runtimeSessionId;
  if (fact.type === 'session_started' && (fact.source === 'startup' || (fact.source === 'clear' && isNew)))
    return `agent/${fact.agentId}/started/${fact.runtimeSessionId}`;
  // A queued prompt has the id of the turn after which it will start, so the id alone is not unique.
  if (fact.type === 'prompt_submitted' && fact.promptId !== null)
    return `agent/${fact.agentId}/prompt/${fact.promptId}/${fact.textHash}`;
  if (fact.type === 'tool_used' && fact.useId !== undefined)
    return `agent/${fact.agentId}/tool/${fact.useId}/${fact.phase}`;
  return undefined;
}

/** Processes an acknowledgment from the spool. Its agent no longer waits, so the operator is notified of a refusal. */
function takeAcknowledgment(tx: Tx, ports: Ports, agent: Agent, { key, payload }: SpooledHook): void {
  const { run_id: runId, proof, task } = (payload ?? {}) as Record<string, unknown>;
  if (typeof runId !== 'number' || typeof proof !== 'string' || typeof task !== 'string') return;
  const result = acknowledgeIn(tx, ports, agent, { runId, proof, task: task.slice(0, MAX_TASK) });
  if (!isRefusal(result)) return;
  const sentence = `Baton refused the acknowledgment that agent ${agent.id} wrote while Baton was down: ${result.sentence}`;
  raiseNotice(tx, ports, { type: 'agent_warning', sentence }, { agentId: agent.id, runId: null }, key);
}

const MAX_TASK = 4_000;
