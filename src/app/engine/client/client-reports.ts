import { type Agent, hasRested } from '../../../domain/agents/agent.ts';
import type { Fact } from '../../../domain/facts.ts';
import { msBetween } from '../../../domain/instant.ts';
import { isPast } from '../../../domain/limits/usage-limit.ts';
import type { TurnEnd } from '../../ports/client-control.ts';
import type { Ports } from '../../ports/index.ts';
import type { ScreenState } from '../../ports/terminal.ts';
import { type ReportedStatus, saysRest } from './client-status.ts';

/**
 * Facts that a client reports only through its control API or its transcript, and not through hooks: the start of a
 * session, the context use, a failed turn, and a usage limit.
 */
export async function findClientReports(
  ports: Ports,
  agent: Agent,
  seen: ScreenState,
  status: ReportedStatus | undefined,
): Promise<readonly Fact[]> {
  return [
    ...sessionReported(ports, agent, seen, status),
    ...contextReported(agent, status),
    ...(await limitReported(ports, agent, status)),
    ...(await failureReported(ports, agent, status)),
  ];
}

/**
 * Returns the start of a session that no hook has reported yet. Returns nothing while a dialog is open: the client may
 * still ask whether to trust the folder and begin the session only afterwards.
 */
function sessionReported(
  ports: Ports,
  agent: Agent,
  seen: ScreenState,
  status: ReportedStatus | undefined,
): readonly Fact[] {
  const { id: agentId, runtimeSessionId, resumesSession, registeredAt } = agent;
  if (seen.kind === 'dialog') return [];
  const { sessionId, transcriptPath } = status ?? {};
  if (sessionId !== undefined && (sessionId !== runtimeSessionId || registeredAt === null)) {
    const source = sessionId === resumesSession ? 'resume' : runtimeSessionId !== null ? 'clear' : 'startup';
    const path = transcriptPath === undefined ? {} : { transcriptPath };
    return [{ type: 'session_started', agentId, runtimeSessionId: sessionId, source, ...path }];
  }
  const runtime = ports.runtimes.get(agent.runtime);
  if (agent.state !== 'starting' || registeredAt !== null || runtime?.startsWithFirstPrompt !== true) return [];
  if (status !== undefined ? saysRest(status) : seen.kind === 'ready')
    return [
      { type: 'agent_seen_ready', agentId, by: status === undefined ? 'screen' : status.byApi ? 'api' : 'status' },
    ];
  return [];
}

/**
 * Returns the context use if it has changed. Each report counts as activity of the agent. If an unchanged value were
 * reported again and again, the agent would never count as idle.
 */
function contextReported({ id: agentId, context }: Agent, status: ReportedStatus | undefined): readonly Fact[] {
  const use = status?.context;
  if (use === undefined) return [];
  const isKnown = use.usedPercent === context?.usedPercent && use.usedTokens === context.usedTokens;
  return isKnown ? [] : [{ type: 'context_measured', agentId, ...use }];
}

const STILL_WRITING_MS = 15_000;

/**
 * Returns what is new about the agent's usage limit. Either the limit is over, or the control API or the transcript
 * reports something that Baton has not recorded yet, such as the time at which the limit ends.
 */
async function limitReported(
  ports: Ports,
  { id: agentId, limit = null, runtime, transcriptPath }: Agent,
  status: ReportedStatus | undefined,
): Promise<readonly Fact[]> {
  if (limit !== null && isPast(limit, ports.clock.now())) return [{ type: 'usage_limit_over', agentId, by: 'time' }];
  // The client may write two further facts to the transcript shortly after its hook has reported a usage limit: when
  // the limit ends, and whether the client will continue by itself.
  const isFresh = limit !== null && msBetween(limit.since, ports.clock.now()) < STILL_WRITING_MS;
  const isVague = limit !== null && (limit.until === null || isFresh) && transcriptPath !== null;
  const inTranscript = isVague
    ? await ports.runtimes.get(runtime)?.transcript?.usageLimit?.(transcriptPath)
    : undefined;
  const told = status?.limit ?? inTranscript;
  if (told === undefined || isPast(told, ports.clock.now())) return [];
  const isKnown =
    told.until === limit?.until &&
    told.retriesAt === limit?.retriesAt &&
    told.continuesItself === limit?.continuesItself;
  return isKnown ? [] : [{ type: 'usage_limit_hit', agentId, ...told }];
}

/**
 * Returns a failed turn that no hook has reported. An agent that is recorded as idle or starting has no running turn,
 * so nothing is returned for it.
 */
async function failureReported(
  ports: Ports,
  agent: Agent,
  status: ReportedStatus | undefined,
): Promise<readonly Fact[]> {
  if (hasRested(agent) || agent.state === 'starting') return [];
  if (status !== undefined && !saysRest(status)) return [];
  const turn = status?.lastTurn ?? (await turnInTranscript(ports, agent));
  if (turn?.outcome !== 'failed') return [];
  const { id: promptId, error = 'no reason was given', limit } = turn;
  const failed = { type: 'turn_failed', agentId: agent.id, promptId, error } as const;
  return limit === undefined ? [failed] : [{ type: 'usage_limit_hit', agentId: agent.id, ...limit }, failed];
}

async function turnInTranscript(ports: Ports, { runtime, transcriptPath }: Agent): Promise<TurnEnd | undefined> {
  return transcriptPath === null ? undefined : ports.runtimes.get(runtime)?.transcript?.lastTurn?.(transcriptPath);
}
