import type { Delivery, DeliveryOutcome } from '../../../app/ports/terminal.ts';
import type { TmuxLog } from '../connection/tmux-log.ts';
import { awaitOurDraft, readOurs, type Sighting } from './await-our-draft.ts';
import { becomesSoWithin, createPace } from './pace.ts';
import type { PaneAccess } from './pane-access.ts';

export interface Submission {
  readonly access: PaneAccess;
  readonly delivery: Delivery;
  /** The text that Baton pasted into the composer. */
  readonly text: string;
  /**
   * True if an earlier attempt at this delivery pasted the text. An empty composer then means that the text was already
   * submitted.
   */
  readonly pastedBefore: boolean;
  readonly log: TmuxLog;
}

const MAX_ENTERS = 3;
const MAX_REFUSALS = 10;
/**
 * How long Baton waits for the hook before it first reads the screen after an Enter. Most hooks arrive sooner, and then
 * the screen need not be read.
 */
const HOOK_FIRST_MS = 5;
const APPEAR_MS = 4000;

const typed = (enters: number): DeliveryOutcome => ({ verdict: 'typed', enters });
const unconfirmed = (detail: string): DeliveryOutcome => ({ verdict: 'unconfirmed', detail });

/** Presses the Enter key until Baton's text has left the composer. Called only after the text has been pasted. */
export async function submit(submission: Submission): Promise<DeliveryOutcome> {
  const { access, delivery, text, log } = submission;
  const { reader, id } = delivery;
  let refusals = 0;
  let echoMs = 0;
  for (let enters = 0; ; ) {
    const sighting = await awaitOurDraft(access, reader, text, patience(submission, enters));
    if (sighting.kind !== 'settled') return conclude(submission, sighting, enters);
    if (delivery.isSubmitted?.()) return typed(enters);
    if (enters === MAX_ENTERS) return unconfirmed(`the composer still contains the text after ${enters} Enters`);
    if (!(await access.inForeground())) return unconfirmed('the text was pasted, then the agent lost the terminal');
    if (enters === 0) echoMs = sighting.echoMs;
    const key = enters === MAX_ENTERS - 1 ? 'literal' : 'named';
    if (!(await access.pressEnter(id, sighting.cursor, key))) {
      // tmux did not press Enter, because the pane has changed since Baton last read the screen. Read the screen again
      // to see the change.
      if (++refusals === MAX_REFUSALS) return conclude(submission, { kind: 'restless' }, enters);
      continue;
    }
    log('enter pressed', { delivery: id, press: ++enters });
    const outcome = await watch(submission, enters, echoMs);
    if (outcome !== undefined) return outcome;
  }
}

function patience({ delivery, pastedBefore }: Submission, enters: number): number {
  const { settleMs } = delivery.reader;
  return enters === 0 && !pastedBefore ? APPEAR_MS : Math.max(400, 3 * settleMs);
}

/**
 * Returns the outcome of a delivery for which Baton does not press Enter any more. Either the composer no longer shows
 * the pasted text, or the pane or its screen does not allow Enter.
 */
function conclude({ delivery, pastedBefore }: Submission, sighting: Sighting, enters: number): DeliveryOutcome {
  if (sighting.kind === 'absent') {
    const ended = sighting.reason !== 'wrong_server' && (delivery.kind === 'command' || enters > 0);
    return ended ? typed(enters) : unconfirmed(`the text was pasted, then the pane ended (${sighting.reason})`);
  }
  if (sighting.kind === 'copy_mode') return unconfirmed('the text was pasted, then the pane was put into copy mode');
  if (sighting.kind !== 'other') return unconfirmed('the text was pasted, but the composer keeps changing');
  const { state } = sighting;
  if (enters > 0 || state.kind === 'busy') return typed(enters);
  if (state.kind === 'dialog') return unconfirmed('the text was pasted, then a dialog opened; Enter was not pressed');
  if (state.kind === 'draft')
    return unconfirmed(`the text was pasted, but the composer shows other text: ${state.text.slice(0, 200)}`);
  return pastedBefore ? typed(0) : unconfirmed('the text was pasted, but never appeared in the composer');
}

/**
 * Waits until Baton's text has left the composer. Returns `undefined` if the text is still there at the deadline. A
 * client that was slow to show the paste gets more time, because a second Enter that is sent too soon might answer a
 * dialog.
 */
async function watch(submission: Submission, enters: number, echoMs: number): Promise<DeliveryOutcome | undefined> {
  const { access, delivery, text } = submission;
  const { reader, isSubmitted = () => false, awaitNews } = delivery;
  const deadline = performance.now() + Math.max(400, 4 * reader.settleMs, 2 * echoMs);
  if (delivery.isSubmitted !== undefined && (await becomesSoWithin(HOOK_FIRST_MS, isSubmitted, awaitNews)))
    return typed(enters);
  const pace = createPace(20, 50);
  for (let clear = 0; ; ) {
    const look = await access.look();
    if (!look.here) return conclude(submission, { kind: 'absent', reason: look.reason }, enters);
    const { state, ours } = readOurs(reader, look, text);
    // Before the deadline, the text counts as submitted only after two consecutive readings of the screen without it,
    // because one reading may show a half-drawn screen.
    clear = ours || state.kind === 'starting' ? 0 : clear + 1;
    if (clear === 2) return typed(enters);
    if (performance.now() >= deadline) return ours ? undefined : typed(enters);
    // The text also counts as submitted once a hook reports the prompt. A hook is better evidence than the screen.
    if (await becomesSoWithin(pace(), isSubmitted, awaitNews)) return typed(enters);
  }
}
