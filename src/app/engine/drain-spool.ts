import { type Agent, agentProcess } from '../../domain/agents/agent.ts';
import { speaksFor } from '../../domain/agents/correlate.ts';
import type { AgentFact } from '../../domain/facts.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { UsageReport } from '../../domain/usage/usage.ts';
import { acknowledgeIn } from '../handoffs/acknowledge-handoff.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import type { ParsedHook, UnboundFact } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { SpooledHook } from '../ports/spool.ts';
import type { Tx } from '../ports/store.ts';
import { recordSessionSeen } from '../sessions/record-session-seen.ts';
import { recordFact } from './record-facts.ts';
import { redactHook } from './redact-fact.ts';

/**
 * Turns waiting hooks into facts, oldest first. Removes the file of a hook only after its facts are on disk. Returns
 * true if a session began.
 */
export async function drainSpool(ports: Ports): Promise<boolean> {
  let hasBegun = false;
  for await (const batch of ports.spool.waiting()) {
    ports.checkpoint('spool:read');
    await ports.store.write((tx) => {
      for (const each of batch) {
        if (!('token' in each)) recordSessionSeen(tx, ports, each);
        else if (takeIn(tx, ports, each)) hasBegun = true;
      }
    });
    ports.checkpoint('spool:committed');
    for (const hook of batch) await ports.spool.remove(hook);
    ports.checkpoint('spool:removed');
  }
  await tellOverflow(ports);
  return hasBegun;
}

/**
 * Reports how many hooks were dropped. The operator must know this, because a working agent may look idle if its hooks
 * are missing.
 */
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

/** The event that `baton ack` writes into the spool when the server does not answer. */
const ACKNOWLEDGE = 'Acknowledge';

/** Records what a hook reports. Returns true if the hook reports that a session began. */
function takeIn(tx: Tx, ports: Ports, hook: SpooledHook): boolean {
  const agent = tx.agentById(hook.agentId);
  if (agent === undefined || ports.chance.sha256(hook.token) !== agent.tokenHash) {
    ports.log.warn('ignored a hook without a valid agent token', { event: hook.event });
    return false;
  }
  if (hook.event === ACKNOWLEDGE) {
    takeAcknowledgment(tx, ports, agent, hook);
    return false;
  }
  const runtime = ports.runtimes.get(agent.runtime);
  const told = runtime?.parseHook({ event: hook.event, payload: hook.payload });
  const parsed = told && redactHook(ports, told);
  if (parsed === undefined || parsed.sessionId === null) {
    ports.log.warn('ignored a hook with an unrecognized payload', { agent: agent.id, event: hook.event });
    return false;
  }
  const { sessionId, startedBy } = parsed;
  const { clientPid } = hook;
  const isInPane = runtime?.control !== undefined && isOfPane(ports, agent, clientPid);
  const idByClient = runtime?.choosesSessionId === true;
  if (!speaksFor(agent, { sessionId, startedBy, clientPid, isInPane, idByClient })) {
    ports.log.info('ignored a hook of another session inside this agent', { agent: agent.id, event: hook.event });
    return false;
  }
  const facts = [...unannounced(agent, parsed, idByClient), ...parsed.facts];
  facts.forEach((fact, index) => {
    const bound = {
      ...fact,
      ...(fact.type === 'usage_reported' ? beganBy(fact, hook) : {}),
      ...(fact.type === 'session_started' && (startedBy !== null || fact.source === 'startup') ? seenBy(hook) : {}),
      agentId: agent.id,
    } as AgentFact;
    recordFact(tx, ports, bound, onceKey(bound, agent) ?? `${hook.key}/${index}`);
  });
  return facts.some(({ type }) => type === 'session_started');
}

/**
 * Returns whether the program in the agent's pane started the client with this pid, directly or through other
 * processes. Also returns true if that client has already ended, because Baton can then check only the session id.
 * Returns false for the client that Baton already knows, because that client needs no check.
 */
function isOfPane(ports: Ports, { pane, clientPid: known }: Agent, clientPid: number | null): boolean {
  if (pane === null || clientPid === null || clientPid === known) return false;
  const ancestors = ports.ancestorsOf(clientPid);
  return ancestors.length === 0 || ancestors.includes(agentProcess(pane));
}

/**
 * Returns the start of the session that a prompt comes from, if Baton does not know this session yet. Either a `/clear`
 * began the session and the hook of the `/clear` was lost, or the client never reports the start of a session.
 */
function unannounced(
  { runtimeSessionId, registeredAt }: Agent,
  { sessionId, facts, transcriptPath }: ParsedHook,
  idByClient: boolean,
): readonly UnboundFact[] {
  const isPrompt = facts.some(({ type }) => type === 'prompt_submitted');
  if (!isPrompt || sessionId === null || sessionId === runtimeSessionId) return [];
  const told = transcriptPath === undefined ? {} : { transcriptPath };
  if (runtimeSessionId !== null)
    return [{ type: 'session_started', runtimeSessionId: sessionId, source: 'clear', ...told }];
  // The client reports no start of a session, so its first prompt shows that the session has begun.
  if (!idByClient || registeredAt === null || facts.some(({ type }) => type === 'session_started')) return [];
  return [{ type: 'session_started', runtimeSessionId: sessionId, source: 'startup', ...told }];
}

/**
 * Returns the time at which the reported counter began. Computes it from the time of the hook and not from the current
 * time, because the hook may have waited while Baton was down.
 */
const beganBy = ({ ageMs }: Pick<UsageReport, 'ageMs'>, { writtenAtMs }: SpooledHook) =>
  ageMs === undefined ? {} : { beganAtMs: writtenAtMs - ageMs };

/**
 * Returns the pid of the client and the id of the skill text that the hook script printed. Only the hook script knows
 * these two values of a session start.
 */
const seenBy = ({ clientPid, given }: SpooledHook) => ({
  ...(clientPid === null ? {} : { clientPid }),
  ...(given === null ? {} : { skillGiven: given }),
});

/**
 * Returns a dedupe key for a fact that can occur only once. The key is made from the content of the fact. So the key is
 * the same if a hook fires twice, and the second hook does not wake an idle or ended agent.
 */
function onceKey(fact: AgentFact, { runtimeSessionId }: Agent): string | undefined {
  // After a `/clear`, a late prompt of the earlier session looks like a new start of that session. The dedupe key keeps
  // Baton from recording this start again, which would make the earlier session current again.
  const isNew = fact.type === 'session_started' && fact.runtimeSessionId !== runtimeSessionId;
  if (fact.type === 'session_started' && (fact.source === 'startup' || (fact.source === 'clear' && isNew)))
    return `agent/${fact.agentId}/started/${fact.runtimeSessionId}`;
  // The id of a prompt alone is not unique, because a prompt that is queued during a turn has the id of that turn. So
  // add the hash of the text to the key.
  if (fact.type === 'prompt_submitted' && fact.promptId !== null)
    return `agent/${fact.agentId}/prompt/${fact.promptId}/${fact.textHash}`;
  if (fact.type === 'tool_used' && fact.useId !== undefined)
    return `agent/${fact.agentId}/tool/${fact.useId}/${fact.phase}`;
  return undefined;
}

/**
 * Processes an acknowledgment that was written to the spool. The agent no longer waits for an answer, so a refusal is
 * reported to the operator instead.
 */
function takeAcknowledgment(tx: Tx, ports: Ports, agent: Agent, { key, payload }: SpooledHook): void {
  const { run_id: runId, proof, task } = (payload ?? {}) as Record<string, unknown>;
  if (typeof runId !== 'number' || typeof proof !== 'string' || typeof task !== 'string') return;
  const result = acknowledgeIn(tx, ports, agent, { runId, proof, task: task.slice(0, MAX_TASK) });
  if (!isRefusal(result)) return;
  const sentence = `Baton refused the acknowledgment that agent ${agent.id} wrote while Baton was down: ${result.sentence}`;
  raiseNotice(tx, ports, { type: 'agent_warning', sentence }, { agentId: agent.id, runId: null }, key);
}

const MAX_TASK = 4_000;
