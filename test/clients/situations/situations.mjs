// The situations that `--life` plays with the real client. Each situation has a sentence that says what must happen.
// test/clients/situations/stage.mjs compares Baton's verdict on each prompt with the requests that reached the stub
// model.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../baton-with-client.mjs';
import { ask, expect, isInstruction, runOver, sessionOf, untilReady } from '../handoff-scene.mjs';
import { longPrompt } from '../prompts.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

/**
 * Sends a message while the composer has a draft of the operator or a menu is open. Baton may refuse the message, or
 * deliver it without touching the draft.
 */
async function beside(/** @type {Stage} */ stage, /** @type {string} */ draft) {
  const shown = stage.client.shows.draft(draft);
  const verdict = await stage.send('past the draft');
  if (verdict.verdict === 'accepted') await stage.idle();
  else expect(verdict.verdict === 'refused', JSON.stringify(verdict));
  if (shown.test(await stage.screen())) return;
  stage.draftSpoiled++;
  stage.wrong.push(`the draft ${draft} is gone`);
}

/** Returns the client's processes whose command line matches `wanted`. Only processes below the agent's pane count. */
async function processes(/** @type {Stage} */ stage, /** @type {RegExp} */ wanted, id = stage.id) {
  const { tmux } = await stage.baton.agent(id);
  const socket = join(stage.baton.home, 'tmux.sock');
  const pane = Number(await stage.baton.tmux(socket, 'display-message', '-p', '-t', tmux.pane, '#{pane_pid}'));
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
  const all = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []).filter(([whole]) => whole !== undefined);
  const below = new Set([pane]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const [, pid, parent] of all) if (below.has(Number(parent))) below.add(Number(pid));
  }
  return all
    .filter(([, pid, , args = '']) => below.has(Number(pid)) && wanted.test(args))
    .map(([, pid]) => Number(pid));
}

const SUPPRESS = '\n{ cat >/dev/null; exit 0; }\n';

/** @type {Situation[]} */
export const SITUATIONS = [
  { name: 'idle', about: 'A message to an idle agent arrives once.', play: (stage) => stage.arrives('Hello again.') },
  {
    name: 'odd_characters',
    about: 'Messages with the signs of the composer arrive as they are, or are refused.',
    play: async (stage) => {
      for (const text of [
        'Look at @src/nowhere.ts',
        'Below is a line like a heading:\n# not a heading',
        'ends with a backslash \\',
        'two\n\n\nempty lines',
      ])
        await stage.arrives(text);
      for (const text of ['@src/nowhere.ts is a file', '# not a heading', '! not a shell', '/nothing like this'])
        await stage.send(text);
      await stage.idle();
    },
  },
  {
    name: 'very_long',
    about: 'A message of 60 KB arrives exactly.',
    play: (stage) => stage.arrives(Array.from({ length: 20 }, (_, at) => longPrompt(at)).join('\n')),
  },
  {
    name: 'many_in_a_row',
    about: 'Ten messages in a row arrive once each.',
    play: async (stage) => {
      for (let number = 1; number <= 10; number++) await stage.arrives(`Number ${number}.`);
    },
  },
  {
    name: 'while_it_answers',
    about: 'A message while the agent writes its answer is refused, and the answer is not cut off.',
    play: async (stage) => {
      await stage.send('Talk for a while. ⟦slow 40⟧');
      await stage.works();
      await stage.sees(stage.client.shows.words);
      for (let times = 0; times < 3; times++) {
        await stage.refused('busy');
        await sleep(500);
      }
      await stage.idle();
      await stage.arrives('After the answer.');
    },
  },
  {
    name: 'while_a_tool_runs',
    about: 'A message while a command runs is refused.',
    play: async (stage) => {
      await stage.send('Wait a little. ⟦bash sleep 8⟧');
      await stage.works();
      await sleep(2_000);
      await stage.refused('busy');
      await stage.idle();
      await stage.arrives('After the command.');
    },
  },
  {
    name: 'api_retry',
    about: 'An agent whose client retries after a server error counts as working.',
    play: async (stage) => {
      await stage.send('Try again. ⟦error server_error 2⟧ ⟦slow 2⟧');
      await stage.idle();
      await stage.arrives('After the retries.');
    },
  },
  {
    name: 'dropped_connection',
    about: 'A turn whose connection drops once goes on.',
    play: async (stage) => {
      await stage.send('It drops. ⟦error dropped 1⟧');
      await stage.idle();
      await stage.arrives('After the drop.');
    },
  },
  {
    name: 'cut_answer',
    about: 'A turn whose answer is cut off once goes on.',
    play: async (stage) => {
      await stage.send('It breaks. ⟦error cut 1⟧');
      await stage.idle();
      await stage.arrives('After the cut.');
    },
  },
  {
    name: 'api_error',
    about: 'A turn that the API refuses is reported as failed, and the agent is idle.',
    play: async (stage) => {
      await stage.send('This fails. ⟦fail 400⟧');
      await stage.state(/idle: its turn failed/);
      await stage.arrives('After the failure.');
    },
  },
  {
    name: 'unauthorized',
    about: 'A turn without a valid key is reported as failed.',
    play: async (stage) => {
      await stage.send('No key. ⟦error unauthorized 9⟧');
      await stage.state(/its turn failed/);
      await stage.arrives('With a key again.');
    },
  },
  {
    name: 'usage_limit',
    about: "A usage limit is told in the client's own words, and a later message arrives.",
    play: async (stage) => {
      await stage.send('Enough. ⟦error usage_limit 1⟧');
      const { state, state_reason: why } = await stage.state(/usage limit/i);
      expect(state === 'limited' || /try again at|resets|limit/i.test(why), `${state}: ${why}`);
      await stage.arrives('After the limit.');
    },
  },
  {
    name: 'quota',
    about: 'An exhausted quota is reported as a failure.',
    play: async (stage) => {
      // Refuse the request three times. Some clients repeat the request after two seconds, and Baton must see the
      // refusal twice.
      await stage.send('No quota. ⟦error quota 3⟧');
      await stage.state(/quota|limit|failed/i);
    },
  },
  {
    name: 'interrupted',
    about: 'An agent that the operator interrupts is idle at once.',
    play: async (stage) => {
      await stage.send('Take your time. ⟦slow 40⟧');
      await stage.works();
      await stage.sees(stage.client.shows.words);
      await stage.press(...stage.client.keys.interrupt);
      await stage.state(/idle: its turn was interrupted/, 15_000);
      await stage.arrives('After the key.');
    },
  },
  {
    name: 'interrupted_tool',
    about: 'An agent whose command the operator interrupts is idle.',
    play: async (stage) => {
      await stage.send('Wait long. ⟦bash sleep 60⟧');
      await stage.works();
      await sleep(2_500);
      await stage.press(...stage.client.keys.interrupt);
      await stage.idle(20_000);
      await stage.arrives('After the command was stopped.');
    },
  },
  {
    name: 'steered',
    about: 'A prompt that the operator sends into a running turn belongs to this turn.',
    play: async (stage) => {
      await stage.send('Talk on. ⟦slow 8⟧');
      await stage.works();
      await stage.sees(stage.client.shows.words);
      await stage.prompt('my own words ⟦slow 15⟧');
      await until(
        "the operator's words at the model",
        async () => stage.model.requests.some(({ prompt, tools }) => tools.length > 0 && /^my own words/.test(prompt)),
        Boolean,
      );
      await stage.refused('busy');
      await stage.idle();
      await stage.arrives('After my own words.');
    },
  },
  {
    name: 'queued',
    about: 'A prompt that the operator queues keeps the agent working until its own turn has ended.',
    play: async (stage) => {
      await stage.send('First. ⟦slow 5⟧');
      await stage.works();
      await stage.sees(stage.client.shows.words);
      await stage.prompt('queued by hand ⟦slow 6⟧', stage.client.keys.queue ?? 'Enter');
      await stage.sees(/queued by hand[\s\S]*word word/);
      await stage.refused('busy');
      await stage.idle();
      await stage.arrives('After both.');
    },
  },
  {
    name: 'dialog',
    about: 'A message while the client asks for permission is refused, and the question stays.',
    play: async (stage) => {
      await stage.send('Ask me. ⟦ask touch asked⟧');
      await stage.state(/^awaiting_input/);
      await stage.sees(stage.client.shows.dialog);
      await stage.refused('dialog');
      await sleep(1_000);
      expect(stage.client.shows.dialog.test(await stage.screen()), 'the question is gone');
      await stage.press(...stage.client.keys.allow);
      await stage.idle();
      await stage.arrives('After the permission.');
    },
  },
  {
    name: 'dialog_denied',
    about: 'An agent whose command the operator denies is idle.',
    play: async (stage) => {
      await stage.send('Ask me. ⟦ask touch denied⟧');
      await stage.state(/^awaiting_input/);
      await stage.sees(stage.client.shows.dialog);
      await sleep(1_000);
      await stage.press('Escape');
      await stage.idle(20_000);
      await stage.arrives('After the denial.');
    },
  },
  {
    name: 'dialog_in_small_window',
    about: 'A question that does not fit into the window is not answered through Baton.',
    play: async (stage) => {
      await stage.resize(50, 12);
      await stage.send('Ask me. ⟦ask touch small⟧');
      await stage.state(/^awaiting_input/);
      await sleep(1_500);
      const { question } = await stage.now();
      expect((question?.options ?? []).length === 0, `offered: ${JSON.stringify(question?.options)}`);
      await stage.resize(160, 45);
      await stage.sees(stage.client.shows.dialog);
      await stage.press(...stage.client.keys.allow);
      await stage.idle();
    },
  },
  {
    name: 'small_window',
    about: 'A message arrives in a small window.',
    play: async (stage) => {
      await stage.resize(60, 12);
      await stage.arrives('In a small window.');
    },
  },
  {
    name: 'draft',
    about: "The operator's draft stays as it is.",
    play: async (stage) => {
      await stage.type('half a thought');
      await stage.sees(stage.client.shows.draft('half a thought'));
      await beside(stage, 'half a thought');
    },
  },
  {
    name: 'draft_slash_menu',
    about: 'A half-typed command stays as it is.',
    play: async (stage) => {
      await stage.type('/mod');
      await stage.sees(stage.client.shows.draft('/mod'));
      await beside(stage, '/mod');
    },
  },
  {
    name: 'menu_open',
    about: 'A message while a menu of the operator is open is delivered past it or refused, and says so.',
    play: async (stage) => {
      await stage.prompt('/model');
      await sleep(1_500);
      await stage.send('past the menu');
      await stage.press('Escape');
      await sleep(1_000);
      await stage.idle();
      await stage.arrives('After the menu.');
    },
  },
  {
    name: 'clear',
    about: 'A message after /clear reaches the new session, which has the skill.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.prompt(stage.client.commands.clear ?? '');
      await sleep(2_500);
      await stage.arrives('In the new session.');
      const last = stage.model.requests.findLast(
        ({ prompt, tools }) => tools.length > 0 && prompt === 'In the new session.',
      );
      expect(last?.conversation.includes('Keep a running account'), 'the new session has no skill');
    },
  },
  {
    name: 'compact',
    about: 'An agent that compacts its context counts as working, and a later message arrives.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.prompt(stage.client.commands.compact ?? '');
      await stage.sees(stage.client.shows.compacted ?? /$^/);
      await stage.idle();
      await stage.arrives('After the compaction.');
    },
  },
  {
    name: 'nested',
    about: 'Another session that the agent runs in its shell does not become the session of the agent.',
    play: async (stage) => {
      const before = await sessionOf(stage.baton, stage.id);
      const command = stage.client.nested?.(stage.scene.program, 'Words of a nested session.') ?? '';
      await stage.send(`Run another one. ⟦ask ${command}⟧`);
      await stage.sees(stage.client.shows.dialog);
      await sleep(1_000);
      await stage.press(...stage.client.keys.allow);
      await until(
        'the nested session at the model',
        // Allow a quotation mark before the prompt, because opencode puts quotes around a prompt that it gets as an
        // argument.
        async () => stage.model.requests.some(({ prompt }) => /^"?Words of a nested session\./.test(prompt)),
        Boolean,
      );
      await stage.idle();
      expect((await sessionOf(stage.baton, stage.id)) === before, 'the agent has another session');
      await stage.arrives('After the nested session.');
      const { conversation = '' } =
        stage.model.requests.findLast(({ prompt }) => prompt === 'After the nested session.') ?? {};
      expect(conversation.includes('Run another one.'), 'the message went to another session');
    },
  },
  {
    name: 'hooks_lost',
    about: 'Without any hook the client itself still says when it works and when it is idle.',
    play: async (stage) => {
      const path = join(stage.baton.home, 'bin', 'baton-hook');
      writeFileSync(path, readFileSync(path, 'utf8').replace('\n', SUPPRESS));
      await stage.send('Talk without hooks. ⟦slow 6⟧');
      await stage.state(/^working/);
      await stage.idle();
      const verdict = await stage.send('Do you hear me?');
      expect(verdict.verdict !== 'refused', JSON.stringify(verdict));
      await sleep(4_000);
      await stage.idle();
    },
  },
  {
    name: 'baton_restarted',
    about: 'A Baton that was killed while the agent worked knows afterwards that it works, and when it is idle.',
    play: async (stage) => {
      await stage.send('Talk while Baton is away. ⟦slow 14⟧');
      await stage.works();
      await stage.baton.kill();
      await stage.baton.startAgain();
      await stage.refused('busy');
      await stage.idle();
      await stage.arrives('Back again.');
    },
  },
  {
    name: 'client_server_killed',
    about: 'A message after the death of the client’s own server arrives once, when the client has it again.',
    play: async (stage) => {
      const [pid] = await processes(stage, stage.client.serverProcess ?? /$^/);
      expect(pid !== undefined, 'the client has no server');
      process.kill(pid ?? 0, 'SIGKILL');
      // Send messages until Baton accepts one, because Baton refuses messages until the client has started its server
      // again and has redrawn its screen.
      const before = stage.sent.length;
      for (let verdict = ''; verdict !== 'accepted'; await sleep(1_000)) {
        ({ verdict } = await stage.send(`After the death of the server ${stage.sent.length}.`));
        expect(stage.sent.length - before < 40, 'no message was accepted any more');
      }
      await stage.idle();
    },
  },
  {
    name: 'slow_start',
    about: 'A client that loads its session slowly gets its skill only when its composer takes a prompt.',
    play: async (stage) => {
      const { baton, client, model } = stage;
      const { project, persona } = await stage.now();
      const wanted = { project_id: project.id, persona: persona.slug, runtime: client.id };
      const { id } = await baton.call('POST', '/api/agents', wanted);
      const hasSocket = async () => existsSync(join(baton.home, 'agents', String(id), client.serverSocket ?? ''));
      await until('the socket of the server', hasSocket, Boolean);
      const pids = await processes(stage, client.serverProcess ?? /$^/, id);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      const screen = async () => baton.screen(await baton.agent(id));
      await until('the composer', screen, (text) => client.shows.composer.test(text));
      // Wait longer than Baton needs to read the composer twice and to type. If Baton types by mistake, the text is on
      // the screen after this wait.
      await sleep(4_500);
      const shown = await screen();
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      expect(client.shows.empty.test(shown), `typed while the session was loading:\n${shown}`);
      await untilReady(stage.scene, id);
      const skills = model.requests.filter(({ prompt, tools }) => tools.length > 0 && /--- skill ---/.test(prompt));
      expect(skills.length === 2, `the two agents got ${skills.length} skills`);
    },
  },
  {
    name: 'without_client_server',
    about: 'A client without its server gets its messages by typing.',
    byPane: true,
    play: async (stage) => {
      await stage.arrives('Typed by hand.');
      await stage.type('half a thought');
      await stage.sees(stage.client.shows.draft('half a thought'));
      await stage.refused('draft');
    },
  },
  {
    name: 'operator_exits',
    about: 'An agent that the operator ends is ended.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.prompt('/exit');
      await stage.state(/^ended/);
    },
  },
  {
    name: 'client_killed',
    about: 'An agent whose client was killed is ended, and no process of it is left.',
    play: async (stage) => {
      await stage.send('Talk until the end. ⟦slow 30⟧');
      await stage.works();
      // Wait for the client's request. A client that is killed earlier would never send the accepted message to the
      // model.
      await until(
        'the prompt at the model',
        async () => stage.model.requests.some(({ prompt }) => prompt.startsWith('Talk until the end.')),
        Boolean,
      );
      const all = await processes(stage, /./);
      for (const pid of await processes(stage, stage.client.terminalProcess ?? /./)) process.kill(pid, 'SIGKILL');
      await stage.state(/^ended/);
      await sleep(4_500);
      const left = all.filter((pid) => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      });
      expect(left.length === 0, `still running: ${left}`);
    },
  },
  {
    name: 'handoff_past_a_draft',
    about: 'A handoff of an agent with a draft completes once the draft is gone or does not matter.',
    play: async (stage) => {
      await stage.type('half a thought');
      await stage.sees(stage.client.shows.draft('half a thought'));
      const id = await ask(stage.scene);
      await sleep(6_000);
      if (stage.model.requests.some(isInstruction) === false) await stage.press(...stage.client.keys.clear);
      const run = await runOver(stage.scene, id);
      const end = run.failure?.sentence ?? run.step;
      // The draft in the composer of an outgoing agent belongs to the operator. Baton may halt and report the draft,
      // but must never send it.
      expect(run.step === 'completed' || /draft|unsent|composer/i.test(end), end);
      expect(!stage.model.requests.some(({ texts }) => /half a thought/.test(texts.join())), 'the draft was sent');
    },
  },
];
