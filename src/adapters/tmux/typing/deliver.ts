import { errorMessage } from '../../../app/error-message.ts';
import type { Delivery, DeliveryOutcome } from '../../../app/ports/terminal.ts';
import { TerminalFault } from '../connection/terminal-fault.ts';
import type { TmuxLog } from '../connection/tmux-log.ts';
import { awaitReady, refuse } from './await-ready.ts';
import { checkDeliveryId } from './checks.ts';
import { concludeByApi, deliverByApi } from './deliver-by-api.ts';
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
  // Refuse an empty text, because for an empty text `set-buffer` of tmux 3.3a reports success but sets nothing.
  if (text.trim() === '') throw fault('there is nothing to type');
  return text;
}

/** Types a text and submits it. The caller holds the pane's lock. Can throw only before it has typed anything. */
export async function deliver(access: PaneAccess, delivery: Delivery, log: TmuxLog): Promise<DeliveryOutcome> {
  checkDeliveryId(delivery.id);
  const text = textToPaste(delivery);
  const submission = { access, delivery, text, log };
  const typed = delivery.kind === 'prompt' ? (delivery.reader.asTyped?.(text) ?? text) : text;
  const deadline = performance.now() + delivery.waitReadyMs;
  if (delivery.api !== undefined && delivery.kind === 'prompt') {
    const outcome = await deliverByApi(access, delivery, delivery.api, { deadline, text, log });
    if (outcome !== undefined) return outcome;
  }
  for (let attempt = 1; ; attempt++) {
    const found = await awaitReady(access, delivery, deadline);
    if (found.kind === 'refused') return found.refusal;
    if (found.kind === 'pasted') {
      if (found.byApi) return concludeByApi(delivery);
      log('pasted before', { delivery: delivery.id });
      if (!found.isLast)
        return {
          verdict: 'unconfirmed',
          detail: 'Baton had already pasted this text, and has pasted another text since',
        };
      return afterPaste(() => submit({ ...submission, pastedBefore: true }));
    }
    if (delivery.stillWanted?.() === false) return refuse('not_wanted');
    const outcome = await afterPaste(async () => {
      if (!(await access.paste(delivery.id, found.cursor, typed))) return undefined;
      log('pasted', { delivery: delivery.id, bytes: Buffer.byteLength(typed) });
      return submit({ ...submission, pastedBefore: false });
    });
    if (outcome !== undefined) return outcome;
    // tmux did not paste, because the pane or its screen had changed. The next reading of the screen shows the change.
    if (attempt === MAX_ATTEMPTS) return refuse('busy', "the agent's screen keeps changing");
  }
}

/**
 * Runs `work`, which pastes or submits the text. Throws if tmux did not take the text, because then nothing was pasted.
 * After any other failed request, the text may already have been typed, so the outcome is `unconfirmed`.
 */
async function afterPaste<T extends DeliveryOutcome | undefined>(work: () => Promise<T>): Promise<T | DeliveryOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TerminalFault && error.operation === 'stage') throw error;
    return { verdict: 'unconfirmed', detail: errorMessage(error) };
  }
}
