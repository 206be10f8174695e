import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, DeliveryOutcome, RefusalReason, ScreenState } from '../../app/ports/terminal.ts';
import { createPace } from './pace.ts';
import type { Look, PaneAccess } from './pane-access.ts';

export type Refusal = Extract<DeliveryOutcome, { verdict: 'refused' }>;

const WHY: Readonly<Record<RefusalReason, string>> = {
  starting: 'the agent has not shown its composer yet',
  busy: 'the agent is working',
  dialog: 'a dialog is open',
  draft: 'there is unsent text in the composer',
  copy_mode: 'the pane is in copy mode: somebody is reading there',
  agent_gone: 'the agent no longer owns this pane',
  pane_gone: 'the pane is gone',
  wrong_server: 'the tmux server of this pane is gone',
};

export function refuse(reason: RefusalReason, shown = ''): Refusal {
  const detail = shown === '' ? WHY[reason] : `${WHY[reason]}: ${shown.slice(0, 200)}`;
  return { verdict: 'refused', reason, detail };
}

/** What forbids typing whatever the screen shows. */
export async function obstacle(access: PaneAccess, look: Look): Promise<Refusal | undefined> {
  if (!look.here) return refuse(look.reason);
  if (look.facts.inMode) return refuse('copy_mode');
  if (!(await access.inForeground())) return refuse('agent_gone', 'another process has the terminal');
  return undefined;
}

/** Until the composer is empty and waiting, or it turns out that this very delivery has been pasted before. */
export async function awaitReady(access: PaneAccess, delivery: Delivery): Promise<'ready' | 'pasted' | Refusal> {
  const deadline = performance.now() + delivery.waitReadyMs;
  const pace = createPace(20, 100);
  let drafts = 0;
  for (;;) {
    const look = await access.look();
    if (!look.here) return refuse(look.reason);
    if (look.facts.delivered === delivery.id) return 'pasted';
    const refusal = await obstacle(access, look);
    if (refusal !== undefined) return refusal;
    const state = delivery.reader.readScreen(look.screen);
    if (state.kind === 'ready') return 'ready';
    drafts = state.kind === 'draft' ? drafts + 1 : 0;
    // One glance at a draft may be a half-drawn screen.
    const final = state.kind === 'dialog' || drafts === 2 || performance.now() >= deadline;
    if (final) return refuse(state.kind, textOf(state));
    await sleep(pace());
  }
}

function textOf(state: ScreenState): string {
  return 'text' in state ? state.text : '';
}
