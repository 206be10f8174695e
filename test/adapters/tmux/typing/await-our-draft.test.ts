import { afterEach, expect, it, vi } from 'vitest';
import { awaitOurDraft } from '../../../../src/adapters/tmux/typing/await-our-draft.ts';
import type { PaneAccess } from '../../../../src/adapters/tmux/typing/pane-access.ts';
import type { ScreenReader } from '../../../../src/app/ports/terminal.ts';

/** The time in milliseconds. Each reading of the screen takes 0.1 ms, and each sleep its own time. */
const clock = vi.hoisted(() => ({ now: 0 }));

vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    clock.now += ms;
  },
  setImmediate: async () => {
    clock.now += 0.1;
  },
}));

afterEach(() => void vi.restoreAllMocks());

/** A client that shows the text of a paste this long after the paste. */
function slowClient(showsAfterMs: number): PaneAccess {
  clock.now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
  const look = async () => {
    clock.now += 0.1;
    const lines = [clock.now >= showsAfterMs ? 'hello' : ''];
    return {
      here: true,
      facts: { inMode: false, cursor: { x: 0, y: 0 } },
      screen: { lines, solid: lines, cursorX: 0, cursorY: 0 },
    };
  };
  return { look } as unknown as PaneAccess;
}

const reader = {
  settleMs: 30,
  readScreen: ({ lines: [text = ''] }: { lines: readonly string[] }) =>
    text === '' ? { kind: 'ready' } : { kind: 'draft', text },
  isOurDraft: (shown: string, text: string) => shown === text,
} as unknown as ScreenReader;

it.each([3, 6, 12])(
  'if a client shows the pasted text after %i ms, Baton sees it within half of that time',
  async (ms) => {
    const sighting = await awaitOurDraft(slowClient(ms), reader, 'hello', 4000);
    expect(sighting).toMatchObject({ kind: 'settled' });
    expect(sighting.kind === 'settled' && sighting.echoMs).toBeGreaterThanOrEqual(ms);
    expect(sighting.kind === 'settled' && sighting.echoMs).toBeLessThan(1.5 * ms);
    expect(clock.now).toBeGreaterThanOrEqual(ms + 30);
  },
);
