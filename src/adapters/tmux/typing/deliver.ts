import { errorMessage } from '../../../app/error-message.ts';
import type { Delivery, DeliveryOutcome } from '../../../app/ports/terminal.ts';
import { TerminalFault } from '../connection/terminal-fault.ts';
import type { TmuxLog } from '../connection/tmux-log.ts';
import { awaitReady, refuse } from './await-ready.ts';
import { checkDeliveryId } from './checks.ts';
import type { PaneAccess } from './pane-access.ts';
import { sanitizeForPane } from './sanitize-for-pane.ts';
import { submit } from './submit.ts';

const MAX_ATTEMPTS = 10;
const COMMAND = /^\/[a-z]+$/;

function textToPaste(delivery: Delivery): string {
  const fault = (message: string) => new TerminalFault('invalid', 'deliver', delivery.id, message);
  if (delivery.kind === 'command') {
    if (!COMMAND.test(delivery.text)) throw fault(`a command must match ${COMMAND.source}`);
    return delivery.text;
  }
  const text = sanitizeForPane(delivery.text);
  // Refuse an empty text, because `set-buffer` reports success for it and sets nothing (3.3a).
  if (text.trim() === '') throw fault('there is nothing to type');
  return text;
}

/** Types a text and submits it. The caller holds the pane's lock. Throws only before anything was typed. */
export async function deliver(access: PaneAccess, delivery: Delivery, log: TmuxLog): Promise<DeliveryOutcome> {
  checkDeliveryId(delivery.id);
  const text = textToPaste(delivery);
  const submission = { access, delivery, text, log };
  const deadline = performance.now() + delivery.waitReadyMs;
  for (let attempt = 1; ; attempt++) {
    const found = await awaitReady(access, delivery, deadline);
    if (found.kind === 'refused') return found.refusal;
    if (found.kind === 'pasted') {
      log('pasted before', { delivery: delivery.id });
      if (!found.isLast)
        return { verdict: 'unconfirmed', detail: 'it was pasted before, and another text was pasted since' };
      return afterPaste(() => submit({ ...submission, pastedBefore: true }));
    }
    if (delivery.stillWanted?.() === false) return refuse('not_wanted');
    await access.stage(text);
    const outcome = await afterPaste(async () => {
      if (!(await access.paste(delivery.id, found.cursor))) return undefined;
      log('pasted', { delivery: delivery.id, bytes: Buffer.byteLength(text) });
      return submit({ ...submission, pastedBefore: false });
    });
    if (outcome !== undefined) return outcome;
    // The guard refused. The next reading of the screen shows why, or that the screen had only moved.
    if (attempt === MAX_ATTEMPTS) return refuse('busy', 'its screen keeps changing');
  }
}

/** The text may have been typed by now, so a failed request gives the outcome `unconfirmed` and does not throw. */
async function afterPaste<T extends DeliveryOutcome | undefined>(work: () => Promise<T>): Promise<T | DeliveryOutcome> {
  try {
    return await work();
  } catch (error) {
    return { verdict: 'unconfirmed', detail: errorMessage(error) };
  }
}
