import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../../app/error-message.ts';
import type { ApiDelivery, Delivery, DeliveryOutcome } from '../../../app/ports/terminal.ts';
import type { TmuxLog } from '../connection/tmux-log.ts';
import { isTooLate, refuse, refuseFor, refuseNotAtRest } from './await-ready.ts';
import { createPace } from './pace.ts';
import type { PaneAccess } from './pane-access.ts';

/**
 * Submits a text through the control API of the client. The caller holds the pane's lock. The pane gets the delivery id
 * before the text is submitted, so that no crash leads to a second submission. Returns undefined if the API does not
 * answer, or if the pane has changed or already has this delivery id.
 */
export async function deliverByApi(
  access: PaneAccess,
  delivery: Delivery,
  api: ApiDelivery,
  { deadline, text, log }: { readonly deadline: number; readonly text: string; readonly log: TmuxLog },
): Promise<DeliveryOutcome | undefined> {
  const pace = createPace(10, 50);
  for (;;) {
    if (!(await api.answers())) return undefined;
    const look = await access.look();
    if (!look.here) return refuse(look.reason);
    if (look.facts.delivered.includes(delivery.id)) return undefined;
    // Check the screen, because the API does not know of a menu or a dialog of the terminal program itself.
    const state = delivery.reader.readScreen(look.screen);
    if (state.kind === 'dialog') return refuseFor(state);
    const doubt = await delivery.whyNotAtRest?.();
    if (doubt === undefined) break;
    if (isTooLate(deadline, doubt)) return refuseNotAtRest(doubt);
    await sleep(Math.min(pace(), Math.max(1, doubt.forMs ?? Infinity)));
  }
  if (delivery.stillWanted?.() === false) return refuse('not_wanted');
  if (!(await access.markForApi(delivery.id))) return undefined;
  log('marked for the API', { delivery: delivery.id });
  const outcome = await api.submit(text).catch(unknown);
  log('submitted through the API', { delivery: delivery.id, verdict: outcome.verdict });
  if (outcome.verdict !== 'refused') return { ...outcome, by: 'api' };
  // The text has certainly not arrived. Remove the marks, so that a later attempt can deliver the text.
  await access.unmarkForApi(delivery.id);
  return outcome;
}

const unknown = (error: unknown): DeliveryOutcome => ({ verdict: 'unconfirmed', detail: errorMessage(error) });

/** The outcome of a delivery that an earlier server began through the API but did not finish. */
export function concludeByApi({ isSubmitted }: Delivery): DeliveryOutcome {
  if (isSubmitted?.()) return { verdict: 'typed', enters: 0, by: 'api' };
  const detail = "an earlier attempt gave the text to the client's API, and Baton does not know whether it arrived";
  return { verdict: 'unconfirmed', detail, by: 'api' };
}
