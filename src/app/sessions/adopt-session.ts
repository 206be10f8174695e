import { type Agent, paneTag } from '../../domain/agents/agent.ts';
import { alreadyAdopted, externalSessionNotFound, refuseAdoption } from '../../domain/agents/refuse-adoption.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { ExternalSession } from '../../domain/sessions/external-session.ts';
import type { AgentRow } from '../agents/new-agent.ts';
import { insertAgent } from '../engine/record-facts.ts';
import { errorMessage } from '../error-message.ts';
import { choosePersona, type PersonaRequest } from '../personas/choose-persona.ts';
import type { Ports } from '../ports/index.ts';
import type { Project, Tx } from '../ports/store.ts';
import type { Inspection, PaneIdentity } from '../ports/terminal.ts';
import { addProject } from '../settings/add-project.ts';
import { isAlive, isOf, laterThan } from './list-external-sessions.ts';

export interface AdoptRequest {
  readonly sessionId: string;
  /** The runtime of the session. If the operator names no runtime, Baton finds the session by its id alone. */
  readonly runtime: string | undefined;
  readonly persona: PersonaRequest;
  /** True if the session is handed off at once. Such a session gets no skill. */
  readonly isLeaving?: boolean;
}

/**
 * Turns an external session into an agent. Returns a refusal if Baton already detects a problem. This function changes
 * nothing outside Baton. A later effect marks the pane and enables the hooks.
 */
export async function adoptExternalSession(ports: Ports, request: AdoptRequest): Promise<Agent | Refusal> {
  const { session, later } = ports.store.read((tx) => find(tx, request));
  if (session === undefined) return externalSessionNotFound(request.sessionId);
  const taken = ports.store.read((tx) => takenBy(tx, session));
  if (taken !== undefined) return taken;
  const refusal = refuseAdoption(session, await isAlive(ports, session), later);
  if (refusal !== undefined) return refusal;
  const pane = await inspect(ports, session);
  if (isRefusal(pane)) return pane;
  const project = await addProject(ports, session.folder ?? '', undefined);
  if (isRefusal(project)) return project;
  return ports.store.write((tx) => adopt(tx, ports, { session, pane, project, ...request }));
}

function find(tx: Tx, { sessionId, runtime }: AdoptRequest): { session?: ExternalSession; later?: ExternalSession } {
  const all = tx.externalSessions();
  const session = all.find((each) => each.sessionId === sessionId && (runtime ?? each.runtime) === each.runtime);
  if (session === undefined) return {};
  const later = laterThan(session, all);
  return later === undefined ? { session } : { session, later };
}

function takenBy(tx: Tx, session: ExternalSession): Refusal | undefined {
  const agent = tx.liveAgents().find((each) => isOf(each, session));
  return agent && alreadyAdopted(session, agent);
}

const ELSEWHERE: Record<Exclude<Inspection['found'], 'pane'>, string> = {
  own_server: 'Only sessions in your own tmux can be adopted.',
  no_server: 'List the sessions that run: baton hooks status',
  no_pane: 'List the sessions that run: baton hooks status',
  no_process: 'List the sessions that run: baton hooks status',
  other_terminal: 'Start the session directly in a tmux pane.',
  not_in_front: 'Bring the session to the foreground (fg), and try again.',
};

async function inspect(ports: Ports, { sessionId, tmux, pid }: ExternalSession): Promise<PaneIdentity | Refusal> {
  const elsewhere = (detail: string, hint: string): Refusal => ({
    code: 'candidate_elsewhere',
    sentence: `Session ${sessionId} cannot be adopted: ${detail}`,
    hint,
  });
  if (tmux === null || pid === null) return elsewhere('it is not in tmux', ELSEWHERE.other_terminal);
  try {
    const seen = await ports.terminal.inspect({ socket: tmux.socket, paneId: tmux.pane, pid });
    if (seen.found !== 'pane') return elsewhere(seen.detail, ELSEWHERE[seen.found]);
    return seen.pane.tag === ''
      ? seen.pane
      : {
          code: 'already_adopted',
          sentence: `Session ${sessionId} cannot be adopted: another Baton has already adopted it (the option @baton_tag of its tmux pane is ${seen.pane.tag})`,
          hint: 'First release the session in the Baton that adopted it: baton agent release AGENT',
        };
  } catch (error) {
    return elsewhere(errorMessage(error), 'Check whether that tmux server can be reached.');
  }
}

interface Adopted {
  readonly session: ExternalSession;
  readonly pane: PaneIdentity;
  readonly project: Project;
  readonly persona: PersonaRequest;
  readonly isLeaving?: boolean;
}

/**
 * Adopts the session inside the transaction. If several requests for the same session arrive at the same time, only the
 * first one adopts it, and the others are refused.
 */
function adopt(
  tx: Tx,
  ports: Ports,
  { session, pane, project, persona: requested, isLeaving = false }: Adopted,
): Agent | Refusal {
  const taken = takenBy(tx, session);
  if (taken !== undefined) return taken;
  const persona = choosePersona(tx, project.id, requested);
  if (isRefusal(persona)) return persona;
  const now = ports.clock.now();
  const sessionUuid = ports.chance.uuid();
  const { runtime, sessionId, pid, transcriptPath } = session;
  const row: AgentRow = {
    projectId: project.id,
    personaId: persona?.id ?? null,
    runtime,
    previousAgentId: null,
    sessionUuid,
    runtimeSessionId: sessionId,
    resumesSession: null,
    clientPid: pid,
    tokenHash: ports.chance.sha256(ports.agentToken(sessionUuid)),
    pane: null,
    adoption: 'adopted',
    transcriptPath,
    state: 'starting',
    stateReason: 'is being adopted',
    stateCause: null,
    turnPromptId: null,
    lastPrompt: null,
    context: null,
    priming: isLeaving ? { status: 'done', at: now, warning: null } : { status: 'none' },
    messages: [],
    question: null,
    answers: [],
    startedAt: session.firstSeenAt,
    registeredAt: null,
    lastSeenAt: now,
    endedAt: null,
  };
  const { projectId, personaId, previousAgentId } = row;
  const logged = { projectId, personaId, runtime, previousAgentId, adopts: sessionId };
  return insertAgent(tx, ports, row, logged, (agent) => ({
    kind: 'adopt_agent',
    agentId: agent.id,
    pane: { ...pane, tag: paneTag(agent) },
  }));
}
