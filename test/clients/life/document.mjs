// Situations that disturb the turn in which the agent should write the document. The turn is interrupted or ends
// without a document, the context is cleared or compacted, or hooks of the user run during the turn.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isInstruction, WORD } from '../handoff-scene.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

const TALKS = () => ({ text: 'First I think about it.', slowMs: 60_000 });
/**
 * Matches the first sign of an answer on the screen. Release 2.0 of Claude Code shows the text only when the answer is
 * complete, and shows a token count until then.
 */
const WORDS = /word word|↓ \d+ tokens/;
const AGAIN = ['instruction', 'instruction-2', 'injection-2'];
/** A Stop hook of the user that blocks the end of each turn once, as a hook that checks the agent's work would do. */
const STOP_ONCE = `p=$(cat); case "$p" in *'"stop_hook_active":true'*) exit 0;; esac; echo 'Look once more.' >&2; exit 2`;

/**
 * Requests a handoff and waits for the first words of the turn that should write the document. That turn does not end
 * by itself.
 */
async function clickAndTalk(/** @type {Stage} */ stage) {
  stage.model.instead(isInstruction, TALKS);
  const id = await stage.click();
  await stage.runWhen(id, ({ step }) => step === 'awaiting_document');
  await stage.sees(WORDS);
  return id;
}

/** Expects that the inbox no longer contains the words "not asked to exit". */
async function nothingLeftOver(/** @type {Stage} */ stage) {
  const { items = [] } = await stage.baton.call('GET', '/api/inbox');
  const left = items.filter((/** @type {any} */ item) => /not asked to exit/.test(JSON.stringify(item)));
  stage.expect(left.length === 0, `left over in the inbox: ${JSON.stringify(left)}`);
}

/** @type {Situation[]} */
export const DOCUMENT = [
  {
    name: 'text_only',
    finding: 'j',
    about:
      'the agent only talks: the run halts at once and says that the document is missing; asking again completes it',
    play: async (stage) => {
      stage.model.instead(isInstruction, () => ({ text: 'I would rather not.' }));
      const id = await stage.click();
      const run = await stage.runWhen(id, ({ over }) => over, 25_000);
      stage.expect(/document does not exist/.test(run.failure?.sentence), run.failure?.sentence);
      await stage.says('inbox list', /document does not exist/);
      await stage.choose(id, 'instruct_again');
      await stage.runWhen(id, ({ step }) => step !== 'failed');
      await stage.completes(id, AGAIN);
    },
  },
  {
    name: 'interrupted',
    about:
      'the operator presses Esc in the document turn: the run says that it was interrupted; asking again completes it',
    play: async (stage) => {
      const id = await clickAndTalk(stage);
      await stage.press('Escape');
      const run = await stage.runWhen(id, ({ over }) => over, 60_000);
      stage.expect(/interrupted/.test(run.failure?.sentence), run.failure?.sentence);
      await stage.choose(id, 'instruct_again');
      await stage.runWhen(id, ({ step }) => step !== 'failed');
      await stage.completes(id, AGAIN);
    },
  },
  {
    name: 'interrupted_and_cleared',
    finding: 'L7',
    about:
      'Esc and /clear in the document turn: the run says so, and a document of the cleared session is refused or comes with a warning',
    // Set a short deadline for the document, so that a run that hangs by mistake fails soon. A run that does not hang
    // ends before this deadline.
    setting: { config: { deadlines_seconds: { awaiting_document: 40 } } },
    play: async (stage) => {
      const id = await clickAndTalk(stage);
      await stage.press('Escape');
      await stage.sees(/Interrupted/);
      await sleep(500);
      await stage.type('/clear');
      await sleep(600);
      await stage.press('Enter');
      const run = await stage.runWhen(id, ({ over }) => over, 60_000);
      stage.expect(/interrupt|clear/i.test(run.failure?.sentence), run.failure?.sentence);
      await stage.says('handoff show', /clear/i, 5_000);
      await stage.choose(id, 'instruct_again');
      const after = await stage
        .runWhen(id, ({ step }) => /completed|failed/.test(step), 60_000)
        .catch(() => stage.run(id));
      if (after.step !== 'completed') return;
      const asked = stage.model.requests.findLast(isInstruction);
      if (JSON.stringify(asked?.body.messages).includes(WORD)) return;
      stage.expect(
        /clear|conversation/i.test(after.warnings.join()),
        `completed without a warning, by a session that knows nothing: ${after.warnings}`,
      );
    },
  },
  {
    name: 'clear_queued',
    finding: 'w',
    about:
      '/clear is typed during a document turn that writes nothing: the run halts and says that the conversation was cleared',
    play: async (stage) => {
      stage.model.instead(isInstruction, () => ({ text: 'I would rather not.', slowMs: 5_000 }));
      const id = await stage.click();
      await stage.sees(WORDS);
      await stage.type('/clear');
      await sleep(600);
      await stage.press('Enter');
      const run = await stage.runWhen(id, ({ over }) => over, 30_000).catch(() => stage.run(id));
      stage.expect(run.step === 'failed', `the run is at ${run.step}`);
      await stage.says('handoff show', /clear/i, 5_000);
    },
  },
  {
    name: 'compact_at_click',
    finding: 'q',
    about: 'the operator has typed /compact at the click: the instruction waits for its end',
    play: async (stage) => {
      stage.model.instead(
        ({ texts }) => /summary/i.test(texts.at(-1) ?? ''),
        () => ({ text: 'A summary.', slowMs: 6_000 }),
      );
      await stage.command('/compact', /Compacting/);
      const id = await stage.click();
      await sleep(2_000);
      stage.nothingTyped();
      await stage.completes(id);
    },
  },
  {
    name: 'slow_hooks_of_the_user',
    finding: 'i',
    about:
      "the user's own Stop hook takes 3 s and the SessionEnd hook 1 s: both run to their ends, and the handoff completes",
    setting: {
      hooks: { Stop: 'sleep 3; echo stopped >> "$HOME/ran"', SessionEnd: 'sleep 1; echo ended >> "$HOME/ran"' },
    },
    play: async (stage) => {
      await stage.completes(await stage.click());
      const path = join(stage.baton.user, 'ran');
      const ran = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
      stage.expect(ran.includes('ended') && ran.filter((each) => each === 'stopped').length >= 2, `ran: ${ran}`);
      await nothingLeftOver(stage);
    },
  },
  {
    name: 'stop_hook_sends_back_once',
    finding: 'i, L24',
    about:
      "the user's own Stop hook sends the agent back once per turn: /exit waits until it rests, and nothing is left in the inbox",
    setting: { hooks: { Stop: STOP_ONCE } },
    play: async (stage) => {
      await stage.completes(await stage.click());
      await nothingLeftOver(stage);
    },
  },
  {
    name: 'stop_hook_sends_back_for_a_while',
    finding: 'i, L24',
    about:
      "the user's own Stop hook sends the agent back five times after the document: the handoff waits, completes, and leaves no notice",
    setting: {
      hooks: {
        Stop: `cat > /dev/null; ls "$BATON_HOME"/data/personas/*/handoffs/*.md > /dev/null 2>&1 || exit 0; echo x >> "$HOME/back"; [ $(wc -l < "$HOME/back") -gt 5 ] && exit 0; sleep 1; echo 'Look again.' >&2; exit 2`,
      },
    },
    play: async (stage) => {
      await stage.completes(await stage.click());
      await nothingLeftOver(stage);
    },
  },
  {
    name: 'instruction_blocked_by_hook',
    finding: 'L25',
    about: "the user's own hook blocks the instruction: typed once, and the run says that a hook blocked it",
    setting: { policy: `printf '%s' "$p" | grep -q handoff-end && exit 2; exit 0` },
    maySay: ['blocked_by_hook'],
    play: async (stage) => {
      const id = await stage.click();
      await stage.runWhen(id, ({ over }) => over);
      await stage.says('handoff show', /hook/i, 3_000);
      await stage.says('inbox list', /hook/i, 5_000);
      const submitted = stage.submissions().filter(({ prompt }) => /handoff-end/.test(prompt)).length;
      stage.expect(submitted === 1, `submitted ${submitted} times`);
      stage.expect(!stage.model.requests.some(isInstruction), 'the model was asked');
    },
  },
  {
    name: 'note_full_of_oddities',
    finding: 'v',
    about: 'a note with emoji, reminder tags, quotes and a command substitution does no harm, and both agents get it',
    play: async (stage) => {
      const note = `Mind the 🚀 and </system-reminder> "quotes" 'q' $(touch ${join(stage.baton.project, 'executed')}) \`id\` 漢字`;
      await stage.completes(await stage.click({ note }));
      stage.expect(!existsSync(join(stage.baton.project, 'executed')), 'a command in the note was executed');
      const told = stage.model.requests.find(isInstruction)?.prompt ?? '';
      stage.expect(told.includes('🚀') && told.includes('漢字'), 'the note did not arrive');
    },
  },
];
