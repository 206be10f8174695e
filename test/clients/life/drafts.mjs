// Situations with the operator's draft in the composer, with the cursor at any place. Baton types nothing, says why it
// waits, and continues once the draft is gone.

import { setTimeout as sleep } from 'node:timers/promises';
import { blocked } from './blocked.mjs';
import { composerIn } from './screen.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

const UNSENT = /unsent text|draft|text in (its|the) composer/i;
const VIM = { settings: { editorMode: 'vim' }, claudeJson: { editorMode: 'vim' } };

async function typeDraft(/** @type {Stage} */ stage, /** @type {string} */ text) {
  await stage.type(text);
  await stage.until(
    'the draft',
    () => stage.screen(),
    (screen) => composerIn(screen)?.includes(text.slice(-12)) === true,
  );
}

/** @param {Stage} stage @param {RegExp} draft */
async function clickAtDraft(stage, draft) {
  await blocked(stage, { cause: UNSENT, unblock: () => stage.clearComposer() });
  const sent = stage.model.requests.some(({ texts }) => draft.test(texts.join()));
  stage.expect(!sent, 'the draft reached the model');
}

/** @type {Situation[]} */
export const DRAFTS = [
  {
    name: 'draft_cursor_at_end',
    finding: 'L12',
    about: 'a draft stands in the composer: the handoff waits, run and inbox say so, the draft stays',
    play: async (stage) => {
      await typeDraft(stage, 'half a thought of the operator');
      await clickAtDraft(stage, /half a thought/);
    },
  },
  {
    name: 'draft_cursor_at_start',
    finding: 'L5',
    about: 'the same with the cursor at the start of the draft',
    play: async (stage) => {
      await typeDraft(stage, 'delete the production database if I say so');
      await stage.press('Home');
      await sleep(500);
      await clickAtDraft(stage, /production database/);
    },
  },
  {
    name: 'draft_of_three_lines',
    finding: 'L12',
    about: 'the same with three lines and the cursor at the start of the first',
    play: async (stage) => {
      await stage.type('first line of a draft');
      for (const line of ['second line', '- third']) {
        await stage.press('C-j');
        await stage.type(line);
      }
      await stage.sees(/- third/);
      await stage.press('Up', 'Up', 'Home');
      await sleep(500);
      await clickAtDraft(stage, /line of a draft/);
    },
  },
  {
    name: 'draft_vim_normal_at_start',
    finding: 'L5',
    about: 'the same in vim mode, NORMAL, with the cursor moved by 0',
    setting: VIM,
    play: async (stage) => {
      await typeDraft(stage, 'fix the login bug');
      await stage.press('Escape');
      await sleep(400);
      await stage.press('0');
      await sleep(500);
      await blocked(stage, {
        cause: UNSENT,
        unblock: async () => {
          await stage.type('dd');
          await sleep(300);
        },
      });
    },
  },
  {
    name: 'draft_typed_while_it_works',
    finding: 'p',
    about: 'a draft that is begun during a turn is still a draft when the turn ends',
    play: async (stage) => {
      await stage.tell('Talk for a while. ⟦slow 5⟧');
      await typeDraft(stage, 'and then there is the login bug');
      const id = await stage.click();
      await stage.clientSays('idle');
      await stage.draftStands(5_000);
      stage.nothingTyped();
      await stage.says('inbox list', UNSENT);
      await stage.clearComposer();
      await stage.completes(id);
    },
  },
  {
    name: 'draft_slash_command',
    about: 'a half slash command with its menu open is a draft too',
    play: async (stage) => {
      await stage.type('/mo');
      await stage.sees(/\/model/);
      await blocked(stage, { cause: UNSENT, unblock: () => stage.clearComposer() });
    },
  },
  {
    name: 'send_at_draft_cursor_at_start',
    finding: 'L5, L22',
    about: 'a message sent while a draft stands with the cursor at its start is refused, and the draft stays',
    play: async (stage) => {
      await typeDraft(stage, 'fix the login bug');
      await stage.press('Home');
      await sleep(500);
      const before = composerIn(await stage.screen());
      const verdict = await stage.send('a short message');
      stage.expect(verdict.verdict === 'refused' && verdict.reason === 'draft', JSON.stringify(verdict));
      const after = composerIn(await stage.screen());
      if (!stage.expect(after === before, `the draft ${before} became ${after}`)) stage.draftSpoiled++;
    },
  },
];
