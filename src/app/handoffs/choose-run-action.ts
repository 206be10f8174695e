import { offers } from '../../domain/handoffs/actions.ts';
import { isOver, type Run, type RunAction } from '../../domain/handoffs/run.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { recordFact } from '../engine/record-facts.ts';
import { loadRunContext } from '../engine/run-context.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { workingDirectoryOf } from '../worktrees/working-directory.ts';
import { changedSince } from './changed-since.ts';
import { refuseNote } from './request-handoff.ts';

export interface Choice {
  readonly runId: number;
  readonly action: RunAction;
  /** For `adopt`: the file that the agent wrote elsewhere. */
  readonly file?: string | undefined;
  /** For `send_back`: what is wrong with the document. */
  readonly comment?: string | undefined;
}

/** Performs the action that the operator chose. A second click is refused, because the run has already advanced. */
export async function chooseRunAction(ports: Ports, choice: Choice): Promise<Run | Refusal> {
  const { runId, action } = choice;
  const adopted = action === 'adopt' ? await takeFile(ports, choice) : undefined;
  if (isRefusal(adopted)) return adopted;
  const comment = action === 'send_back' ? validateComment(ports, choice) : undefined;
  if (isRefusal(comment)) return comment;
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
    });
    return tx.runById(runId) ?? run;
  });
}

const GOES_ON: ReadonlySet<RunAction> = new Set(['use_recorded', 'resume', 'retry']);

/** Resumes the run of a handoff record; the seed requires this for "manual recovery". */
export async function resumeHandoff(ports: Ports, handoffId: number): Promise<Run | Refusal> {
  const run = ports.store.read((tx) => {
    const record = tx.handoffById(handoffId);
    return record && tx.runsOfAgent(record.agentId).find((each) => each.handoffId === handoffId);
  });
  if (run === undefined) return { code: 'handoff_not_found', sentence: `Handoff ${handoffId} not found` };
  return chooseRunAction(ports, { runId: run.id, action: 'resume' });
}

function judge(tx: Tx, ports: Ports, { runId, action }: Choice): Run | Refusal {
  const run = tx.runById(runId);
  if (run === undefined) return { code: 'run_not_found', sentence: `Run ${runId} not found` };
  const world = loadRunContext(tx, ports, run);
  const offered = offers(run, world);
  if (offered.some((offer) => offer.action === action)) return run;
  if (world.newerRunId !== null && isOver(run)) {
    return {
      code: 'newer_run_exists',
      sentence: `Run ${runId} has ended, and run ${world.newerRunId} of the same agent or its successor is newer`,
      hint: `See: baton handoff show ${world.newerRunId}`,
      runId: world.newerRunId,
    };
  }
  const possible = offered.map((offer) => offer.action.replaceAll('_', '-')).join(', ');
  return {
    code: 'action_not_possible',
    sentence: `Run ${runId} is at ${run.step}${run.failure === null ? '' : ` (${run.failure.at})`}, where "${action}" is not possible`,
    hint: possible === '' ? 'No action is possible.' : `Possible now: ${possible}`,
    runId,
    runStep: run.step,
  };
}

const MAX_COMMENT = 1_000;

/** Validates a comment. Like a note, a comment is typed exactly as given and stored with its run. */
function validateComment(ports: Ports, { runId, comment = '' }: Choice): string | Refusal {
  const text = withoutControls(comment).replace(/\s+/g, ' ').trim();
  if (text === '')
    return {
      code: 'bad_request',
      sentence: 'Say what is wrong with the document; Baton sends this to the agent',
      hint: `baton handoff send-back ${runId} "The open questions are missing."`,
    };
  if (text.length > MAX_COMMENT)
    return {
      code: 'note_too_long',
      sentence: `The comment has ${text.length} characters; at most ${MAX_COMMENT} are allowed`,
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
  if (document === null) return { code: 'bad_request', sentence: `Run ${runId} has no document path yet` };
  const place = { path: document.path, endToken: judged.endToken, allowedFolders: folders };
  const problem = await ports.files.adoptDocument(file, place);
  return problem === undefined ? file : { code: 'file_not_adoptable', sentence: problem };
}
