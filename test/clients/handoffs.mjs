// npm run e2e:clients -- CLIENT --handoff: tests complete handoffs, and everything that can interfere with a handoff.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTOMATIC } from './automatic.mjs';
import { until } from './baton-with-client.mjs';
import { cannotAmong, cannotOf } from './cannot.mjs';
import {
  ask,
  choose,
  endOf,
  expect,
  expectHandedOver,
  expectOnce,
  heard,
  isIdle,
  isInjection,
  isInstruction,
  openScene,
  runOver,
  runWhen,
  sessionOf,
  submissions,
  tell,
  untilReady,
  WORD,
} from './handoff-scene.mjs';
import { NO_ROOM } from './model/stub-model.mjs';
import { TOKEN_COUNTS } from './token-counts.mjs';

/** @typedef {import('./handoff-scene.mjs').Scene} Scene */
/** @typedef {{ expected: string, runtime?: string, byPane?: boolean, setting?: import('./handoff-scene.mjs').Setting, play: (scene: Scene) => Promise<string> }} Case */

/**
 * @param {{ client: import('./describe/client.mjs').ClientDescription, program: string, version: string, log?: string, only?: string,
 *   say: (line: string) => void }} options
 */
export async function checkHandoffs({ client, program, version, log, only, say }) {
  const own = Object.keys(CASES).filter((name) => (CASES[name]?.runtime ?? client.id) === client.id);
  const wanted = only?.split(',') ?? own;
  const unknown = wanted.filter((name) => CASES[name] === undefined);
  if (unknown.length > 0) throw new Error(`No such case: ${unknown}. There are: ${Object.keys(CASES)}`);
  const cannot = cannotOf(client, version);
  /** @type {Record<string, { expected: string, got: string, ms: number }>} */
  const cases = {};
  for (const name of wanted) {
    if (cannot[name] !== undefined) {
      say(`cannot  ${name}  ${cannot[name]}`);
      continue;
    }
    const { expected, setting = {}, byPane, play } = /** @type {Case} */ (CASES[name]);
    const env = byPane ? (client.ways?.pane ?? {}) : {};
    const began = performance.now();
    const got = await playOnce({ client, program, version, env, ...(log ? { log } : {}), ...setting }, play, say);
    const ms = Math.round(performance.now() - began);
    cases[name] = { expected, got, ms };
    say(`${got === expected ? 'ok    ' : 'FAILED'}  ${name}  ${ms} ms  ${got}`);
  }
  const passed = Object.values(cases).every(({ expected, got }) => expected === got);
  return { runtime: client.id, version, cases, ...cannotAmong(client, version, wanted), passed };
}

/** @param {Parameters<typeof openScene>[0]} options @param {Case['play']} play @param {(line: string) => void} say */
async function playOnce(options, play, say) {
  /** @type {Scene | undefined} */
  let scene;
  try {
    scene = await openScene(options);
    return await play(scene);
  } catch (error) {
    for (const { id } of (await scene?.baton.call('GET', '/api/agents').catch(() => ({ agents: [] })))?.agents ?? []) {
      const screen = (await scene?.baton.screen(await scene.baton.agent(id))) ?? '';
      say(screen.replace(/^\s*\n/gm, '').replace(/^/gm, `        ${id} | `));
    }
    return `error: ${error instanceof Error ? error.message : error}`;
  } finally {
    await scene?.baton.cleanUp();
    await scene?.model.close();
  }
}

/**
 * Waits until the run is over and checks Baton's promises about the handoff.
 * @param {Scene} scene
 * @param {number} id
 */
async function completes(scene, id, ...purposes) {
  const run = await runOver(scene, id, ({ step }) => step !== 'failed' || purposes.length === 0);
  if (run.step !== 'completed') return `${endOf(run)}: ${run.failure?.sentence}`;
  await expectHandedOver(scene, run);
  expectOnce(scene, ...(purposes.length > 0 ? purposes : ['instruction', 'injection']));
  return endOf(run);
}

/**
 * Checks the failure of the run, sends the agent the instruction again as the operator, and waits for the end of the
 * run.
 */
async function onceMore(/** @type {Scene} */ scene, /** @type {number} */ id, /** @type {RegExp} */ sentence) {
  const run = await runOver(scene, id);
  expect(sentence.test(run.failure?.sentence), JSON.stringify(run.failure));
  expect(isIdle(await scene.baton.agent(run.agent_id)), 'the agent was not left as it is');
  await choose(scene, id, 'instruct_again');
  return `${endOf(run)}, then ${await completes(scene, id, 'instruction', 'instruction-2', 'injection-2')}`;
}

/** Expects that Baton typed nothing and submitted nothing. */
function expectNothingTyped(/** @type {Scene} */ scene, /** @type {string} */ screen) {
  const typed = /handed over to a successor|\[baton:\S+-(?!skill)/.test(screen) || scene.client.shows.chip.test(screen);
  expect(!typed, `typed into:\n${screen}`);
  expect(Object.keys(heard(scene)).length === 0, `submitted meanwhile: ${JSON.stringify(heard(scene))}`);
}

/** Requests a handoff in the middle of a turn. The handoff must wait until the turn ends. */
async function handOverDuring(/** @type {Scene} */ scene, /** @type {string} */ prompt, /** @type {RegExp} */ shown) {
  const { baton, agent, model } = scene;
  await tell(scene, prompt);
  const working = await baton.agentWhen(agent.id, ({ state }) => state === 'working');
  await until(
    'its work',
    () => baton.screen(working),
    (screen) => shown.test(screen),
  );
  const id = await ask(scene);
  for (const began = performance.now(); performance.now() - began < 3_000; ) {
    const run = await runWhen(scene, id, ({ step }) => step !== 'requested');
    expect(run.step === 'waiting_safe_point', `while it worked the run went to ${run.step}`);
    expectNothingTyped(scene, await baton.screen(working));
    await sleep(200);
  }
  const end = await completes(scene, id);
  const before = model.requests.find(isInstruction)?.said.at(-1) ?? '';
  expect(/Heard|Done/.test(before), 'the turn before was broken off');
  return end;
}

/** The expected outcome in a case that undoes a handoff. */
export const UNDONE = 'cancelled, predecessor back, then completed';

/**
 * Undoes a handoff that the successor has not acknowledged. Then completes another handoff of the predecessor.
 * @param {Scene} scene
 * @param {object} [successor] what the first successor shall run on
 */
export async function undoes(scene, successor = {}) {
  const { baton, model, agent, client } = scene;
  model.instead(isInjection, () => ({ text: 'Later.' }));
  const id = await ask(scene, successor);
  const { successor_agent_id: started } = await runWhen(scene, id, ({ step }) => step === 'awaiting_acknowledgement');
  // Wait until the first successor has got the planned answer. Otherwise the next successor would get this answer.
  await until('the injection at the model', async () => model.requests.some(isInjection), Boolean);
  await choose(scene, id, 'undo');
  const run = await runOver(scene, id);
  const back = await baton.agentWhen(run.brought_back_agent_id, isIdle);
  expect(back.runtime === client.id, `the predecessor came back in ${back.runtime}`);
  expect((await baton.agent(started)).state === 'ended', 'the successor lives on');
  scene.agent = back;
  await tell(scene, 'Which word was it?');
  // Wait until the client has sent the request to the model. Baton accepts the message earlier, as soon as the message
  // is in the transcript.
  const asked = await until(
    'the question at the model',
    // Skip requests without tools. With such a request, release 2.0 of Claude Code asks the model whether the prompt
    // begins a new topic.
    async () =>
      model.requests.findLast(({ texts, tools }) => tools.length > 0 && texts.at(-1) === 'Which word was it?'),
    Boolean,
  );
  expect(asked?.texts.includes(`Remember the word ${WORD}.`), 'the predecessor has forgotten');
  const session = await sessionOf(baton, agent.id);
  expect(model.turnsOf(session).includes(/** @type {any} */ (asked)), 'it is another session');
  await baton.agentWhen(back.id, isIdle);
  // Request a handoff of the resumed agent. This second request must begin a new run.
  const again = await runOver(scene, await ask(scene));
  if (again.step === 'completed') await expectHandedOver(scene, again);
  return `${endOf(run)}, predecessor back, then ${endOf(again)}`;
}

/** @type {Record<string, Case>} */
const CASES = {
  idle: { expected: 'completed', play: async (scene) => completes(scene, await ask(scene)) },

  automatic: AUTOMATIC,

  token_counts: TOKEN_COUNTS,

  own_wording: {
    expected: 'completed',
    setting: {
      homeFiles: {
        'data/templates/instruction.txt': [
          'Schreibe jetzt auf, {{persona}} ({{role}}), was dein Nachfolger in {{project}} wissen muss. Größe: 漢字.',
          'Datei: {{path}}',
          '{{sections}}',
          'Dazu: {{note}}',
          'Letzte Zeile: {{end_marker}}',
        ].join('\n'),
        'data/templates/injection.txt': [
          'Lies {{path}} von {{predecessor}}.',
          'Zuletzt: {{last_task}}',
          'Dann: {{acknowledge}}',
        ].join('\n'),
      },
    },
    play: async (scene) => {
      const end = await completes(scene, await ask(scene));
      const { requests } = scene.model;
      const [instruction, injection] = [requests.find(isInstruction), requests.find(isInjection)];
      expect(/^Schreibe jetzt auf, Con \(developer\)/.test(instruction?.prompt ?? ''), `${instruction?.prompt}`);
      expect(!/Dazu:/.test(instruction?.prompt ?? ''), 'an empty note was asked for');
      expect(/^Lies \//.test(injection?.prompt ?? ''), `${injection?.prompt}`);
      expect(injection?.prompt.includes(`Zuletzt: Remember the word ${WORD}.`), `${injection?.prompt}`);
      return end;
    },
  },

  mid_turn_text: {
    expected: 'completed',
    play: (scene) => handOverDuring(scene, 'Talk for a while. ⟦slow 25⟧', scene.client.shows.words),
  },

  mid_turn_tool: {
    expected: 'completed',
    play: (scene) => handOverDuring(scene, 'Wait a little. ⟦bash sleep 20⟧', /sleep 20|Running|shell command/),
  },

  dialog_open: {
    expected: 'completed',
    // The agent gets six seconds to become idle, and the test leaves the dialog open for longer. The handoff completes
    // only if Baton pauses this deadline while the dialog is open.
    setting: { config: { deadlines_seconds: { waiting_safe_point: 6 } } },
    play: async (scene) => {
      const { baton, agent } = scene;
      await tell(scene, 'Make a file. ⟦ask touch made-by-agent⟧');
      const asking = await baton.agentWhen(agent.id, ({ state }) => state === 'awaiting_input');
      const questionIn = (/** @type {string} */ screen) => scene.client.shows.question.exec(screen)?.[0];
      const dialog = await until(
        'the dialog',
        () => baton.screen(asking),
        (screen) => scene.client.shows.dialog.test(screen) && questionIn(screen) !== undefined,
      );
      const id = await ask(scene);
      await runWhen(scene, id, ({ step, paused_since: since }) => step === 'waiting_safe_point' && since !== null);
      await sleep(8_000);
      const run = await runWhen(scene, id, () => true);
      expect(run.step === 'waiting_safe_point' && run.paused_since !== null, `${run.step}, not paused`);
      const screen = await baton.screen(asking);
      expectNothingTyped(scene, screen);
      expect(questionIn(screen) === questionIn(dialog), `the dialog changed from:\n${dialog}\nto:\n${screen}`);
      const { items } = await baton.call('GET', '/api/inbox');
      expect(
        items.some((/** @type {any} */ { kind, run_id }) => kind === 'question' && run_id === id),
        'the question is not in the inbox',
      );
      await baton.press(asking, ...scene.client.keys.allow);
      return completes(scene, id);
    },
  },

  operators_draft: {
    expected: 'completed',
    play: async (scene) => {
      const { baton, agent, model } = scene;
      const seen = await baton.agent(agent.id);
      await baton.type(seen, 'half a thought of the operator');
      const draft = scene.client.shows.draft('half a thought of the operator');
      const stands = (/** @type {string} */ screen) =>
        screen.split('\n').some((line) => draft.test(line) && line.trimEnd().endsWith('operator'));
      await until('the draft', () => baton.screen(seen), stands);
      const id = await ask(scene);
      for (let looks = 0; looks < 20; looks++) {
        const screen = await baton.screen(seen);
        expect(stands(screen), `the draft is not as it was:\n${screen}`);
        // If the client has a control API, Baton delivers the prompt in spite of the draft. Only /exit must wait until
        // the draft is gone.
        if (scene.client.ways?.api === undefined) expectNothingTyped(scene, screen);
        await sleep(200);
      }
      await baton.press(seen, ...scene.client.keys.clear);
      const end = await completes(scene, id);
      expect(!model.requests.some(({ texts }) => /half a thought/.test(texts.join())), 'the draft was sent');
      return end;
    },
  },

  stop_suppressed: {
    expected: 'completed',
    play: async (scene) => {
      const path = join(scene.baton.home, 'bin', 'baton-hook');
      const script = readFileSync(path, 'utf8');
      writeFileSync(path, script.replace('\n', '\n[ "$1" = Stop ] && { cat >/dev/null; exit 0; }\n'));
      const id = await ask(scene);
      const end = await completes(scene, id);
      const { warnings } = await runOver(scene, id);
      expect(/no Stop hook arrived/.test(warnings.join()), `warnings: ${warnings}`);
      return end;
    },
  },

  interrupted: {
    expected: 'failed turn_interrupted, then completed',
    play: async (scene) => {
      const { baton, agent, model } = scene;
      // Make the model answer slowly and without writing the document, so that the interruption comes before the
      // document.
      model.instead(isInstruction, () => ({ text: 'First I think about it.', slowMs: 60_000 }));
      const id = await ask(scene);
      const seen = await baton.agent(agent.id);
      await until(
        'its words',
        () => baton.screen(seen),
        (screen) => scene.client.shows.words.test(screen),
      );
      await runWhen(scene, id, ({ step }) => step === 'awaiting_document');
      await baton.press(seen, ...scene.client.keys.interrupt);
      return onceMore(scene, id, /was interrupted before it finished the handoff document\.$/);
    },
  },

  interrupted_before_a_word: {
    expected: 'failed turn_interrupted, then completed',
    play: async (scene) => {
      const { baton, agent, model } = scene;
      model.instead(isInstruction, () => new Promise(() => undefined));
      const id = await ask(scene);
      await runWhen(scene, id, ({ step }) => step === 'awaiting_document');
      const seen = await baton.agent(agent.id);
      await baton.press(seen, 'Escape');
      // The prompt must be in the composer: after Esc, the client puts a prompt back there, as if the prompt had never
      // been submitted.
      await runOver(scene, id);
      expect(
        scene.client.shows.draft('Con, your session').test(await baton.screen(seen)),
        'the instruction does not stand in the composer',
      );
      for (let lines = 0; lines < 20; lines++) await baton.press(seen, 'C-u', 'BSpace');
      return onceMore(scene, id, /interrupted before .* the unsent instruction is back in the agent's composer\.$/);
    },
  },

  api_error: {
    expected: 'failed agent_error, then completed',
    play: async (scene) => {
      // Let the request fail ten times, because the client itself retries several times.
      const first = (/** @type {any} */ asked) => isInstruction(asked) && !/-instruction-2\]/.test(asked.prompt);
      scene.model.instead(first, () => ({ status: 400 }), 10);
      return onceMore(scene, await ask(scene), /turn failed while it wrote the handoff document: .*(400|told to fail)/);
    },
  },

  compaction_in_document_turn: {
    expected: 'completed',
    play: async (scene) => {
      const { model, client } = scene;
      // Make the context full in the way that lets the client compact. Some clients compact when the API says that a
      // prompt is too long, and others compact before they send the prompt.
      if (client.full === undefined) model.instead(isInstruction, () => NO_ROOM);
      else await tell(scene, client.full);
      await scene.baton.agentWhen(scene.agent.id, isIdle);
      const id = await ask(scene);
      const end = await completes(scene, id);
      if (end !== 'completed') return end;
      const run = await runOver(scene, id);
      expect(run.compacted_since_instruction, 'the compaction was not noticed');
      if (client.full === undefined)
        expect(run.compact_summary?.length > 0, `its summary was not kept: ${run.compact_summary}`);
      expect(
        /compacted while the predecessor wrote/.test(model.requests.find(isInjection)?.prompt ?? ''),
        'the successor was not told',
      );
      return end;
    },
  },

  blocked_by_policy: {
    expected: 'failed instruction_not_accepted',
    setting: {
      policy: `tail -n 2 "$HOME/submissions.jsonl" | grep -q handoff-end && { echo not today >&2; exit 2; }; exit 0`,
    },
    play: async (scene) => {
      const { baton, agent } = scene;
      const id = await ask(scene);
      const run = await runOver(scene, id);
      expect(/one of your own hooks blocked it/.test(run.failure?.sentence), JSON.stringify(run.failure));
      const { instruction, ...others } = heard(scene);
      expect(instruction?.model === 0 && instruction.submitted === 1, JSON.stringify(instruction));
      expect(Object.keys(others).length === 0, JSON.stringify(others));
      const screen = await baton.screen(await baton.agent(agent.id));
      expect(screen.split(/blocked by hook/i).length === 2, `not blocked once:\n${screen}`);
      return endOf(run);
    },
  },

  server_killed: {
    expected: 'completed',
    setting: { crashAt: 'type_instruction:performed' },
    play: async (scene) => {
      const { baton, model } = scene;
      /** @type {(answer?: undefined) => void} */
      let write = () => undefined;
      const held = new Promise((/** @type {(answer?: undefined) => void} */ resolve) => {
        write = resolve;
      });
      model.instead(isInstruction, () => held);
      const id = await ask(scene);
      await baton.startAgain();
      await runWhen(scene, id, ({ step }) => step === 'awaiting_document');
      await baton.kill();
      // Let the agent write the document and end its turn while Baton is down.
      write();
      await until(
        'the end of the document turn',
        async () =>
          model.requests.some(({ toolResult, texts }) => toolResult !== null && /handoff-end:/.test(texts.join())),
        Boolean,
      );
      await sleep(1_000);
      for (const moment of ['type_exit:performed', 'launch_agent:performed', 'type_injection:performed', ''])
        await baton.startAgain(moment);
      return completes(scene, id);
    },
  },

  server_killed_before_enter: {
    expected: 'completed',
    byPane: true,
    play: async (scene) => {
      const { baton, agent } = scene;
      const { tmux } = await baton.agent(agent.id);
      const onPane = (/** @type {string[]} */ ...words) =>
        baton.tmux(join(baton.home, 'tmux.sock'), ...words, '-t', tmux.pane);
      const client = Number(await onPane('display-message', '-p', '-F', '#{pane_pid}'));
      // Freeze the client with SIGSTOP, so that it cannot draw the pasted text. Baton must wait for the text to appear
      // before it presses Enter.
      process.kill(client, 'SIGSTOP');
      const id = await ask(scene);
      await until(
        'the paste',
        () => onPane('show-options', '-p'),
        (marks) => /-instruction\b/.test(marks),
      );
      await baton.kill();
      process.kill(client, 'SIGCONT');
      await until(
        'the instruction in the composer',
        () => baton.screen({ tmux }),
        (screen) => scene.client.shows.chip.test(screen) || scene.client.shows.draft('Con, your session').test(screen),
      );
      expect(Object.keys(heard(scene)).length === 0, 'it was submitted already');
      await baton.startAgain();
      return completes(scene, id);
    },
  },

  undo: { expected: UNDONE, play: (scene) => undoes(scene) },

  lost_and_restored: {
    expected: 'back, back, then completed',
    play: async (scene) => {
      const { baton, model, agent, persona } = scene;
      const git = (/** @type {string[]} */ ...words) =>
        execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', '-C', baton.project, ...words]);
      writeFileSync(join(baton.project, 'PLAN.md'), '# Plan\n');
      git('init', '-q', '-b', 'main');
      git('add', '-A');
      git('commit', '-qm', 'first');
      const wanted = { project_id: 1, persona: persona.slug, runtime: scene.client.id, worktree: 'own' };
      const { id, folder } = await baton.call('POST', '/api/agents', wanted);
      // Wait until the agent is idle. It would not become idle if the client asked whether to trust the folder.
      await untilReady(scene, id);
      await tell({ baton, agent: { id } }, 'Remember the word medlar-0815.');
      await baton.agentWhen(id, isIdle);
      const typed = submissions(baton).length;

      const socket = join(baton.home, 'tmux.sock');
      process.kill(Number(await baton.tmux(socket, 'display-message', '-p', '#{pid}')), 'SIGKILL');
      for (const each of [agent.id, id]) await baton.agentWhen(each, ({ state }) => state === 'lost');
      await baton.call('POST', '/api/agents/restore', {});
      const over = await until(
        'the return',
        () => baton.call('GET', '/api/agents/restore'),
        (seen) => seen.over,
        90_000,
      );
      const back = await baton.agentWhen(
        over.agents.find((/** @type {any} */ each) => each.agent_id === id)?.resumed_as,
        isIdle,
      );
      expect(back.folder === folder && back.resumed_from === id, JSON.stringify(back));
      expect(submissions(baton).length === typed, 'something was typed to an agent that came back');
      scene.agent = back;
      await tell(scene, 'Which word was it?');
      // Wait until the client has sent the request to the model. Baton accepts the message earlier, as soon as the
      // message is in the transcript.
      const asked = await until(
        'the question at the model',
        // Skip requests without tools. With such a request, release 2.0 of Claude Code asks the model whether the
        // prompt begins a new topic.
        async () =>
          model.requests.findLast(({ texts, tools }) => tools.length > 0 && texts.at(-1) === 'Which word was it?'),
        Boolean,
      );
      expect(asked?.texts.includes('Remember the word medlar-0815.'), 'it has forgotten');
      if (scene.client.tellsBranch)
        expect(/baton\/own/.test(JSON.stringify(asked?.body)), 'it does not know of its branch');
      const { facts } = await baton.call('GET', `/api/agents/${back.id}/why`);
      expect(
        facts.some((/** @type {any} */ { sentence }) => /started a session.* with the skill /.test(sentence)),
        'no skill at resume',
      );
      await baton.agentWhen(back.id, isIdle);
      const run = await runOver(scene, await ask(scene));
      if (run.step === 'completed') await expectHandedOver(scene, run);
      expect(run.git?.root === folder && run.git?.branch === 'baton/own', JSON.stringify(run.git));
      const statuses = over.agents.map((/** @type {any} */ { status }) => status);
      return `${statuses.join(', ')}, then ${endOf(run)}`;
    },
  },

  emergency: {
    expected: 'completed',
    play: async (scene) => {
      const { baton, agent, model } = scene;
      const { tmux } = await baton.agent(agent.id);
      await baton.tmux(join(baton.home, 'tmux.sock'), 'kill-pane', '-t', tmux.pane);
      await baton.agentWhen(agent.id, ({ state }) => state === 'ended');
      const asked = await baton.call('POST', `/api/agents/${agent.id}/succeed`, {});
      expect(asked.run_id !== undefined, JSON.stringify(asked));
      const run = await runOver(scene, asked.run_id);
      await expectHandedOver(scene, run);
      expectOnce(scene, 'injection');
      const prompt = model.requests.find(isInjection)?.prompt ?? '';
      expect(prompt.includes('This is an emergency handoff') && prompt.includes(WORD), prompt);
      expect(submissions(baton).length === 2, 'more was submitted than the greeting and the prompt');
      return endOf(run);
    },
  },
};
