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
    // The time is part of the file name, so each further attempt gets a later time.
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
  // The document is valid, so a failing review must not stop the handoff.
  const advice = await review(ports, { sha256: result.sha256, endToken: run.endToken, folder }).catch(
    (error: unknown) => {
      ports.log.warn(`could not review the document: ${errorMessage(error)}`, { run: runId });
      return {};
    },
  );
  return [{ type: 'document_checked', runId, result, ...advice }];
}

/** Returns when this attempt asked the agent for the document. */
const askedAt = ({ steps, createdAt }: Run): Instant =>
  steps.findLast(({ step }) => step === 'instructing')?.enteredAt ?? createdAt;

interface Reviewed {
  readonly sha256: string;
  readonly endToken: string;
  readonly folder: string;
}

/** Reviews the document itself, and compares its statements with the disk and with git. */
async function review({ files, projects }: Ports, { sha256, endToken, folder }: Reviewed) {
  const { text } = await files.keptDocument(sha256);
  // If the copy cannot be read, do not review it as if it were an empty document.
  if (text === undefined) return {};
  const [git, missing] = await Promise.all([
    projects.git(folder, mentionedCommits(text)),
    projects.missingPaths(folder, mentionedPaths(text)),
  ]);
  const findings = [...reviewDocument(text, endToken), ...missingPathFindings(missing), ...contradictions(text, git)];
  return { findings, git };
}

/**
 * Checks that the successor can start before /exit is typed, because the exit cannot be undone. An archived persona is
 * no obstacle, because its agents can still hand off.
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
