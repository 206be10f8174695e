import { expect, it } from 'vitest';
import type { PaneFacts } from '../../../../src/adapters/tmux/pane-facts.ts';
import type { PaneAccess } from '../../../../src/adapters/tmux/typing/pane-access.ts';
import { submit } from '../../../../src/adapters/tmux/typing/submit.ts';
import type { Delivery } from '../../../../src/app/ports/terminal.ts';
import { reader } from '../rig.ts';

/**
 * A pane in which Baton's text stays in the composer, as if a hook of the user had blocked the prompt and the client
 * had put the text back.
 */
function stuckPane() {
  const counts = { looks: 0, looksSinceEnter: 0, enters: 0 };
  const screen = { lines: ['❯\u00a0hello'], cursorX: 0, cursorY: 0 };
  const facts: PaneFacts = {
    identity: { serverPid: 1, serverStartedAt: 1, paneId: '%1', panePid: 2, tag: 't' },
    sessionName: 's',
    cursor: { x: 0, y: 0 },
    inMode: false,
    dead: false,
    staysAtExit: false,
    delivered: [],
  };
  const access: Partial<PaneAccess> = {
    look: async () => {
      counts.looks++;
      if (counts.enters > 0) counts.looksSinceEnter++;
      return { here: true, facts, screen };
    },
    inForeground: async () => true,
    pressEnter: async () => {
      counts.enters++;
      return true;
    },
  };
  return { counts, access: access as PaneAccess };
}

it('[L25] Baton presses no second Enter after a hook has reported the prompt', async () => {
  const { counts, access } = stuckPane();
  const delivery: Delivery = {
    id: 'd',
    kind: 'prompt',
    text: 'hello',
    reader,
    waitReadyMs: 0,
    isSubmitted: () => counts.enters > 0,
  };
  const outcome = await submit({ access, delivery, text: 'hello', pastedBefore: false, log: () => undefined });
  expect(outcome).toEqual({ verdict: 'typed', enters: 1 });
  expect(counts).toMatchObject({ enters: 1, looksSinceEnter: 0 });
});

it('Baton presses Enter three times if no hook reports the prompt and the composer keeps the text', async () => {
  const { counts, access } = stuckPane();
  const delivery: Delivery = {
    id: 'd',
    kind: 'prompt',
    text: 'hello',
    reader,
    waitReadyMs: 0,
    isSubmitted: () => false,
  };
  const outcome = await submit({ access, delivery, text: 'hello', pastedBefore: false, log: () => undefined });
  expect(outcome).toEqual({ verdict: 'unconfirmed', detail: 'the composer still contains the text after 3 Enters' });
  expect(counts.enters).toBe(3);
});
