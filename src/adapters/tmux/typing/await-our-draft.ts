import { setTimeout as sleep } from 'node:timers/promises';
import type { ScreenReader, ScreenState } from '../../../app/ports/terminal.ts';
import type { Absence, Cursor } from '../pane-facts.ts';
import { createPace } from './pace.ts';
import type { Look, PaneAccess } from './pane-access.ts';

/** The result of waiting for our text in the composer. */
export type Sighting =
  /** `echoMs`: the time until our text was first seen. */
  | { readonly kind: 'settled'; readonly cursor: Cursor; readonly echoMs: number }
  | { readonly kind: 'restless' }
  | { readonly kind: 'copy_mode' }
  | { readonly kind: 'absent'; readonly reason: Absence }
  | { readonly kind: 'other'; readonly state: ScreenState };

/**
 * If the composer is still for this long, Enter is pressed even if a clock or spinner elsewhere on the screen moves.
 */
const DRAFT_STILL_MS = 2000;
const RESTLESS_MS = 15_000;
/** If the screen shows something other than our text, the client is not slow, so wait only this long. */
const OTHER_MS = 2000;

export function readOurs(reader: ScreenReader, look: Look & { here: true }, text: string) {
  const state = reader.readScreen(look.screen);
  return { state, ours: state.kind === 'draft' && reader.isOurDraft(state.text, text) };
}

/**
 * Waits until the composer contains our text and the screen is still, because some clients treat Enter during a burst
 * of input as a newline, and no constant delay is right for all. Gives up when our text was not seen for `patienceMs`.
 */
export async function awaitOurDraft(
  access: PaneAccess,
  reader: ScreenReader,
  text: string,
  patienceMs: number,
): Promise<Sighting> {
  const pace = createPace(20, 50);
  const began = performance.now();
  const screen = createStillness();
  const draft = createStillness();
  let lastOurs = began;
  let firstOurs: number | undefined;
  for (;;) {
    const look = await access.look();
    const now = performance.now();
    if (!look.here) return { kind: 'absent', reason: look.reason };
    const { state, ours } = readOurs(reader, look, text);
    const { lines, cursorX, cursorY } = look.screen;
    const screenStill = screen(`${cursorX},${cursorY}\n${lines.join('\n')}`, now);
    const draftStill = draft(state.kind === 'draft' ? `${cursorX},${cursorY}\n${state.text}` : `\0${state.kind}`, now);
    const unseen = firstOurs === undefined;
    const pressable = ours && !look.facts.inMode;
    if (pressable) {
      lastOurs = now;
      firstOurs ??= now;
      if (screenStill >= reader.settleMs || draftStill >= Math.max(DRAFT_STILL_MS, 4 * reader.settleMs)) {
        return { kind: 'settled', cursor: look.facts.cursor, echoMs: firstOurs - began };
      }
      if (now - began > RESTLESS_MS) return { kind: 'restless' };
    } else if (now - lastOurs >= (unseen && state.kind === 'ready' ? patienceMs : Math.min(patienceMs, OTHER_MS))) {
      return ours ? { kind: 'copy_mode' } : { kind: 'other', state };
    }
    await sleep(Math.min(pace(), Math.max(reader.settleMs, 5)));
  }
}

/** Returns a function that says for how long the value has been the same. */
function createStillness(): (value: string, now: number) => number {
  let last: string | undefined;
  let since = 0;
  return (value, now) => {
    if (value !== last) {
      last = value;
      since = now;
    }
    return now - since;
  };
}
