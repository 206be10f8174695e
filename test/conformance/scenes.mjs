// The scenes that every client plays, each with a new client. A scene ends only when the client has exited, so that the
// trace also contains late events.

import { setTimeout } from 'node:timers/promises';

/** @typedef {import('./client-pane.mjs').ClientPane} ClientPane */
/** @typedef {() => Record<string, unknown> | Promise<Record<string, unknown>>} Facts read after the client has ended */
/**
 * @typedef {{ hooks?: Record<string, string>, early?: boolean, status?: boolean, play: (pane: ClientPane) => Promise<Facts | void> }} Scene
 * `hooks`: the operator's own hooks, which run after Baton's; `early`: do not wait for the composer; `status`: record the status line, too
 */

async function turn(/** @type {ClientPane} */ pane, /** @type {string} */ text) {
  const before = pane.count('Stop');
  await pane.prompt(text);
  await pane.event('Stop', before + 1);
  await pane.resting();
}

async function leave(/** @type {ClientPane} */ pane) {
  await pane.resting();
  await command(pane, '/exit');
}

async function command(/** @type {ClientPane} */ pane, /** @type {string} */ text) {
  await pane.type(text);
  await pane.enter();
}

/** Submits a text as the operator while a turn runs. */
async function meanwhile(/** @type {ClientPane} */ pane, /** @type {string} */ text) {
  await pane.working();
  await pane.prompt(text);
}

/** Waits until the first part of an answer is on the screen. */
async function answering(/** @type {ClientPane} */ pane) {
  await pane.until('an answer', async () => /^● .*\bword/m.test(await pane.screen()));
  await pane.working();
}

async function emptyComposer(/** @type {ClientPane} */ pane) {
  await pane.press('C-u');
  await pane.until('an empty composer', async () => (await pane.draft()) === '');
}

async function untilAsked(/** @type {ClientPane} */ pane) {
  await pane.event('PermissionRequest');
  await pane.until('the question', async () => /❯ 1\. Yes/.test(await pane.screen()));
}

/** @type {Record<string, Scene>} */
export const SCENES = {
  plain_turn: {
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await leave(pane);
    },
  },

  turn_with_tool: {
    play: async (pane) => {
      await turn(pane, pane.say.write);
      await leave(pane);
    },
  },

  failed_tool: {
    play: async (pane) => {
      await turn(pane, pane.say.failedTool);
      await leave(pane);
    },
  },

  typed_while_text_streams: {
    play: async (pane) => {
      await pane.prompt(pane.say.slow);
      await meanwhile(pane, pane.say.hello);
      await pane.event('Stop', 2);
      await leave(pane);
    },
  },

  typed_while_tool_runs: {
    play: async (pane) => {
      await pane.prompt(pane.say.slowTool);
      await pane.event('PreToolUse');
      await meanwhile(pane, pane.say.hello);
      await pane.event('Stop');
      await leave(pane);
    },
  },

  typed_before_tool_begins: {
    play: async (pane) => {
      await pane.prompt(pane.say.slowThenTool);
      await meanwhile(pane, pane.say.hello);
      await pane.event('Stop');
      await leave(pane);
    },
  },

  interrupted_text: {
    play: async (pane) => {
      await pane.prompt(pane.say.endless);
      await answering(pane);
      await pane.press('Escape');
      await pane.resting();
      await turn(pane, pane.say.hello);
      await leave(pane);
    },
  },

  interrupted_before_answer: {
    play: async (pane) => {
      await pane.prompt(pane.say.silent);
      await pane.working();
      await pane.press('Escape');
      await pane.until('the text back', async () => !(await pane.isWorking()) && Boolean(await pane.draft()));
      await emptyComposer(pane);
      await turn(pane, pane.say.hello);
      await leave(pane);
    },
  },

  interrupted_tool: {
    play: async (pane) => {
      await pane.prompt(pane.say.endlessTool);
      await pane.event('PreToolUse');
      await pane.working();
      await pane.press('Escape');
      await pane.resting();
      await turn(pane, pane.say.hello);
      await leave(pane);
    },
  },

  interrupted_with_queue: {
    play: async (pane) => {
      await pane.prompt(pane.say.endless);
      await answering(pane);
      await meanwhile(pane, pane.say.hello);
      await pane.press('Escape');
      await pane.event('Stop');
      await leave(pane);
    },
  },

  api_error: {
    play: async (pane) => {
      await pane.prompt(pane.say.error);
      await pane.event('StopFailure');
      await leave(pane);
    },
  },

  permission_granted: {
    play: async (pane) => {
      await pane.prompt(pane.say.ask);
      await untilAsked(pane);
      await pane.event('Notification');
      await pane.press('Enter');
      await pane.event('Stop');
      await leave(pane);
    },
  },

  permission_denied: {
    play: async (pane) => {
      await pane.prompt(pane.say.ask);
      await untilAsked(pane);
      await pane.event('Notification');
      await pane.press('Escape');
      await pane.resting();
      await turn(pane, pane.say.hello);
      await leave(pane);
    },
  },

  permission_denied_at_once: {
    play: async (pane) => {
      await pane.prompt(pane.say.ask);
      await untilAsked(pane);
      // Press the key until the dialog is gone, because a client may ignore keys in the first moments of a dialog.
      await pane.until('an answer', async () => {
        const no = /(\d)\. No/.exec(await pane.screen())?.[1];
        if (no === undefined) return true;
        await pane.press(no);
        await setTimeout(500);
        return false;
      });
      await pane.resting();
      await turn(pane, pane.say.hello);
      await leave(pane);
      return () => ({ file_made: pane.has('project/made') });
    },
  },

  context_use: {
    status: true,
    play: async (pane) => {
      const told = (/** @type {boolean} */ known) =>
        pane.until(known ? 'a share of the context' : 'no share', () => {
          const share = pane.statuses().at(-1)?.context_window.used_percentage;
          return known ? typeof share === 'number' : share === null;
        });
      await told(false);
      await turn(pane, pane.say.hello);
      await told(true);
      await command(pane, '/clear');
      await told(false);
      await turn(pane, pane.say.hello);
      await told(true);
      await command(pane, '/compact');
      await told(false);
      await turn(pane, pane.say.hello);
      await told(true);
      await leave(pane);
    },
  },

  shell_line: {
    play: async (pane) => {
      await pane.type('!true');
      await pane.until('the shell line', async () => /^(?:❯\u00a0!|!\u00a0)true/m.test(await pane.screen()));
      await setTimeout(200);
      await pane.press('Enter');
      await pane.until('its end', async () => pane.count('Stop') > 0 || /off in practice/.test(await pane.screen()));
      await leave(pane);
    },
  },

  clear: {
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await command(pane, '/clear');
      await pane.event('SessionStart', 2);
      await pane.resting();
      await turn(pane, pane.say.write);
      await leave(pane);
    },
  },

  compact: {
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await command(pane, '/compact');
      await pane.event('PostCompact');
      await pane.resting();
      await turn(pane, pane.say.write);
      await leave(pane);
    },
  },

  compaction_inside_turn: {
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await turn(pane, pane.say.hello);
      await turn(pane, pane.say.full);
      await leave(pane);
    },
  },

  prompt_blocked_by_hook: {
    hooks: { UserPromptSubmit: 'exit 2' },
    play: async (pane) => {
      await pane.prompt(pane.say.hello);
      await pane.until('word of the hook', async () => /hook/.test(await pane.screen()) && !(await pane.isWorking()));
      await pane.until('the text back', async () => Boolean(await pane.draft()));
      await emptyComposer(pane);
      await leave(pane);
    },
  },

  tool_blocked_by_hook: {
    hooks: { PreToolUse: 'exit 2' },
    play: async (pane) => {
      await turn(pane, pane.say.write);
      await leave(pane);
      return () => ({ file_made: pane.has('project/made.txt') });
    },
  },

  unknown_command: {
    play: async (pane) => {
      await command(pane, '/frobnicate');
      await pane.until('an empty composer', async () => (await pane.draft()) === '');
      await leave(pane);
    },
  },

  typed_before_ready: {
    early: true,
    play: async (pane) => {
      await pane.type(pane.say.hello);
      pane.said.push(pane.say.hello);
      await pane.resting();
      await pane.enter();
      await pane.event('Stop');
      await leave(pane);
    },
  },

  exit_while_working: {
    play: async (pane) => {
      await pane.prompt(pane.say.endless);
      await pane.working();
      await command(pane, '/exit');
    },
  },

  ctrl_c_twice: {
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await pane.press('C-c');
      await pane.until('the warning', async () => /again to exit/.test(await pane.screen()));
      await pane.press('C-c');
    },
  },

  terminated: {
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await pane.signal('SIGTERM');
    },
  },

  last_hook_too_slow: {
    hooks: { SessionEnd: 'sleep 8; echo ended >> ../late' },
    play: async (pane) => {
      await turn(pane, pane.say.hello);
      await leave(pane);
      return () => ({ last_hook_ended: pane.has('late') });
    },
  },
};
