import { shortUuid } from '../../../domain/agents/agent.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { contradictions, mentionedCommits } from '../../../domain/handoffs/document/contradictions.ts';
import { mentionedPaths, missingPathFindings } from '../../../domain/handoffs/document/mentioned-paths.ts';
import { reviewDocument } from '../../../domain/handoffs/document/review-document.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import type { Instant } from '../../../domain/instant.ts';
import { unavailableReason } from '../../agents/unavailable-reason.ts';
import { errorMessage } from '../../error-message.ts';
import type { Ports } from '../../ports/index.ts';
import { deniedTool } from '../denied-tool.ts';
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
    // A document of a later attempt gets a later timestamp in its name.
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
  const result = await ports.files.checkDocument(run.document.path, run.endToken);
  if (result.verdict !== 'good') {
    const folders = [ports.files.handoffsFolder(persona.slug), folder];
    const beside = await ports.files.newTexts(folders, askedAt(run)).catch((error: unknown) => {
      ports.log.warn(`could not look for other files: ${errorMessage(error)}`, { run: runId });
      return [];
    });
    const others = beside.filter((path) => path !== run.document?.absolutePath);
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
  // The document is good; a failing review must not stop the handoff.
  const advice = await review(ports, { sha256: result.sha256, endToken: run.endToken, folder }).catch(
    (error: unknown) => {
      ports.log.warn(`could not review the document: ${errorMessage(error)}`, { run: runId });
      return {};
    },
  );
  return [{ type: 'document_checked', runId, result, ...advice }];
}

/** When this attempt at a document began. */
const askedAt = ({ steps, createdAt }: Run): Instant =>
  steps.findLast(({ step }) => step === 'instructing')?.enteredAt ?? createdAt;

interface Reviewed {
  readonly sha256: string;
  readonly endToken: string;
  readonly folder: string;
}

/** Compares the document's statements with what is on disk and in git, and checks the document itself. */
async function review({ files, projects }: Ports, { sha256, endToken, folder }: Reviewed) {
  const { text } = await files.keptDocument(sha256);
  // Do not review an unreadable copy as if it were a blank document.
  if (text === undefined) return {};
  const [git, missing] = await Promise.all([
    projects.git(folder, mentionedCommits(text)),
    projects.missingPaths(folder, mentionedPaths(text)),
  ]);
  const findings = [...reviewDocument(text, endToken), ...missingPathFindings(missing), ...contradictions(text, git)];
  return { findings, git };
}

/**
 * Runs before /exit is typed, because the exit cannot be undone. Ignores archiving: an archived persona's agents can
 * still hand off.
 */
export async function checkSuccessorCanStart(
  ports: Ports,
  { runId }: Of<'check_successor_can_start'>,
): Promise<readonly Fact[]> {
  const { agent, folder } = loadRunParticipants(ports, runId);
  const runtime = ports.runtimes.get(agent.runtime);
  const problem =
    (await ports.files.whyNotAProject(folder)) ??
    (runtime === undefined ? `unknown runtime ${agent.runtime}` : await unavailableReason(ports, runtime)) ??
    (await runtime?.whyNotIn?.(folder));
  return [
    problem === undefined
      ? { type: 'successor_can_start', runId }
      : { type: 'successor_cannot_start', runId, detail: problem },
  ];
}
