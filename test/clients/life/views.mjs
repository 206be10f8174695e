// Situations in which a menu or view that the operator opened replaces the composer. Baton must type nothing and must
// name the menu or view. It must not report the menu or view as a question of the agent.

import { setTimeout as sleep } from 'node:timers/promises';
import { blocked } from './blocked.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

/** Matches sentences that name the menu or view, or say that Baton does not recognize the screen. */
const OPEN =
  /menu|dialog|is open|opened|view|transcript|history|covers|instead of (its|the) composer|not know|unknown|cannot (tell|read)/i;
/**
 * Matches sentences that Baton must not say: useless hints, and sentences that call the operator's own menu a question
 * of the agent.
 */
const NEVER = [/Let the agent finish, or interrupt/, /^Con asks|\(agent \d+\) asks/];

/**
 * @param {string} name
 * @param {string} about
 * @param {(stage: Stage) => Promise<unknown>} open
 * @param {(stage: Stage) => Promise<unknown>} close
 * @param {RegExp} [cause]
 * @returns {Situation}
 */
const view = (name, about, open, close, cause = OPEN) => ({
  name,
  finding: 'L12, L15, L23',
  about,
  never: NEVER,
  play: async (stage) => {
    await open(stage);
    const verdict = await stage.send('never to be typed there');
    stage.expect(verdict.verdict === 'refused', `a message is not refused: ${JSON.stringify(verdict)}`);
    await blocked(stage, {
      cause,
      unblock: async () => {
        await close(stage);
        await sleep(500);
        await stage.clearComposer();
      },
    });
    const heard = stage.model.requests.some(({ texts }) => texts.join().includes('never to be typed there'));
    stage.expect(!heard, 'the refused message reached the model');
  },
});

/**
 * Presses Esc until the composer is shown. Some menus need two presses, but a second Esc in the composer would open
 * another menu.
 */
async function esc(/** @type {Stage} */ stage) {
  for (let times = 0; times < 3 && !isRest(await stage.screen()); times++) {
    await stage.press('Escape');
    await sleep(1_000);
  }
}

const isRest = (/** @type {string} */ screen) => /^─{3}.*\n❯/m.test(screen);

/** @param {string} name @param {RegExp} shown */
const menu = (name, shown) =>
  view(`menu_${name}`, `the operator has /${name} open`, (stage) => stage.command(`/${name}`, shown), esc);

/** @type {Situation[]} */
export const VIEWS = [
  menu('model', /Select model/),
  menu('config', /Config|Settings/),
  menu('help', /For more help/),
  menu('resume', /Resume session/),
  view(
    'transcript_view',
    'the operator reads the transcript (Ctrl-O)',
    async (stage) => {
      await stage.press('C-o');
      await stage.sees(/Showing detailed transcript/);
    },
    (stage) => stage.press('C-o'),
  ),
  view(
    'history_search',
    'the operator searches the history (Ctrl-R)',
    async (stage) => {
      await stage.press('C-r');
      await stage.sees(/Filter history/);
    },
    esc,
  ),
  view(
    'history_navigation',
    'the operator went up to an earlier prompt, which stands in the composer',
    async (stage) => {
      await stage.press('Up');
      await stage.sees(/History 1\/1/);
    },
    (stage) => stage.press('Down'),
    /unsent text|draft|history|text in (its|the) composer/i,
  ),
  view(
    'rewind_menu',
    'the operator has the rewind menu open (Esc Esc)',
    async (stage) => {
      await stage.press('Escape');
      await sleep(150);
      await stage.press('Escape');
      await stage.sees(/Restore the code/);
    },
    esc,
  ),
];
