import { shortUuid } from '../../domain/agents/agent.ts';
import {
  emergencyDocument,
  type KnownWork,
  NOTHING_RECALLED,
} from '../../domain/handoffs/document/emergency-document.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { taskOf } from '../engine/run-context.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import { workingDirectoryOf } from '../worktrees/working-directory.ts';

type Given = Pick<KnownWork, 'note' | 'transcriptPath' | 'unfinishedDocument'>;

/**
 * Writes the handoff document for an agent that cannot write one. Baton checks and stores this document like every
 * other document. If the document cannot be written, returns an empty object, and Baton puts what it knows into the
 * successor's prompt instead.
 */
export async function writeInItsPlace(
  ports: Ports,
  agentId: number,
  given: Given,
): Promise<Partial<Pick<Run, 'document' | 'endToken'>>> {
  try {
    return (await write(ports, agentId, given)) ?? {};
  } catch (error) {
    ports.log.warn(`could not write an emergency document: ${errorMessage(error)}`, { agent: agentId });
    return {};
  }
}

async function write(ports: Ports, agentId: number, given: Given) {
  const { agent, persona, place, taken, task } = ports.store.read((tx) => {
    const found = tx.agentById(agentId);
    const runs = tx.runsOfAgent(agentId);
    return {
      agent: found,
      persona: found?.personaId == null ? undefined : tx.personaById(found.personaId),
      place: found && workingDirectoryOf(tx, found),
      taken: runs.flatMap(({ document }) => (document === null ? [] : [document.path])),
      task: found ? taskOf(tx, found) : null,
    };
  });
  if (agent === undefined || persona === undefined || place === undefined) return undefined;
  const reader = ports.runtimes.get(agent.runtime)?.transcript;
  const recalled =
    given.transcriptPath === null ? undefined : await reader?.recall?.(given.transcriptPath).catch(() => undefined);
  const endToken = ports.chance.token(20);
  const identity = { persona, projectName: place.project.name };
  const git = await ports.projects.git(place.folder);
  const text = emergencyDocument(
    { agent, identity, task, git, recalled: recalled ?? NOTHING_RECALLED, ...given },
    endToken,
  );
  const spot = await ports.files.prepareDocumentPlace({
    slug: persona.slug,
    uuid8: shortUuid(agent),
    at: ports.clock.now(),
    taken,
  });
  await ports.files.writeDocument(spot.path, ports.secrets.redact(text));
  const checked = await ports.files.checkDocument(spot.path, endToken);
  if (checked.verdict !== 'good') throw new Error(`the document is ${checked.verdict}`);
  const { sha256, bytes, markerFound } = checked;
  return { endToken, document: { ...spot, sha256, bytes, markerFound } };
}
