import { offers } from '../../domain/handoffs/actions.ts';
import { isOver, type Run, type RunAction } from '../../domain/handoffs/run.ts';
import type { RunsOn } from '../../domain/personas/runs-on.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { recordFact } from '../engine/record-facts.ts';
import { loadRunContext } from '../engine/run-context.ts';
import { chosenForSuccessor, type RuntimeRequest } from '../personas/choose-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { workingDirectoryOf } from '../worktrees/working-directory.ts';
import { changedSince } from './changed-since.ts';
import { refuseNote } from './request-handoff.ts';

export interface Choice {
  readonly runId: number;
  readonly action: RunAction;
  /** For the action `adopt`: the document that the agent wrote to another path than the expected one. */
  readonly file?: string | undefined;
  /** For `send_back`: what is wrong with the document. For `message`: the text for the successor. */
  readonly comment?: string | undefined;
  /** For `resume` and `retry`: the runtime of the successor, if the operator wants to change the runtime. */
  readonly successor?: RuntimeRequest | undefined;
}

/**
 * Performs the action that the operator chose for a run. If the operator clicks twice, the second click is refused,
 * because the first one has already advanced the run.
 */
export async function chooseRunAction(ports: Ports, choice: Choice): Promise<Run | Refusal> {
  const { runId, action } = choice;
  const adopted = action === 'adopt' ? await takeFile(ports, choice) : undefined;
  if (isRefusal(adopted)) return adopted;
  const comment = action === 'send_back' || action === 'message' ? validateComment(ports, choice) : undefined;
  if (isRefusal(comment)) return comment;
  const runsOn = await otherSuccessor(ports, choice);
  if (isRefusal(runsOn)) return runsOn;
  const since = GOES_ON.has(action) ? await changedSince(ports, runId) : undefined;
  return ports.store.write((tx) => {
    const run = judge(tx, ports, choice);
    if (isRefusal(run)) return run;
    recordFact(tx, ports, {
      type: 'operator_chose',
      runId,
      action,
      ...(adopted === undefined ? {} : { adopted }),
      ...(comment === undefined ? {} : { comment }),
      ...(since === undefined ? {} : { since }),
      ...(runsOn === undefined ? {} : { runsOn }),
    });
    return tx.runById(runId) ?? run;
  });
}

/**
 * Returns the runtime that the operator chose for the successor. Refuses if the run has already started a successor.
 */
async function otherSuccessor(ports: Ports, { runId, successor }: Choice): Promise<RunsOn | Refusal | undefined> {
  if (successor === undefined) return undefined;
  const { run, agent } = ports.store.read((tx) => {
    const found = tx.runById(runId);
    return { run: found, agent: found && tx.agentById(found.agentId) };
  });
  if (run === undefined || agent === undefined) return undefined;
  const chosen = await chosenForSuccessor(ports, agent, successor);
  if (chosen === undefined || isRefusal(chosen) || run.successorAgentId === null) return chosen;
  return {
    code: 'action_not_possible',
    sentence: `Handoff ${runId} has already started the successor agent ${run.successorAgentId}, so the agent type of the successor cannot be changed`,
  };
}

const GOES_ON: ReadonlySet<RunAction> = new Set(['use_recorded', 'resume', 'retry']);

export const recordNotFound = (id: number): Refusal => ({
  code: 'handoff_not_found',
  sentence: `Handoff record ${id} not found`,
});

/** Resumes the run that belongs to a handoff record. The original specification calls this "manual recovery". */
export async function resumeHandoff(ports: Ports, handoffId: number): Promise<Run | Refusal> {
  const { record, run } = ports.store.read((tx) => {
    const found = tx.handoffById(handoffId);
    return {
      record: found,
      run: found && tx.runsOfAgent(found.agentId).find((each) => each.handoffId === handoffId),
    };
  });
  if (record === undefined) return recordNotFound(handoffId);
  if (run === undefined)
    return {
      code: 'handoff_not_found',
      sentence: `Handoff record ${handoffId} belongs to no handoff, so it cannot be resumed`,
    };
  return chooseRunAction(ports, { runId: run.id, action: 'resume' });
}

function judge(tx: Tx, ports: Ports, { runId, action }: Choice): Run | Refusal {
  const run = tx.runById(runId);
  if (run === undefined) return { code: 'run_not_found', sentence: `Handoff ${runId} not found` };
  const world = loadRunContext(tx, ports, run);
  const offered = offers(run, world);
  if (offered.some((offer) => offer.action === action)) return run;
  if (world.newerRunId !== null && isOver(run)) {
    return {
      code: 'newer_run_exists',
      sentence: `Handoff ${runId} cannot continue: it has ended, and handoff ${world.newerRunId} of the same agent or of its successor is newer`,
      hint: `See: baton handoff show ${world.newerRunId}`,
      runId: world.newerRunId,
    };
  }
  const possible = offered.map((offer) => offer.action.replaceAll('_', '-')).join(', ');
  return {
    code: 'action_not_possible',
    sentence: `"${action.replaceAll('_', '-')}" is not possible now in handoff ${runId}, which ${stateInWords(run)}`,
    hint: possible === '' ? `See: baton handoff show ${runId}` : `Possible now: ${possible}`,
    runId,
    runStep: run.step,
  };
}

const stateInWords = ({ step }: Run): string => {
  if (step === 'failed') return 'has failed';
  if (step === 'cancelled') return 'was canceled';
  return step === 'completed' ? 'is completed' : 'is in progress';
};

const MAX_COMMENT = 1_000;

/**
 * Validates a comment of the operator. A comment with a secret is refused, because Baton types the comment and stores
 * it with the run.
 */
function validateComment(ports: Ports, { runId, action, comment = '' }: Choice): string | Refusal {
  const text = withoutControls(comment).replace(/\s+/g, ' ').trim();
  if (text === '' && action === 'message')
    return { code: 'bad_request', sentence: `Write the message for the successor of handoff ${runId}` };
  if (text === '')
    return {
      code: 'bad_request',
      sentence: 'Say what is wrong with the document; Baton sends your comment to the agent',
      hint: `baton handoff send-back ${runId} "The open questions are missing."`,
    };
  if (text.length > MAX_COMMENT)
    return {
      code: 'note_too_long',
      sentence: `The ${action === 'message' ? 'message' : 'comment'} has ${text.length} characters; at most ${MAX_COMMENT} are allowed`,
    };
  return refuseNote(ports, { note: text }) ?? text;
}

/** Copies the file to the expected path of the document; the original file stays. */
async function takeFile(ports: Ports, { runId, file, ...rest }: Choice): Promise<string | Refusal> {
  if (file === undefined || file === '')
    return {
      code: 'bad_request',
      sentence: 'Name the file to use as the document',
      hint: `baton handoff adopt ${runId} FILE`,
    };
  const judged = ports.store.read((tx) => judge(tx, ports, { runId, ...rest }));
  if (isRefusal(judged)) return judged;
  const { folders, document } = ports.store.read((tx) => {
    const { identity, agent } = loadRunContext(tx, ports, judged);
    const place = workingDirectoryOf(tx, agent);
    return {
      folders: [ports.files.handoffsFolder(identity.persona.slug), ...(place === undefined ? [] : [place.folder])],
      document: judged.document,
    };
  });
  if (document === null)
    return {
      code: 'bad_request',
      sentence: `Handoff ${runId} has no path for its document yet; try again in a moment`,
    };
  const place = { path: document.path, endToken: judged.endToken, allowedFolders: folders };
  const problem = await ports.files.adoptDocument(file, place);
  return problem === undefined ? file : { code: 'file_not_adoptable', sentence: problem };
}
