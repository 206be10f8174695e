import { type Agent, agentProcess } from '../../../domain/agents/agent.ts';
import { agentNotFound } from '../../../domain/agents/refuse-unreachable.ts';
import { type ResumeAround, refuseResume } from '../../../domain/agents/resume.ts';
import { refuseArchived } from '../../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { createAgent } from '../../engine/record-facts.ts';
import { loadRunContext } from '../../engine/run-context.ts';
import { appendNotice } from '../../inbox/append-notice.ts';
import { syncInboxForRun } from '../../inbox/sync-inbox.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { isAlive } from '../../sessions/list-external-sessions.ts';
import { workingDirectoryOf } from '../../worktrees/working-directory.ts';
import { resuming } from '../new-agent.ts';
import { unavailableReason } from '../unavailable-reason.ts';

export interface ResumeRequest {
  /** If true, the agent is resumed even if a successor has taken over its work. */
  readonly anyway: boolean;
}

/**
 * Resumes the conversation of an ended agent in a new agent, with the same folder and persona. The old agent stays
 * ended, because each agent stands for one process (decision 15). A second call is refused.
 */
export async function resumeAgent(ports: Ports, agentId: number, { anyway }: ResumeRequest): Promise<Agent | Refusal> {
  const judged = ports.store.read((tx) => judge(tx, agentId, anyway));
  if (isRefusal(judged)) return judged;
  const obstacle = await whatPrevents(ports, judged);
  if (obstacle !== undefined) return obstacle;
  return ports.store.write((tx) => {
    const ended = judge(tx, agentId, anyway);
    if (isRefusal(ended)) return ended;
    const resumed = createAgent(tx, ports, resuming(ended));
    appendNotice(tx, ports, { type: 'agent_resumed', resumedAgentId: resumed.id }, { agentId, runId: null });
    // Close the inbox items of the agent's runs, because the operator can no longer act on these runs.
    for (const run of tx.runsOfAgent(agentId)) syncInboxForRun(tx, ports, run, loadRunContext(tx, ports, run));
    return resumed;
  });
}

function judge(tx: Tx, agentId: number, anyway: boolean): Agent | Refusal {
  const agent = tx.agentById(agentId);
  if (agent === undefined) return agentNotFound(agentId);
  const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
  return refuseResume(agent, aroundOf(tx, agent), anyway) ?? (persona && refuseArchived(persona)) ?? agent;
}

export function aroundOf(tx: Tx, { id, previousAgentId }: Agent): ResumeAround {
  const ofPrevious = previousAgentId === null ? [] : tx.runsOfAgent(previousAgentId);
  const asSuccessor = [...ofPrevious, ...tx.runsInFlightOf(id)].filter((run) => run.successorAgentId === id);
  return { successors: tx.successorsOf(id), runs: [...tx.runsOfAgent(id), ...asSuccessor] };
}

/** Checks everything outside the store: client, transcript, worktree, folder and running processes. */
async function whatPrevents(ports: Ports, agent: Agent): Promise<Refusal | undefined> {
  const { id, runtime: name, transcriptPath } = agent;
  const runtime = ports.runtimes.get(name);
  if (runtime === undefined || !runtime.canResume || runtime.transcript === undefined)
    return {
      code: 'resume_unsupported',
      sentence: `Agents of type ${name} cannot resume a conversation`,
    };
  const unavailable = await unavailableReason(ports, runtime);
  if (unavailable !== undefined) return { code: 'runtime_unavailable', sentence: unavailable };
  if (transcriptPath === null || (await runtime.transcript.end(transcriptPath)) === 0)
    return {
      code: 'conversation_gone',
      sentence: `The conversation of agent ${id} is gone: ${transcriptPath === null ? 'its client reported no transcript' : `its transcript ${transcriptPath} is missing or empty`}`,
      hint:
        agent.personaId === null
          ? 'Start a new agent: baton agent start'
          : `Start a successor: baton handoff ${id} --emergency`,
    };
  const place = ports.store.read((tx) => workingDirectoryOf(tx, agent));
  const { worktree } = place ?? {};
  if (worktree !== undefined && (worktree.state !== 'ready' || !(await ports.worktrees.isThere(worktree))))
    return {
      code: 'worktree_gone',
      sentence: `The worktree ${worktree.name} of agent ${id} is gone (${worktree.path})`,
    };
  const problem = await ports.files.whyNotAProject(place?.folder ?? '');
  if (problem !== undefined) return { code: 'bad_project_path', sentence: problem };
  return refuseSecond(ports, agent);
}

/** Refuses if another process still uses the conversation, because two processes would write to the same transcript. */
async function refuseSecond(ports: Ports, agent: Agent): Promise<Refusal | undefined> {
  const { id, adoption, runtimeSessionId } = agent;
  const pid = await stillRuns(ports, agent);
  const own = adoption === 'released' && pid !== undefined ? pid : await inOwnTerminal(ports, agent);
  if (own !== undefined)
    return {
      code: 'process_still_runs',
      sentence: `Agent ${id} was not resumed, because its conversation is open in your own terminal (process ${own}) and two processes must not write the same transcript`,
      hint: `Adopt the session in your terminal: baton agent adopt ${runtimeSessionId ?? ''}`,
    };
  if (pid === undefined) return undefined;
  return {
    code: 'process_still_runs',
    sentence: `Agent ${id} was not resumed, because its old process (${pid}) still runs without a terminal and two processes must not write the same transcript`,
    hint: `End the process first: kill ${pid}`,
  };
}

/**
 * Returns the pid of a process outside Baton that runs this conversation. The operator may have resumed the
 * conversation in their own terminal, or Baton may have released the session.
 */
async function inOwnTerminal(ports: Ports, { runtime, runtimeSessionId }: Agent): Promise<number | undefined> {
  const all = ports.store.read((tx) => tx.externalSessions());
  const same = all.find((each) => each.runtime === runtime && each.sessionId === runtimeSessionId);
  return same !== undefined && (await isAlive(ports, same)) ? (same.pid ?? undefined) : undefined;
}

/**
 * Returns the pid of the agent's process if this process still runs. For an adopted agent, this is the process of the
 * client, because the pane itself runs the operator's shell. Ignores a process that started after the agent's last sign
 * of life.
 */
async function stillRuns(ports: Ports, agent: Agent): Promise<number | undefined> {
  if (agent.bootId != null && ports.bootId !== null && agent.bootId !== ports.bootId) return undefined;
  for (const pid of new Set([agent.pane && agentProcess(agent.pane), agent.clientPid])) {
    const started = pid == null ? undefined : await ports.processStartedMs(pid);
    if (pid != null && started !== undefined && started < Date.parse(agent.lastSeenAt)) return pid;
  }
  return undefined;
}
