// Checks Baton's promises with the real Claude Code. The evidence is the requests that reach the model, never the
// screen.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importSource } from '../../scripts/build/bundle.mjs';
import { claudeConfig, claudeEnv } from '../conformance/clients.mjs';
import { compareWithRecording } from '../conformance/record-claude-code.mjs';
import { startBatonWith, until } from './baton-with-client.mjs';
import { cannotAmong, cannotOf } from './cannot.mjs';
import { POLICY_CHECKS } from './claude-code-policy.mjs';
import { claudeCode } from './describe/claude-code.mjs';
import { startStubModel } from './model/stub-model.mjs';
import { longPrompt } from './prompts.mjs';
import { checkTokens } from './tokens.mjs';

const VERSION = claudeCode.version;
const PROMPTS = 20;

/** @param {{ program: string, version: string, log?: string, only?: string, say: (line: string) => void }} options */
export async function checkClaudeCode({ program, version, log, only, say }) {
  const cannot = cannotOf(claudeCode, version);
  const model = await startStubModel({ ...(log ? { log } : {}) });
  const baton = await startBatonWith({
    env: { BATON_CLAUDE: program, ...claudeEnv(model.port) },
    files: {
      '.claude.json': JSON.stringify(claudeConfig(version)),
      // Use the strictest permission mode, to show that Baton's own rules are enough for a handoff without questions.
      '.claude/settings.json': JSON.stringify({
        permissions: { defaultMode: 'default' },
        // A policy hook of the user, which blocks prompts that contain "forbidden".
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'grep -q forbidden && exit 2; exit 0' }] }] },
      }),
    },
  });
  /** @type {Record<string, boolean>} */
  const checks = {};
  let exact = 0;
  try {
    const scene = { ...(await openScene(baton, model)), program, cannot, say };
    for (const [name, check] of Object.entries(CHECKS)) {
      if (only !== undefined && name !== 'skill_first' && !only.split(',').includes(name)) continue;
      if (cannot[name] !== undefined) {
        say(`cannot  ${name}  ${cannot[name]}`);
        continue;
      }
      const began = performance.now();
      try {
        const result = await check(scene);
        if (name === 'prompts_exact') exact = Number(result);
        checks[name] = name === 'prompts_exact' ? result === PROMPTS : true;
        say(
          `${checks[name] ? 'ok    ' : 'FAILED'}  ${name}  ${Math.round(performance.now() - began)} ms  ${result ?? ''}`,
        );
      } catch (error) {
        checks[name] = false;
        say(`FAILED  ${name}  ${error instanceof Error ? error.message : error}`);
        say(
          (await baton.screen(await baton.agent(scene.agent.id))).replace(/^\s*\n/gm, '').replace(/^/gm, '        | '),
        );
        await settle(scene).catch(() => undefined);
      }
    }
  } finally {
    await baton.cleanUp();
    await model.close();
  }
  return {
    version,
    prompts: PROMPTS,
    prompts_exact: exact,
    checks,
    ...cannotAmong(claudeCode, version, [...Object.keys(CHECKS), 'own_session_hangup']),
    passed: Object.values(checks).every(Boolean),
  };
}

/** @typedef {{ baton: Awaited<ReturnType<typeof startBatonWith>>, model: Awaited<ReturnType<typeof startStubModel>>, agent: any, persona: any, program: string, cannot: Record<string, string>, say: (line: string) => void }} Scene */

/** @returns {Promise<Omit<Scene, 'program' | 'cannot' | 'say'>>} */
async function openScene(/** @type {Scene['baton']} */ baton, /** @type {Scene['model']} */ model) {
  const persona = await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
  const project = await baton.call('POST', '/api/projects', { path: baton.project });
  const agent = await baton.call('POST', '/api/agents', {
    project_id: project.id,
    persona: persona.slug,
    runtime: 'claude-code',
  });
  if (agent.id === undefined) throw new Error(`the agent was refused: ${JSON.stringify(agent)}`);
  return { baton, model, agent, persona };
}

const isIdle = (/** @type {any} */ agent) => agent.state === 'idle';

async function settle(/** @type {Scene} */ { baton, agent }) {
  const now = await baton.agent(agent.id);
  await baton.press(now, 'Escape');
  await sleep(500);
  await baton.press(now, 'C-u');
  await baton.agentWhen(agent.id, isIdle, 12_000);
}

/** Returns all requests whose prompt contains the text `mark`, from all sessions of the agent. */
const askedFor = (/** @type {Scene} */ { model }, /** @type {string} */ mark) =>
  model.requests.filter(({ body, prompt }) => (body.tools ?? []).length > 0 && prompt.includes(mark));

async function tell(/** @type {Scene} */ { baton, agent }, /** @type {string} */ text) {
  const verdict = await baton.say(agent.id, text);
  if (verdict.verdict !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(verdict)}`);
}

const bare = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim();

/** @type {Record<string, (scene: Scene) => Promise<unknown>>} */
const CHECKS = {
  skill_first: async (scene) => {
    const { baton, model, agent } = scene;
    await baton.agentWhen(agent.id, (seen) => isIdle(seen) && seen.skill_injected_at !== null);
    expect(model.requests.length === 0, `the model was asked ${model.requests.length} times before anybody typed`);
    const now = await baton.agent(agent.id);
    // Wait for the composer, because on a busy machine the client draws it seconds after the session has begun.
    await until(
      'the composer',
      () => baton.screen(now),
      (screen) => /^❯/m.test(screen),
    );
    expect(!/[❯>] You are/.test(await baton.screen(now)), 'the skill was typed');
    await tell(scene, 'Say hello.');
    const [first] = await until(
      'the first turn',
      async () => model.turnsOf(agent.session_uuid),
      (turns) => turns.length > 0,
    );
    expect(first.prompt === 'Say hello.', `the first thing typed was: ${first.prompt.slice(0, 200)}`);
    expectSkill(first, skillOf(scene));
    await baton.agentWhen(agent.id, isIdle);
    const { facts } = await baton.call('GET', `/api/agents/${agent.id}/why`);
    return facts.find((/** @type {any} */ { type }) => type === 'session_started').sentence;
  },

  prompts_exact: async (scene) => {
    const { baton, agent, model } = scene;
    let exact = 0;
    for (let number = 1; number <= PROMPTS; number++) {
      const text = longPrompt(number);
      const before = model.turnsOf(agent.session_uuid).length;
      await tell(scene, text);
      await until(
        'the prompt',
        async () => model.turnsOf(agent.session_uuid).length,
        (count) => count > before,
      );
      const heard = model.turnsOf(agent.session_uuid).slice(before);
      // Compare with a text in which four spaces replace each tab, because the client shows and sends a tab as four
      // spaces.
      if (heard.length === 1 && heard[0]?.prompt === text.replaceAll('\t', '    ')) exact++;
      await baton.agentWhen(agent.id, isIdle);
    }
    return exact;
  },

  context_percent: async (scene) => {
    // Let the model report 84,000 used tokens. This number fits into every context window, and every client compacts
    // only at a higher number.
    await tell(scene, 'Count with me. ⟦usage 84000⟧');
    try {
      const seen = await scene.baton.agentWhen(scene.agent.id, ({ context }) => context?.used_tokens === 84_000);
      // The number of tokens at which the client compacts, by the size of the context window. Baton's 100 percent is
      // this number, which is smaller than the window.
      const limits = /** @type {Record<string, number>} */ ({ 1000000: 967_000, 200000: 180_000 });
      const { used_percent: percent, window_tokens: window } = seen.context;
      const expected = Math.round((100 * 84_000) / (limits[window] ?? Number.NaN));
      expect(percent === expected, `${percent} % of ${window}, not ${expected} %`);
      return `${percent} % of ${window}`;
    } finally {
      await tell(scene, 'Back again. ⟦usage 1500⟧');
      await scene.baton.agentWhen(scene.agent.id, isIdle);
    }
  },

  tokens: async ({ baton, agent, model }) => checkTokens(baton, agent.id, model.turnsOf(agent.session_uuid)),

  interrupted_turn: async (scene) => {
    const { baton, agent } = scene;
    await tell(scene, 'Take your time. ⟦slow 30⟧');
    await baton.agentWhen(agent.id, ({ state }) => state === 'working');
    await sleep(1_500);
    const working = await baton.agent(agent.id);
    expect(working.state === 'working', `while it works it is ${working.state}`);
    await baton.press(working, 'Escape');
    const pressed = performance.now();
    await baton.agentWhen(agent.id, isIdle, 12_000);
    return `seen idle ${Math.round(performance.now() - pressed)} ms after Esc`;
  },

  api_error: async (scene) => {
    await tell(scene, 'This will not end well. ⟦fail 400⟧');
    const seen = await scene.baton.agentWhen(scene.agent.id, ({ state_reason: why }) => /turn failed/.test(why));
    expect(isIdle(seen), seen.state);
    return seen.state_reason;
  },

  busy_is_refused: async (scene) => {
    const { baton, agent } = scene;
    await tell(scene, 'Talk for a while. ⟦slow 6⟧');
    await baton.agentWhen(agent.id, ({ state }) => state === 'working');
    await sleep(500);
    const verdict = await baton.say(agent.id, 'never-to-be-heard');
    expect(verdict.verdict === 'refused' && verdict.reason === 'busy', JSON.stringify(verdict));
    await baton.agentWhen(agent.id, isIdle);
    expect(askedFor(scene, 'never-to-be-heard').length === 0, 'the refused text reached the model');
  },

  queued_prompt: async (scene) => {
    const { baton, agent } = scene;
    await tell(scene, 'First of two. ⟦slow 3⟧');
    const working = await baton.agentWhen(agent.id, ({ state }) => state === 'working');
    await sleep(500);
    await baton.type(working, 'queued by hand ⟦slow 8⟧');
    await sleep(300);
    await baton.press(working, 'Enter');
    await until(
      'the queued prompt',
      async () => askedFor(scene, 'queued by hand').length,
      (count) => count === 1,
    );
    await sleep(1_500);
    const seen = await baton.agent(agent.id);
    const refused = await baton.say(agent.id, 'never-to-be-heard either');
    await until(
      'its end',
      () => baton.screen(seen),
      (screen) => !/esc to interrupt/.test(screen),
    );
    await baton.agentWhen(agent.id, isIdle);
    expect(refused.verdict === 'refused' && refused.reason === 'busy', JSON.stringify(refused));
    expect(seen.state === 'working', `while the queued prompt runs it is ${seen.state} (${seen.state_reason})`);
  },

  permission_dialog: async (scene) => {
    const { baton, agent } = scene;
    await tell(scene, 'Make a file. ⟦bash touch made-by-agent⟧');
    const waiting = await baton.agentWhen(agent.id, ({ state }) => state === 'awaiting_input');
    await until(
      'the dialog',
      () => baton.screen(waiting),
      (screen) => /❯ 1\. Yes/.test(screen),
    );
    const verdict = await baton.say(agent.id, 'typed into a dialog');
    expect(verdict.verdict === 'refused' && verdict.reason === 'dialog', JSON.stringify(verdict));
    const still = await baton.agent(agent.id);
    expect(still.state === 'awaiting_input', still.state);
    // Wait, because the client ignores keys in the first moments of a dialog.
    await sleep(1_500);
    await baton.press(waiting, 'Enter');
    await baton.agentWhen(agent.id, isIdle);
    return waiting.state_reason;
  },

  operators_draft: async (scene) => {
    const { baton, agent } = scene;
    const seen = await baton.agent(agent.id);
    await baton.type(seen, 'half a thought of the operator');
    // Wait until the client has drawn the draft, because Baton cannot see the draft earlier.
    await until(
      'the draft',
      () => baton.screen(seen),
      (screen) => /❯\u00a0half a thought of the operator/.test(screen),
    );
    const verdict = await baton.say(agent.id, 'typed over a draft');
    expect(verdict.verdict === 'refused' && verdict.reason === 'draft', JSON.stringify(verdict));
    expect(/❯\u00a0half a thought of the operator/.test(await baton.screen(seen)), 'the draft is gone');
    await baton.press(seen, 'C-u');
    await sleep(300);
    await tell(scene, 'and now it goes');
    await until(
      'the message',
      async () => askedFor(scene, 'and now it goes').length,
      (count) => count === 1,
    );
    await baton.agentWhen(agent.id, isIdle);
    expect(askedFor(scene, 'half a thought').length === 0, 'the draft was sent');
  },

  blocked_by_policy: async (scene) => {
    const { baton, agent } = scene;
    const verdict = await baton.say(agent.id, 'something forbidden');
    expect(verdict.verdict === 'unconfirmed' && verdict.reason === 'submitted', JSON.stringify(verdict));
    expect(askedFor(scene, 'something forbidden').length === 0, 'the model was asked');
    const seen = await baton.agent(agent.id);
    const blocks = (await baton.screen(seen)).split('blocked by hook').length - 1;
    expect(blocks === 1, `Enter was pressed until it was blocked ${blocks} times`);
    await baton.press(seen, 'C-u');
    await sleep(300);
    await baton.agentWhen(agent.id, isIdle);
    await works(scene, 'after the block');
    return verdict.sentence;
  },

  known_in_transcript: async (scene) => {
    const { baton, agent } = scene;
    // Poll for the line of the transcript. Claude Code writes a prompt into the transcript a moment after it begins to
    // work on the prompt.
    await tell(scene, longPrompt(99));
    const { events } = await baton.call('GET', '/api/events');
    const { transcript } = events.findLast((/** @type {any} */ event) => event.type === 'message_begun').data;
    const { transcriptReader } = await importSource('adapters/runtimes/transcript.ts');
    await until(
      'the line of the user with this very text',
      () => transcriptReader.promptsBehind(transcript.path, transcript.from),
      (prompts) => prompts.filter((/** @type {string} */ each) => bare(each) === bare(longPrompt(99))).length === 1,
    );
    await baton.agentWhen(agent.id, isIdle);
  },

  compact: async (scene) => {
    const { baton, agent } = scene;
    await command(scene, '/compact', /Compacted/);
    await baton.agentWhen(agent.id, isIdle);
    expectSkill(await works(scene, 'after the compaction'), skillOf(scene));
  },

  clear: async (scene) => {
    const { baton, agent } = scene;
    await command(scene, '/clear', /❯\u00a0$/m);
    await baton.agentWhen(agent.id, (seen) => isIdle(seen) && /clear/.test(seen.state_reason));
    expectSkill(await works(scene, 'after the clearing'), skillOf(scene));
  },

  skill_changed: async (scene) => {
    const { baton, agent } = scene;
    const before = skillOf(scene);
    writeFileSync(skillPath(scene), 'Be bold, and "say" so.\nTwo lines: Größe, 漢字.\n');
    await until(
      'the new skill',
      async () => readFileSync(join(baton.home, 'agents', String(agent.id), 'session-start'), 'utf8'),
      (text) => text.includes('Be bold'),
    );
    await command(scene, '/clear', /❯\u00a0$/m);
    await baton.agentWhen(agent.id, (seen) => isIdle(seen) && /clear/.test(seen.state_reason));
    const heard = await works(scene, 'with the new skill');
    expectSkill(heard, skillOf(scene));
    expect(!contains(heard, before), 'the old skill is still there');
  },

  skill_of_any_size: async (scene) => {
    const { baton, model } = scene;
    const laidOut = (/** @type {any} */ { id }) => join(baton.home, 'agents', String(id), 'session-start');
    const overhead = await withSkill(scene, 'x', async (agent) => {
      const [, output = ''] = readFileSync(laidOut(agent), 'utf8').split('\n');
      return JSON.parse(output).hookSpecificOutput.additionalContext.length - 1;
    });
    // Try the longest skill that fits into the hook's output, a skill one character longer, and a very long skill.
    for (const length of [10_000 - overhead, 10_001 - overhead, 40_000]) {
      const skill = `${'all the things to know, line by line\n'.repeat(1_200).slice(0, length - 4)} end`;
      await withSkill(scene, skill, async (agent) => {
        const given = existsSync(laidOut(agent));
        expect(given === length + overhead <= 10_000, `${length} characters: given ${given}`);
        if (given) await baton.say(agent.id, 'Say hello.');
        const [first] = await until(
          'its first turn',
          async () => model.turnsOf(agent.session_uuid),
          (turns) => turns.length > 0,
        );
        expectSkill(first, skill);
        expect(first.prompt.includes('--- skill ---') !== given, 'given and typed');
        await baton.agentWhen(agent.id, isIdle);
        if (given) return;
        await command({ ...scene, agent }, '/clear', /❯\u00a0$/m);
        await until(
          'the warning',
          async () => (await baton.call('GET', '/api/events?after=0')).events,
          (events) =>
            events.some(
              (/** @type {any} */ { type, agent_id, data }) =>
                type === 'agent_warning' && agent_id === agent.id && /without its skill/.test(data.sentence),
            ),
        );
      });
    }
  },

  /** Grants a permission by an option, answers one question by an option, and answers another question in free text. */
  answers: async (scene) => {
    const { baton, model, agent } = scene;
    const asked = async (/** @type {string} */ text) => {
      await tell(scene, text);
      return (await baton.agentWhen(agent.id, ({ question }) => question !== null)).question;
    };
    const answer = async (/** @type {any} */ { id: question }, /** @type {object} */ says) => {
      const told = await baton.call('POST', `/api/agents/${agent.id}/answer`, { question, ...says });
      expect(told.verdict === 'accepted', JSON.stringify(told));
      await baton.agentWhen(agent.id, isIdle);
    };
    const made = join(baton.project, 'allowed');
    const permission = await asked(`Make it. ⟦bash touch ${made}⟧`);
    expect(permission.text.includes(made) && !permission.takes_text, JSON.stringify(permission));
    await answer(permission, { choice: 1 });
    expect(existsSync(made), 'the permission did not arrive');
    const options = ['Red', 'Blue'].map((label) => ({ label, description: `It is ${label}` }));
    const question = { question: 'Which colour?', header: 'Colour', multiSelect: false, options };
    for (const [says, heard] of [
      [{ choice: 2 }, '"Which colour?"="Blue"'],
      [{ text: 'Green; with "quotes" & 漢字' }, '"Which colour?"="Green; with "quotes" & 漢字"'],
    ]) {
      model.instead(
        ({ prompt, toolResult, body }) =>
          toolResult === null && (body.tools ?? []).length > 0 && prompt.includes('Ask me.'),
        () => ({ tool: { name: 'AskUserQuestion', input: { questions: [question] } } }),
      );
      const menu = await asked('Ask me.');
      expect(
        menu.takes_text && /^Red.*Blue/.test(menu.options.map((/** @type {any} */ { label }) => label)),
        JSON.stringify(menu),
      );
      const before = model.requests.length;
      await answer(menu, says);
      // Wait until the client has sent the operator's answer to the model, because the screen looks idle between the
      // answer and the next hook. Search the requests of every session, because /clear begins a new session.
      await until(
        'the answer in the model',
        async () => model.requests.slice(before).map(({ toolResult }) => toolResult ?? ''),
        (results) => results.some((result) => result.includes(String(heard))),
      );
      await baton.agentWhen(agent.id, isIdle);
    }
  },

  nested_client: async (scene) => {
    const { baton, agent, model, program } = scene;
    const folder = join(baton.home, 'agents', String(agent.id));
    const [script, socket] = [join(folder, 'nested.sh'), join(baton.home, 'n.sock')];
    const inside = `'${program}' --settings ${join(folder, 'settings.json')}`;
    writeFileSync(script, `tmux -u -S ${socket} -f /dev/null new-session -d -x 150 -y 40 "${inside}"\n`);
    const { last_seq: seq } = await baton.call('GET', '/api/health');
    await tell(scene, `Start a helper. ⟦bash sh ${script}⟧`);
    const asking = await baton.agentWhen(agent.id, ({ state }) => state === 'awaiting_input');
    await sleep(1_500);
    await baton.press(asking, 'Enter');
    await baton.agentWhen(agent.id, isIdle);
    const { tmux } = baton;
    const says = async (/** @type {string} */ text) => {
      await tmux(socket, 'send-keys', '-l', text);
      await sleep(500);
      await tmux(socket, 'send-keys', 'Enter');
    };
    try {
      await until(
        'the nested composer',
        () => tmux(socket, 'capture-pane', '-p'),
        (screen) => /^❯\u00a0/m.test(screen),
      );
      await sleep(500);
      await says('/clear');
      await sleep(1_500);
      await says('spoken to the nested one');
      await until(
        'the nested turn',
        async () => model.requests.filter(({ prompt }) => prompt.includes('spoken to the nested one')).length,
        (count) => count > 0,
      );
      await sleep(1_500);
    } finally {
      await tmux(socket, 'kill-server');
    }
    await works(scene, 'beside a nested one');
    const { events } = await baton.call('GET', `/api/events?after=${seq}`);
    const heard = events.filter(
      (/** @type {any} */ { agent_id, type }) => agent_id === agent.id && /session/.test(type),
    );
    expect(heard.length === 0, `sessions of the nested one were taken for the agent's: ${JSON.stringify(heard)}`);
  },

  handoff: async (scene) => {
    const run = await handOver(scene, {});
    return `${run.steps.map((/** @type {any} */ { step, ms }) => `${step} ${ms ?? '-'}`).join(', ')}; warnings: ${run.warnings.length}`;
  },

  handoff_with_compaction: async (scene) => {
    const run = await handOver(scene, { note: 'There is no room left. ⟦full⟧' });
    expect(run.compacted_since_instruction, 'nobody noticed that the context was compacted');
  },

  operators_own_session: async (scene) => {
    const { baton, model, agent } = scene;
    const path = join(baton.user, '.claude', 'settings.json');
    const settings = readFileSync(path, 'utf8');
    const candidates = async () => (await baton.call('GET', '/api/candidates')).candidates;
    try {
      await baton.cli('hooks', 'install');
      const status = await baton.cli('hooks', 'status');
      expect(status.settings[0].sees_sessions, JSON.stringify(status));

      // Start an external session: in the operator's own tmux, with the operator's settings and a session id that the
      // client chose.
      await baton.ownTmux(
        'new-session',
        '-d',
        '-s',
        'own',
        '-x',
        '120',
        '-y',
        '40',
        '-c',
        baton.project,
        `exec '${scene.program}'`,
      );
      const [seen] = await until('the candidate', candidates, (all) => all.length > 0);
      const pane = (await baton.ownTmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid}')).trim();
      expect(`${seen.tmux?.pane} ${seen.pid}` === pane, `${JSON.stringify(seen)} is not in ${pane}`);
      expect(seen.tmux.socket === baton.ownSocket && seen.folder === baton.project, JSON.stringify(seen));
      expect(seen.alive && seen.transcript_path.includes(seen.session_id), JSON.stringify(seen));
      const screen = () => baton.ownTmux('capture-pane', '-p', '-t', 'own');
      await until('its composer', screen, (text) => /❯/.test(text));
      expect(!/hook error|hook failed/i.test(await screen()), await screen());

      // An agent that Baton started has both Baton's own hooks and the operator's hooks. Each event must still count
      // once, and the agent must not be listed as an external session.
      const told = () => readFileSync(join(baton.home, 'spool', 'order-0'), 'utf8');
      const before = told();
      const wanted = { project_id: agent.project.id, persona: agent.persona.slug, runtime: 'claude-code' };
      const { id } = await baton.call('POST', '/api/agents', wanted);
      const ready = await baton.agentWhen(id, (now) => isIdle(now) && now.skill_injected_at !== null);
      await baton.call('POST', `/api/agents/${id}/stop`, {});
      await baton.agentWhen(id, ({ state }) => state === 'ended');
      const { events } = await baton.call('GET', '/api/events?limit=1000');
      const count = (/** @type {string} */ type) =>
        events.filter((/** @type {any} */ event) => event.agent_id === id && event.type === type).length;
      expect(
        count('session_started') === 1 && count('session_ended') === 1,
        `${count('session_started')} starts, ${count('session_ended')} ends`,
      );
      expect(
        model.turnsOf(ready.session_uuid).length === 0,
        'something was typed, though its session began with the skill',
      );
      expect(told() === before, "its hooks in the operator's settings have told something too");
      const all = await candidates();
      expect(all.length === 1, `also seen: ${JSON.stringify(all.slice(1))}`);

      await baton.ownTmux('kill-session', '-t', 'own');
      const isTold = scene.cannot.own_session_hangup === undefined;
      await until('its end', candidates, ([one]) => !one.alive && (one.ended_at !== null || !isTold));
      await baton.cli('hooks', 'uninstall');
      expect(readFileSync(path, 'utf8') === settings, readFileSync(path, 'utf8'));
      return `${seen.session_id} in ${seen.tmux.pane}`;
    } finally {
      await baton.ownTmux('kill-server');
      await baton.cli('hooks', 'uninstall');
    }
  },

  /**
   * Adopts a session in the operator's tmux and hands it over to a successor in Baton's tmux. The operator's shell must
   * still be there afterwards.
   */
  adopt: async ({ baton, model, persona, program }) => {
    const path = join(baton.user, '.claude', 'settings.json');
    const settings = readFileSync(path, 'utf8');
    try {
      await baton.cli('hooks', 'install');
      const size = ['-x', '150', '-y', '45', '-c', baton.project];
      await baton.ownTmux('new-session', '-d', '-s', 'adopt', ...size, '/bin/sh', '-i');
      const shell = (await baton.ownTmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid}')).trim();
      await baton.ownTmux('send-keys', '-l', '-t', 'adopt', '--', `'${program}'`);
      await baton.ownTmux('send-keys', '-t', 'adopt', 'Enter');
      const running = async () =>
        (await baton.call('GET', '/api/candidates')).candidates.filter((/** @type {any} */ each) => each.alive);
      const [seen] = await until('the candidate', running, (all) => all.length > 0);
      const screen = () => baton.ownTmux('capture-pane', '-p', '-t', 'adopt');
      await until('its composer', screen, (text) => /❯/.test(text));
      // Before the adoption, Baton's hooks must exit at once without an error.
      await baton.ownTmux('send-keys', '-l', '-t', 'adopt', '--', 'Say [[stub:say aubergine]]');
      await until('the prompt in its composer', screen, (text) => /❯\s*Say \[\[stub/.test(text));
      await sleep(300);
      await baton.ownTmux('send-keys', '-t', 'adopt', 'Enter');
      await until(
        'its turn',
        async () => model.turnsOf(seen.session_id),
        (turns) => turns.length > 0,
      );
      expect(!/hook error|hook failed|EPIPE/i.test(await screen()), await screen());
      const { events } = await baton.call('GET', '/api/events?limit=1000');
      expect(!JSON.stringify(events).includes('aubergine'), 'what was said before the adoption was heard');

      const { id, error } = await baton.cli('agent', 'adopt', seen.session_id, '--persona', persona.slug, '--yes');
      expect(error === undefined, String(error));
      // Wait for up to two minutes. Release 2.0 of Claude Code has no status file and reports that it is idle only a
      // minute after its last turn.
      await baton.agentWhen(id, (now) => isIdle(now) && now.skill_injected_at !== null, 120_000);
      const said = await baton.say(id, 'Remember the word damson-12.');
      expect(said.verdict === 'accepted', JSON.stringify(said));
      const agent = await baton.agentWhen(id, (now) => isIdle(now) && now.context !== null);

      const asked = await baton.call('POST', `/api/agents/${id}/handoff`, { reason: 'shift_end' });
      const answered = new Set();
      const run = await until(
        'the run',
        async () => {
          // Answer the client's questions for permission: it was started without access to the persona's folder, so it
          // asks before it writes into that folder.
          const { state, question } = await baton.agent(id);
          if (state === 'awaiting_input' && question?.options.length > 0 && !answered.has(question.id)) {
            answered.add(question.id);
            await baton.call('POST', `/api/agents/${id}/answer`, { question: question.id, choice: 1 });
          }
          return baton.call('GET', `/api/runs/${asked.run_id}`);
        },
        ({ over }) => over,
        90_000,
      ).catch(async (error) => {
        const { state, state_reason, question } = await baton.agent(id);
        throw new Error(`${state}: ${state_reason} ${JSON.stringify(question)}\n${await screen()}\n${error.message}`);
      });
      expect(run.step === 'completed' && run.acknowledged, JSON.stringify(run.failure ?? run.step));
      const next = await baton.agent(run.successor_agent_id);
      expect(next.tmux.socket === join(baton.home, 'tmux.sock'), JSON.stringify(next.tmux));
      const left = (await baton.ownTmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid}')).trim();
      expect(left === shell, `${shell} became ${left}`);
      await until(
        'no marks',
        () => baton.ownTmux('show-options', '-p', '-t', 'adopt'),
        (marks) => marks.trim() === '',
      );
      await baton.call('POST', `/api/agents/${next.id}/stop`, {});
      await baton.agentWhen(next.id, ({ state }) => state === 'ended');
      await baton.cli('hooks', 'uninstall');
      expect(readFileSync(path, 'utf8') === settings, readFileSync(path, 'utf8'));
      return `context ${agent.context.used_percent} %, ${answered.size} question(s) answered`;
    } finally {
      await baton.ownTmux('kill-server');
      await baton.cli('hooks', 'uninstall');
    }
  },

  ...POLICY_CHECKS,

  exit: async ({ baton, agent }) => {
    await baton.call('POST', `/api/agents/${agent.id}/stop`, {});
    const seen = await baton.agentWhen(agent.id, ({ state }) => state === 'ended');
    return seen.state_reason;
  },

  question_at_start: async (scene) => {
    const { baton, agent, model } = scene;
    // Remove the stored approval of the API key, so that the client asks whether to use the key. Enter would choose
    // "no".
    const path = join(baton.user, '.claude.json');
    const { customApiKeyResponses: _said, ...config } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify(config));
    const asked = model.requests.length;
    const wanted = { project_id: agent.project.id, persona: agent.persona.slug, runtime: 'claude-code' };
    const { id } = await baton.call('POST', '/api/agents', wanted);
    const launched = await baton.agentWhen(id, ({ tmux }) => tmux.pane !== null);
    const question = /Do you want to use this API key\?/;
    await until(
      'the question',
      () => baton.screen(launched),
      (screen) => question.test(screen),
    );
    await sleep(3_000);
    const said = await baton.say(id, 'typed into a question');
    expect(said.verdict === 'refused' && said.reason === 'dialog', JSON.stringify(said));
    expect(question.test(await baton.screen(launched)), 'the question is gone');
    expect(model.requests.length === asked, 'something reached the model');
    const waiting = await baton.agent(id);
    expect(waiting.state === 'awaiting_input', `meanwhile it is called ${waiting.state}`);
    await baton.call('POST', `/api/agents/${id}/stop`, { force: true });
    await baton.agentWhen(id, (seen) => seen.state === 'ended');
    return waiting.state_reason;
  },

  /**
   * Compares the real client with the recording. test/practice/conformance.test.ts compares the practice agent with the
   * same recording.
   */
  traces_match_recording: async ({ program, say }) => {
    const found = await compareWithRecording({ program, version: VERSION, say });
    expect(found.length === 0, `not as recorded:\n${found.join('\n')}`);
  },
};

const skillPath = (/** @type {Scene} */ { baton, persona }) =>
  join(baton.home, 'data/personas', persona.slug, 'skill.md');
const skillOf = (/** @type {Scene} */ scene) => readFileSync(skillPath(scene), 'utf8').trim();

const contains = (/** @type {any} */ request, /** @type {string} */ text) =>
  JSON.stringify(request.body.messages).includes(JSON.stringify(text).slice(1, -1));

/** Expects that the request contains the whole skill. */
function expectSkill(/** @type {any} */ request, /** @type {string} */ skill) {
  expect(request !== undefined, 'the model was not asked');
  expect(contains(request, skill), `the skill is not in: ${JSON.stringify(request.body.messages).slice(-400)}`);
}

/** Starts an agent with a new persona and the given skill, calls the function `look`, and then stops the agent. */
async function withSkill(
  /** @type {Scene} */ { baton, agent },
  /** @type {string} */ skill,
  /** @type {(agent: any) => Promise<any>} */ look,
) {
  const persona = await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Max' });
  writeFileSync(join(baton.home, 'data/personas', persona.slug, 'skill.md'), `${skill}\n`);
  writeFileSync(join(baton.home, 'data/personas', persona.slug, 'experience.md'), '');
  const wanted = { project_id: agent.project.id, persona: persona.slug, runtime: 'claude-code' };
  const { id } = await baton.call('POST', '/api/agents', wanted);
  try {
    return await look(await baton.agentWhen(id, (seen) => isIdle(seen) && seen.skill_injected_at !== null));
  } finally {
    await baton.call('POST', `/api/agents/${id}/stop`, { force: true });
    await baton.agentWhen(id, ({ state }) => state === 'ended');
  }
}

/** Hands over the agent of the scene. The successor becomes the new agent of the scene. */
async function handOver(/** @type {Scene} */ scene, /** @type {object} */ more) {
  const { baton, agent, model } = scene;
  const asked = await baton.call('POST', `/api/agents/${agent.id}/handoff`, { reason: 'context_limit', ...more });
  expect(asked.status === 'initiated', JSON.stringify(asked));
  const run = await until(
    'the handoff',
    () => baton.call('GET', `/api/runs/${asked.run_id}`),
    ({ over }) => over,
    60_000,
  );
  expect(run.step === 'completed' && run.acknowledged, JSON.stringify(run.failure ?? run));
  const [before, after] = [await baton.agent(agent.id), await baton.agent(run.successor_agent_id)];
  expect(before.state === 'ended', `the predecessor is ${before.state}`);
  const heard = model.turnsOf(after.session_uuid);
  expect(heard[0]?.prompt.includes(run.document.absolute_path), 'the document was not the first thing typed');
  expectSkill(heard[0], skillOf(scene));
  expect(
    heard.some(({ toolResult }) => toolResult?.includes('handoff-end:')),
    'the document was not read',
  );
  scene.agent = await baton.agentWhen(after.id, isIdle);
  return run;
}

/** Types a slash command as the operator. */
async function command(/** @type {Scene} */ { baton, agent }, /** @type {string} */ text, /** @type {RegExp} */ done) {
  const seen = await baton.agent(agent.id);
  await baton.type(seen, text);
  await sleep(500);
  await baton.press(seen, 'Enter');
  await until(
    text,
    () => baton.screen(seen),
    (screen) => done.test(screen),
  );
}

/** Checks that the agent still functions: a message arrives, and Baton sees the turn begin and end. */
async function works(/** @type {Scene} */ scene, /** @type {string} */ mark) {
  const { baton, agent } = scene;
  await tell(scene, `Go on ${mark}. ⟦slow 2⟧`);
  await baton.agentWhen(agent.id, ({ state }) => state === 'working');
  await until(
    mark,
    async () => askedFor(scene, mark).length,
    (count) => count === 1,
  );
  const seen = await baton.agentWhen(agent.id, isIdle);
  expect(seen.state_reason === 'finished its turn', seen.state_reason);
  return askedFor(scene, mark)[0];
}

function expect(/** @type {unknown} */ holds, /** @type {string} */ otherwise) {
  if (!holds) throw new Error(otherwise);
}
