import { setTimeout as sleep } from 'node:timers/promises';
import type { ScreenReader, ScreenState } from '../../../app/ports/terminal.ts';
import type { Absence, Cursor } from '../pane-facts.ts';
import { createPace, sleepUntil } from './pace.ts';
import type { Look, PaneAccess } from './pane-access.ts';

/** The result of waiting for Baton's text in the composer. */
export type Sighting =
  /** `echoMs` is the time from the start of the wait until Baton's text was first seen in the composer. */
  | { readonly kind: 'settled'; readonly cursor: Cursor; readonly echoMs: number }
  | { readonly kind: 'restless' }
  | { readonly kind: 'copy_mode' }
  | { readonly kind: 'absent'; readonly reason: Absence }
  | { readonly kind: 'other'; readonly state: ScreenState };

/**
 * If the composer does not change for this long, Baton presses Enter even if a clock or spinner elsewhere on the screen
 * moves.
 */
const DRAFT_STILL_MS = 2000;
const MIN_PACE_MS = 1;
/**
 * How long Baton reads the screen without pauses after the paste. Most clients show the text within a few milliseconds,
 * and Baton would see the text later if it paused.
 */
const WITHOUT_PAUSE_MS = 4;
const RESTLESS_MS = 15_000;
/**
 * How long Baton waits if the screen shows neither Baton's text nor an empty composer. A merely slow client would still
 * show an empty composer.
 */
const OTHER_MS = 2000;

export function readOurs(reader: ScreenReader, look: Look & { here: true }, text: string) {
  const state = reader.readScreen(look.screen);
  return { state, ours: state.kind === 'draft' && reader.isOurDraft(state.text, text) };
}

/**
 * Waits until the composer contains Baton's text and the screen no longer changes, because some clients treat Enter
 * during a burst of input as a newline. No constant delay would be right for all clients. Gives up after `patienceMs`
 * without Baton's text.
 */
export async function awaitOurDraft(
  access: PaneAccess,
  reader: ScreenReader,
  text: string,
  patienceMs: number,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Sighting> {
  const pace = createPace(5, 50);
  const unseenPace = createPace(MIN_PACE_MS, 50);
  const began = performance.now();
  const screen = createStillness();
  const draft = createStillness();
  let lastOurs = began;
  let firstOurs: number | undefined;
  let quickestLook = Infinity;
  for (;;) {
    const asked = performance.now();
    const look = await access.look();
    const now = performance.now();
    quickestLook = Math.min(quickestLook, now - asked);
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
    if (pressable) {
      const left = reader.settleMs - screenStill;
      const wait = pace();
      // Request the last screen a little early, so that the answer of tmux arrives when the settle time is over.
      if (left <= wait) await sleepUntil(now + left - quickestLook);
      else await pause(wait);
    } else if (firstOurs !== undefined || now - began >= WITHOUT_PAUSE_MS) {
      await pause(Math.min(unseenPace(), Math.max(reader.settleMs, MIN_PACE_MS)));
    }
  }
}

/** Returns a function that takes the current value and returns for how long the value has not changed. */
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
