import { afterEach, expect, it, vi } from 'vitest';
import { awaitOurDraft } from '../../../../src/adapters/tmux/typing/await-our-draft.ts';
import type { PaneAccess } from '../../../../src/adapters/tmux/typing/pane-access.ts';
import type { ScreenReader } from '../../../../src/app/ports/terminal.ts';

afterEach(() => void vi.restoreAllMocks());

const reader = { settleMs: 30, readScreen: () => ({ kind: 'ready' }) } as unknown as ScreenReader;

it.each([3, 6, 12])(
  'if the screen changes %i ms after a paste, Baton notices the change before 1.5 times that delay has passed',
  async (ms) => {
    // Simulate a pane that is gone after `ms` milliseconds, and readings of the screen that take 0.1 ms each. Baton
    // needs only one reading to notice that the pane is gone.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const look = async () => {
      now += 0.1;
      const screen = { lines: [''], solid: [''], cursorX: 0, cursorY: 0 };
      return now < ms ? { here: true, facts: { inMode: false }, screen } : { here: false, reason: 'pane_gone' };
    };
    const pause = async (forMs: number) => {
      now += forMs;
    };
    const sighting = await awaitOurDraft({ look } as unknown as PaneAccess, reader, 'hello', 4000, pause);
    expect(sighting).toEqual({ kind: 'absent', reason: 'pane_gone' });
    expect(now).toBeLessThan(1.5 * ms);
  },
);
