import { refuseSucceeded } from '../../domain/agents/resume.ts';
import { beginEmergency } from '../../domain/handoffs/advance.ts';
import { emergencyPrompt } from '../../domain/handoffs/prompts/emergency-prompt.ts';
import { type HandoffRequest, validateEmergency } from '../../domain/handoffs/request.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { refuseArchived } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { beginRun } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';
import { closeEarlier, newRun, refuseNote, runsTouching } from './request-handoff.ts';

/**
 * Starts a successor for an agent that ended without a document. The successor gets only what Baton knows, and its run
 * is marked as an emergency wherever it is shown.
 */
export async function succeedAgent(ports: Ports, agentId: number, request: HandoffRequest): Promise<Run | Refusal> {
  const begun = await unfinishedDocument(ports, agentId);
  return ports.store.write((tx) => {
    const agent = tx.agentById(agentId);
    const runs = runsTouching(tx, agentId);
    const judged = validateEmergency(agent, runs, tx.handoffOfAgent(agentId), request);
    if (isRefusal(judged)) return judged;
    const unfit = refuseSucceeded(agentId, tx.successorsOf(agentId)) ?? refuseNote(ports, judged);
    if (unfit !== undefined) return unfit;
    // Refuse an archived persona, as `baton agent start` does: a new agent starts, but no agent hands off.
    const persona = agent?.personaId == null ? undefined : tx.personaById(agent.personaId);
    const archived = persona && refuseArchived(persona);
    if (archived !== undefined) return archived;
    const row = newRun(ports, agentId, { ...judged, emergency: true, lostCountsAsGone: true });
    const advanced = beginRun(tx, ports, row, (run, world) =>
      beginEmergency(run, emergencyPrompt(run, world, begun), world),
    );
    closeEarlier(tx, ports, advanced);
    return advanced;
  });
}

/** Returns the latest document that the agent was asked for and began to write, if the file exists. */
async function unfinishedDocument({ store, files }: Ports, agentId: number): Promise<string | null> {
  for (const { document, endToken } of store.read((tx) => tx.runsOfAgent(agentId)).toReversed()) {
    if (document !== null && (await files.readDocumentFacts(document.path, endToken)) !== undefined)
      return document.absolutePath;
  }
  return null;
}
