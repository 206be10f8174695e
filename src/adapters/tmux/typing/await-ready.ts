import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, DeliveryOutcome, NotAtRest, RefusalReason, ScreenState } from '../../../app/ports/terminal.ts';
import { apiMark, type Cursor } from '../pane-facts.ts';
import { createPace } from './pace.ts';
import type { Look, PaneAccess } from './pane-access.ts';

export type Refusal = Extract<DeliveryOutcome, { verdict: 'refused' }>;

const WHY: Readonly<Record<RefusalReason, string>> = {
  starting: 'its screen shows no composer',
  busy: 'the agent is working',
  dialog: 'a dialog is open',
  draft: 'there is unsent text in the composer',
  view: 'its composer is hidden',
  unknown: 'its screen shows a line that Baton does not recognize',
  copy_mode: 'the pane is in copy mode',
  agent_gone: 'the agent no longer owns this pane',
  pane_gone: 'the pane is gone',
  wrong_server: 'the tmux server of this pane is gone',
  not_wanted: 'the request no longer applies',
  not_asked: 'it shows no question',
  other_question: 'the agent shows another question now',
};

export function refuseFor(state: ScreenState): Refusal {
  if (state.kind === 'ready') return refuse('busy');
  if (state.kind === 'busy') return refuse('busy', state.doing);
  if (state.kind === 'dialog' && state.isMenu)
    return { ...refuse('dialog'), detail: `a menu is open: ${state.text.slice(0, 200)}` };
  return refuse(state.kind, 'text' in state ? state.text : '');
}

export function refuse(reason: RefusalReason, shown = ''): Refusal {
  const detail = shown === '' ? WHY[reason] : `${WHY[reason]}: ${shown.slice(0, 200)}`;
  return { verdict: 'refused', reason, detail };
}

/**
 * Returns an obstacle to typing that exists whatever the client shows on its screen: the pane is gone or in copy mode,
 * or the agent is not in the foreground of its terminal. Returns undefined if there is no such obstacle.
 */
export async function obstacle(access: PaneAccess, look: Look): Promise<Refusal | undefined> {
  if (!look.here) return refuse(look.reason);
  if (look.facts.inMode) return refuse('copy_mode');
  if (!(await access.inForeground())) return refuse('agent_gone', 'another process has the terminal');
  return undefined;
}

export const refuseNotAtRest = ({ reason, detail }: NotAtRest): Refusal => ({ verdict: 'refused', reason, detail });

export type Readiness =
  | { readonly kind: 'ready'; readonly cursor: Cursor }
  /** The text of this delivery was pasted earlier or, if `byApi` is true, given to the client's API. */
  | { readonly kind: 'pasted'; readonly isLast: boolean; readonly byApi: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * The time between two readings of a draft. The time must not be shorter, because a client may need a moment to finish
 * drawing its screen.
 */
const DRAFT_AGAIN_MS = 20;

/**
 * If the client became idle only a moment before the deadline, the delivery waits this much longer. On a busy machine,
 * a single check of the client could otherwise use up all the time until the deadline.
 */
const SETTLES_MS = 2_000;

/**
 * Returns whether it is too late to deliver the text. If `doubt.forMs` is set, the client will soon be ready by itself,
 * so the delivery gets SETTLES_MS more time.
 */
export const isTooLate = (deadline: number, doubt: NotAtRest | undefined): boolean =>
  performance.now() >= deadline + (doubt?.forMs === undefined ? 0 : SETTLES_MS);

/** Waits for an empty composer. */
export async function awaitReady(access: PaneAccess, delivery: Delivery, deadline: number): Promise<Readiness> {
  const pace = createPace(10, 50);
  const refused = (refusal: Refusal): Readiness => ({ kind: 'refused', refusal });
  let drafts = 0;
  for (;;) {
    const look = await access.look();
    if (!look.here) return refused(refuse(look.reason));
    const { delivered } = look.facts;
    if (delivered.includes(delivery.id)) {
      const byApi = delivered.includes(apiMark(delivery.id));
      return { kind: 'pasted', isLast: delivered.at(-1) === delivery.id, byApi };
    }
    const refusal = await obstacle(access, look);
    if (refusal !== undefined) return refused(refusal);
    const state = delivery.reader.readScreen(look.screen);
    const doubt = state.kind === 'ready' ? await delivery.whyNotAtRest?.() : undefined;
    if (state.kind === 'ready' && doubt === undefined) return { kind: 'ready', cursor: look.facts.cursor };
    drafts = state.kind === 'draft' ? drafts + 1 : 0;
    // Report a draft only after seeing it twice, because the first screen may be half-drawn.
    const final = state.kind === 'dialog' || drafts === 2 || isTooLate(deadline, doubt);
    if (final) return refused(doubt === undefined ? refuseFor(state) : refuseNotAtRest(doubt));
    const waitMs = Math.max(pace(), drafts > 0 ? DRAFT_AGAIN_MS : 0);
    await sleep(Math.min(waitMs, Math.max(1, doubt?.forMs ?? Infinity)));
  }
}
