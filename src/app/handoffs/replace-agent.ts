import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import { refuseSucceeded } from '../../domain/agents/resume.ts';
import { beginEmergency } from '../../domain/handoffs/advance.ts';
import { emergencyPrompt } from '../../domain/handoffs/prompts/emergency-prompt.ts';
import { type HandoffRequest, type Judged, validateEmergency } from '../../domain/handoffs/request.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { refuseArchived } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { beginRun } from '../engine/record-facts.ts';
import type { RuntimeRequest } from '../personas/choose-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { closeEarlier, newRun, refuseNote, runsTouching, withSuccessor } from './request-handoff.ts';
import { writeInItsPlace } from './write-in-its-place.ts';

/**
 * Starts a successor for an agent that ended without a document, or that cannot write one because of a usage limit.
 * Baton writes a document from what it knows, and the run is marked as an emergency wherever it is shown.
 */
export async function succeedAgent(
  ports: Ports,
  agentId: number,
  asked: HandoffRequest,
  successor: RuntimeRequest = {},
): Promise<Run | Refusal> {
  // Check the request before the document is written, so that a refused request leaves no document.
  const early = ports.store.read((tx) => assessEmergency(tx, ports, agentId, asked));
  if (isRefusal(early)) return early;
  const request = await withSuccessor(ports, agentId, asked, successor);
  if (isRefusal(request)) return request;
  const begun = await unfinishedDocument(ports, agentId);
  const transcriptPath = await existingTranscript(ports, agentId);
  const written = await writeInItsPlace(ports, agentId, {
    note: early.note,
    transcriptPath,
    unfinishedDocument: begun,
  });
  return ports.store.write((tx) => {
    const judged = assessEmergency(tx, ports, agentId, request);
    if (isRefusal(judged)) return judged;
    const row = newRun(ports, agentId, { ...judged, ...written, emergency: true, lostCountsAsGone: true });
    const advanced = beginRun(tx, ports, row, (run, world) =>
      beginEmergency(run, emergencyPrompt(run, { ...world, agent: { ...world.agent, transcriptPath } }, begun), world),
    );
    closeEarlier(tx, ports, advanced);
    return advanced;
  });
}

function assessEmergency(tx: Tx, ports: Ports, agentId: number, request: HandoffRequest): Judged | Refusal {
  const agent = tx.agentById(agentId);
  const runs = runsTouching(tx, agentId);
  const judged = validateEmergency(agent ?? agentNotFound(agentId), runs, tx.handoffOfAgent(agentId), request);
  if (isRefusal(judged)) return judged;
  // Refuse an archived persona, as `baton agent start` does: a replacement starts a new agent, while a handoff
  // continues with the persona of a live agent.
  const persona = agent?.personaId == null ? undefined : tx.personaById(agent.personaId);
  return (
    refuseSucceeded(agentId, tx.successorsOf(agentId)) ??
    refuseNote(ports, judged) ??
    (persona && refuseArchived(persona)) ??
    judged
  );
}

/**
 * Returns the path of the latest document that Baton asked for and the agent has begun to write; null if there is none.
 */
async function unfinishedDocument({ store, files }: Ports, agentId: number): Promise<string | null> {
  for (const { document, endToken } of store.read((tx) => tx.runsOfAgent(agentId)).toReversed()) {
    if (document !== null && (await files.readDocumentFacts(document.path, endToken)) !== undefined)
      return document.absolutePath;
  }
  return null;
}

/**
 * Returns the path of the agent's transcript. Returns null if the file is missing or empty: the prompt must not name a
 * useless file.
 */
async function existingTranscript({ store, runtimes }: Ports, agentId: number): Promise<string | null> {
  const agent = store.read((tx) => tx.agentById(agentId));
  const path = agent?.transcriptPath ?? null;
  const reader = agent && runtimes.get(agent.runtime)?.transcript;
  return path !== null && reader !== undefined && (await reader.end(path).catch(() => 0)) > 0 ? path : null;
}
