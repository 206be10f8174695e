// Situations with unusual window sizes and folder names, the user's own preferences, and a Baton that is killed.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { composerIn } from './screen.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

/** @param {string} name @param {string} about @param {NonNullable<Situation['setting']>} setting @param {string} [finding] @returns {Situation} */
const plain = (name, about, setting, finding) => ({
  name,
  about: `${about}: the handoff completes without a question`,
  ...(finding ? { finding } : {}),
  setting,
  play: async (stage) => {
    await stage.completes(await stage.click());
    const asked = stage.watch.sentences(/^inbox list/).filter((sentence) => /asks/.test(sentence));
    stage.expect(asked.length === 0, `it asked: ${asked.join()}`);
  },
});

/**
 * Requests a handoff nine seconds after the beginning of a turn in which the model sends nothing.
 * @param {Stage} stage
 */
async function clickInSilence(stage) {
  await stage.tell('Think about it. ⟦silent 14⟧');
  await sleep(9_000);
  const id = await stage.click();
  await sleep(3_000);
  const run = await stage.run(id);
  stage.expect(run.step === 'waiting_safe_point', `in the middle of a turn the run went to ${run.step}`);
  stage.nothingTyped();
  await stage.completes(id);
}

const QUIET = { settings: { prefersReducedMotion: true } };
const VIM = { settings: { editorMode: 'vim' }, claudeJson: { editorMode: 'vim' } };

/** @type {Situation[]} */
export const TERMINAL = [
  {
    name: 'reduced_motion_click',
    finding: 'L2',
    about: 'a user with prefersReducedMotion: a click in the middle of a turn waits for its end',
    setting: QUIET,
    play: clickInSilence,
  },
  {
    name: 'reduced_motion_send',
    finding: 'L2',
    about: 'a user with prefersReducedMotion: a message in the middle of a turn is refused as busy',
    setting: QUIET,
    play: async (stage) => {
      // Make the turn longer than three seconds. Baton waits up to three seconds for a working agent to become idle,
      // and only then refuses the message.
      await stage.tell('Think about it. ⟦silent 18⟧');
      await sleep(9_000);
      const verdict = await stage.send('never-to-be-queued');
      stage.expect(verdict.verdict === 'refused' && verdict.reason === 'busy', JSON.stringify(verdict));
    },
  },
  {
    name: 'own_spinner_verbs',
    about: "the user's own spinner verbs: a click in the middle of a turn waits for its end",
    setting: { settings: { spinnerVerbs: { mode: 'replace', verbs: ['Zzz'] } } },
    play: clickInSilence,
  },
  plain('window_40x10', 'a window of 40×10', { size: [40, 10] }),
  plain('window_300x80', 'a window of 300×80', { size: [300, 80] }),
  {
    name: 'window_24x6',
    about:
      'a window of 24×6, in which nothing can be seen: nothing is sent twice or mixed, and it completes or is told',
    play: async (stage) => {
      await stage.resize(24, 6);
      await sleep(1_500);
      const id = await stage.click();
      const run = await stage.runWhen(id, ({ over }) => over, 20_000).catch(() => stage.run(id));
      if (run.step === 'completed') return;
      await stage.says('handoff show', /small|window|screen|size|not know/i, 3_000);
      await stage.says('inbox list', /small|window|screen|size|not know/i, 3_000);
    },
  },
  {
    name: 'attached_at_50x12',
    finding: 'o',
    about: 'the operator is attached in a terminal of 50×12: the handoff completes',
    play: async (stage) => {
      const { baton } = stage;
      const attach = `env -u TMUX tmux -u -S '${join(baton.home, 'tmux.sock')}' attach -t '=agent-${stage.agent.id}'`;
      await baton.ownTmux('new-session', '-d', '-s', 'own', '-x', '50', '-y', '12', attach);
      await sleep(1_500);
      await stage.completes(await stage.click());
    },
  },
  plain('linked_home', 'HOME and the home of Baton behind a symbolic link', { linked: true }, 'L6'),
  plain('odd_home', 'a home of Baton with blanks and brackets', { names: { home: 'My Batön [x] (1) & $co' } }, 'l, m'),
  plain(
    'odd_project',
    'a project with quotes in its name',
    { names: { project: `my "proj" $HOME 'q' ünï [x] 漢字 & ;#!` } },
    'n',
  ),
  plain('project_with_dash', 'a project whose name begins with a dash', { names: { project: '-dash first' } }, 'n'),
  plain('fullscreen', 'the full-screen look of the client', { settings: { tui: 'fullscreen' } }),
  {
    name: 'vim_normal',
    about: 'vim mode, NORMAL, with an empty composer: the handoff completes',
    setting: VIM,
    play: async (stage) => {
      await stage.press('Escape');
      await sleep(500);
      await stage.completes(await stage.click());
    },
  },
  {
    name: 'own_status_line',
    about: "the user's own status line runs and is shown, as README says",
    setting: {
      settings: {
        statusLine: { type: 'command', command: 'cat > /dev/null; echo ran >> "$HOME/status"; echo mine-4711' },
      },
    },
    play: async (stage) => {
      stage.expect(existsSync(join(stage.baton.user, 'status')), 'it never ran');
      stage.expect(/mine-4711/.test(await stage.screen()), 'it is not on the screen');
    },
  },
  {
    name: 'own_hooks_kept',
    about: "the user's own hooks run beside Baton's in a whole handoff, and the settings stay as they are",
    setting: {
      hooks: Object.fromEntries(
        ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'].map((event) => [
          event,
          `cat > /dev/null; echo ${event} >> "$HOME/ran"`,
        ]),
      ),
    },
    play: async (stage) => {
      const path = join(stage.baton.user, '.claude/settings.json');
      const before = readFileSync(path, 'utf8');
      await stage.completes(await stage.click());
      const ran = readFileSync(join(stage.baton.user, 'ran'), 'utf8').trim().split('\n');
      for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'])
        stage.expect(ran.includes(event), `the user's own ${event} hook did not run`);
      stage.expect(readFileSync(path, 'utf8') === before, "the user's settings were changed");
    },
  },
  {
    name: 'server_killed',
    finding: 'z',
    about: 'Baton is killed while the document is written: each text is typed once, and the handoff completes',
    play: async (stage) => {
      const id = await stage.click();
      await stage.runWhen(id, ({ step }) => step === 'awaiting_document' || step === 'verifying');
      await stage.baton.kill();
      await stage.baton.startAgain();
      await stage.completes(id);
    },
  },
  {
    name: 'killed_between_paste_and_enter',
    finding: 'X-3',
    about:
      "Baton is killed between paste and Enter of a message: its own text is no operator's draft, and a handoff completes",
    play: async (stage) => {
      const { pane } = (await stage.now()).tmux;
      const pid = stage.watch.panes.get(pane)?.pid ?? 0;
      // Freeze the client with SIGSTOP, so that it cannot draw the pasted text. Baton must wait for the text to appear
      // before it presses Enter.
      process.kill(pid, 'SIGSTOP');
      stage.sent.push({ text: 'left behind by the kill', pane });
      const sending = stage.baton.say(stage.agent.id, 'left behind by the kill').catch(() => undefined);
      await sleep(2_500);
      await stage.baton.kill();
      process.kill(pid, 'SIGCONT');
      await sending;
      const stands = () => stage.screen().then((screen) => composerIn(screen)?.includes('left behind'));
      const left = await stage
        .until(
          'the text',
          () => stage.baton.tmux(join(stage.baton.home, 'tmux.sock'), 'capture-pane', '-p', '-t', pane),
          (screen) => /left behind/.test(screen),
          8_000,
        )
        .catch(() => '');
      await stage.baton.startAgain();
      if (left === '') throw new Error('the kill came at another moment');
      const id = await stage.click();
      await stage.completes(id, undefined, 35_000);
      const times = stage.submissions().filter(({ prompt }) => prompt.trim() === 'left behind by the kill').length;
      stage.expect(times <= 1, `the message was submitted ${times} times`);
      if ((await stage.run(id)).over) return;
      stage.expect(!(await stands()), "Baton's own text stands there as if it were a draft");
    },
  },
];
