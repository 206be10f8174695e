import { shortUuid } from '../../../domain/agents/agent.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { contradictions, mentionedCommits } from '../../../domain/handoffs/document/contradictions.ts';
import { isDocumentOfOther } from '../../../domain/handoffs/document/document.ts';
import { readKnowledge } from '../../../domain/handoffs/document/knowledge.ts';
import { mentionedPaths, missingPathFindings } from '../../../domain/handoffs/document/mentioned-paths.ts';
import { reviewDocument } from '../../../domain/handoffs/document/review-document.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import type { Instant } from '../../../domain/instant.ts';
import { MAX_SEARCHED } from '../../../domain/search/search-words.ts';
import { errorMessage } from '../../error-message.ts';
import { choicesForSuccessor, firstAble } from '../../personas/choose-runtime.ts';
import type { Ports } from '../../ports/index.ts';
import { clientStatus } from '../client/client-status.ts';
import { deniedTool } from '../client/denied-tool.ts';
import { loadRunParticipants } from './load-run-participants.ts';

type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

export async function prepareDocumentPlace(
  ports: Ports,
  { runId }: Of<'prepare_document_place'>,
): Promise<readonly Fact[]> {
  const { agent, persona, run } = loadRunParticipants(ports, runId);
  const earlier = ports.store.read((tx) => tx.runsOfAgent(agent.id));
  const place = await ports.files.prepareDocumentPlace({
    slug: persona.slug,
    uuid8: shortUuid(agent),
    // Each attempt of a run needs its own document file, and the file name contains a time. The first attempt uses the
    // time at which the run was created. Each further attempt uses the current time.
    at: run.attempt === 1 ? run.createdAt : ports.clock.now(),
    taken: earlier.flatMap(({ document, recordedDocument }) => [
      ...(document === null ? [] : [document.path]),
      ...(recordedDocument === null ? [] : [recordedDocument.path]),
    ]),
  });
  return [{ type: 'document_place_prepared', runId, ...place }];
}

export async function checkDocument(ports: Ports, { runId }: Of<'check_document'>): Promise<readonly Fact[]> {
  const { agent, run, folder, persona } = loadRunParticipants(ports, runId);
  if (run.document === null) throw new Error('the run has no document path');
  // Read the client's status now, together with the document. Baton types /exit only after the client has reported for
  // some time that it is idle. This time begins with the first reading of the status.
  const atRest = clientStatus(ports, agent).catch(() => undefined);
  const [result] = await Promise.all([ports.files.checkDocument(run.document.path, run.endToken), atRest]);
  if (result.verdict !== 'good') {
    const folders = [ports.files.handoffsFolder(persona.slug), folder];
    const beside = await ports.files.newTexts(folders, askedAt(run)).catch((error: unknown) => {
      ports.log.warn(`could not look for other files: ${errorMessage(error)}`, { run: runId });
      return [];
    });
    const others = beside.filter(
      (path) => path !== run.document?.absolutePath && !isDocumentOfOther(path, shortUuid(agent)),
    );
    const denied = await deniedTool(ports, agent, 'write', askedAt(run));
    return [
      {
        type: 'document_checked',
        runId,
        result,
        ...(others.length === 0 ? {} : { beside: others }),
        ...(denied === undefined ? {} : { denied }),
      },
    ];
  }
  const text = await readKept(ports, runId, result.sha256);
  if (text === undefined) return [{ type: 'document_checked', runId, result }];
  const findings = reviewDocument(text, run.endToken);
  // Do not read open points and lessons from an emergency document. Baton itself wrote that document, so its next steps
  // do not come from the agent.
  const knowledge = run.emergency ? {} : { knowledge: readKnowledge(text, run.endToken) };
  return [{ type: 'document_checked', runId, result, findings, text: text.slice(0, MAX_SEARCHED), ...knowledge }];
}

/**
 * Reads the copy of the document. Returns undefined if the copy cannot be read. The document then stays valid but is
 * not reviewed, because a review of an empty text would report wrong problems.
 */
async function readKept({ files, log }: Ports, runId: number, sha256: string): Promise<string | undefined> {
  try {
    return (await files.keptDocument(sha256)).text;
  } catch (error) {
    log.warn(`could not review the document: ${errorMessage(error)}`, { run: runId });
    return undefined;
  }
}

/** Returns the time at which this attempt of the run asked the agent for the document. */
const askedAt = ({ steps, createdAt }: Run): Instant =>
  steps.findLast(({ step }) => step === 'instructing')?.enteredAt ?? createdAt;

/**
 * The delay before Baton starts git to compare the document. Starting git blocks the server for some milliseconds, so
 * Baton pastes /exit before it starts git. The delay is short enough that git is done before Baton presses Enter.
 */
const GIT_LATER_MS = 8;

/** Compares the statements of the document with the disk and with git. */
export async function compareDocument(ports: Ports, { runId }: Of<'compare_document'>): Promise<readonly Fact[]> {
  const { run, folder } = loadRunParticipants(ports, runId);
  const { projects } = ports;
  const text = run.document?.sha256 ? await readKept(ports, runId, run.document.sha256) : undefined;
  if (text === undefined) return [{ type: 'document_compared', runId, findings: [] }];
  await new Promise<void>((resolve) => ports.clock.after(GIT_LATER_MS, resolve));
  const [git, missing] = await Promise.all([
    projects.git(folder, mentionedCommits(text)),
    projects.missingPaths(folder, mentionedPaths(text)),
  ]);
  const findings = [...missingPathFindings(missing), ...contradictions(text, git)];
  return [{ type: 'document_compared', runId, findings, git }];
}

/**
 * Checks that the successor can start. This check happens before Baton types /exit, because the exit cannot be undone.
 * An archived persona is no obstacle: agents that already have the persona can still hand off.
 */
export async function checkSuccessorCanStart(
  ports: Ports,
  { runId }: Of<'check_successor_can_start'>,
): Promise<readonly Fact[]> {
  const { agent, folder, run } = loadRunParticipants(ports, runId);
  const problem = await ports.files.whyNotAProject(folder);
  if (problem !== undefined) return [{ type: 'successor_cannot_start', runId, detail: problem }];
  const choices = ports.store.read((tx) => choicesForSuccessor(tx, agent, run.runsOn));
  const choice = await firstAble(ports, choices, folder);
  if (choice.able === undefined) return [{ type: 'successor_cannot_start', runId, detail: choice.why }];
  const isSame = choice.able.runtime === agent.runtime && Object.keys(choice.able).length === 1;
  return [{ type: 'successor_can_start', runId, ...(isSame ? {} : { runsOn: choice.able }) }];
}
