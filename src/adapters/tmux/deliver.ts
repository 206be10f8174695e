import type { Delivery, DeliveryOutcome } from '../../app/ports/terminal.ts';
import { awaitReady, obstacle, type Refusal, refuse } from './await-ready.ts';
import { checkDeliveryId } from './checks.ts';
import type { PaneAccess } from './pane-access.ts';
import { sanitizeForPane } from './sanitize-for-pane.ts';
import { submit } from './submit.ts';
import { TerminalFault } from './terminal-fault.ts';
import type { TmuxLog } from './tmux-log.ts';

const COMMAND = /^\/[a-z]+$/;

function textToPaste(delivery: Delivery): string {
  const fault = (message: string) => new TerminalFault('invalid', 'deliver', delivery.id, message);
  if (delivery.kind === 'command') {
    if (!COMMAND.test(delivery.text)) throw fault(`a command must match ${COMMAND.source}`);
    return delivery.text;
  }
  const text = sanitizeForPane(delivery.text);
  // `set-buffer` of an empty text answers success and sets nothing (3.3a).
  if (text.trim() === '') throw fault('there is nothing to type');
  return text;
}

/** The caller holds the pane's lock. Throws only while nothing has been typed. */
export async function deliver(access: PaneAccess, delivery: Delivery, log: TmuxLog): Promise<DeliveryOutcome> {
  checkDeliveryId(delivery.id);
  const text = textToPaste(delivery);
  const submission = { access, delivery, text, log };
  const found = await awaitReady(access, delivery);
  if (found === 'pasted') {
    log('pasted before', { delivery: delivery.id });
    return afterPaste(() => submit({ ...submission, pastedBefore: true }));
  }
  if (found !== 'ready') return found;
  await access.stage(text);
  return afterPaste(async () => {
    if (await access.paste(delivery.id)) {
      log('pasted', { delivery: delivery.id, bytes: Buffer.byteLength(text) });
      return submit({ ...submission, pastedBefore: false });
    }
    return (await whyRefused(access, delivery.id)) ?? submit({ ...submission, pastedBefore: true });
  });
}

/** `undefined` if somebody else has delivered it in the meantime. */
async function whyRefused(access: PaneAccess, id: string): Promise<Refusal | undefined> {
  const look = await access.look();
  if (look.here && look.facts.delivered === id) return undefined;
  // Every other part of the guard is final; a mode alone can have ended since.
  return (await obstacle(access, look)) ?? refuse('copy_mode');
}

/** From the moment the paste is on its way an unanswered request no longer means that nothing was typed. */
async function afterPaste(work: () => Promise<DeliveryOutcome>): Promise<DeliveryOutcome> {
  try {
    return await work();
  } catch (error) {
    return { verdict: 'unconfirmed', detail: error instanceof Error ? error.message : String(error) };
  }
}
