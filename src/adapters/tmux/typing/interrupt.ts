import type { InterruptRequest } from '../../../app/ports/terminal.ts';
import { obstacle } from './await-ready.ts';
import type { PaneAccess } from './pane-access.ts';

/**
 * Presses Escape once. The caller holds the pane's lock. Returns the reason why Escape was not pressed, or undefined if
 * it was pressed.
 */
export async function interrupt(
  access: PaneAccess,
  { reader, stillWanted }: InterruptRequest,
): Promise<string | undefined> {
  const look = await access.look();
  const refusal = await obstacle(access, look);
  if (refusal !== undefined) return refusal.detail;
  const state = look.here ? reader.readScreen(look.screen).kind : 'starting';
  if (state !== 'busy') return `its screen does not show that it is working (${state})`;
  if (stillWanted?.() === false) return 'the request no longer applies';
  return (await access.pressEscape()) ? undefined : 'its pane changed in the meantime';
}
