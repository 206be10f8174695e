// Checks Baton's plugin with the real Claude Code, in a session that the user started.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './baton-with-client.mjs';

const PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../dist/main/baton.js', import.meta.url));

/** @typedef {{ baton: any, model: any, agent: any, persona: any, program: string }} Scene */

const expect = (/** @type {boolean} */ holds, /** @type {string} */ otherwise) => {
  if (!holds) throw new Error(otherwise);
};

/**
 * Waits until a run is over. Meanwhile, answers each question of the run's agent with the first option, as a person at
 * the terminal would.
 * @param {Scene['baton']} baton
 * @param {(runs: any[]) => any} choose
 * @returns {Promise<any>}
 */
async function whenOver(baton, choose, patience = 150_000) {
  const answered = new Set();
  return until(
    'the run',
    async () => {
      const run = choose((await baton.call('GET', '/api/runs')).runs);
      if (run === undefined) return { over: false };
      const { state, question } = await baton.agent(run.agent_id);
      if (state === 'awaiting_input' && question?.options.length > 0 && !answered.has(question.id)) {
        answered.add(question.id);
        await baton.call('POST', `/api/agents/${run.agent_id}/answer`, { question: question.id, choice: 1 });
      }
      return run;
    },
    ({ over }) => over,
    patience,
  );
}

export const POLICY_CHECKS = {
  /**
   * The user installs the plugin from the local marketplace, starts a session without Baton, and types the command of
   * the plugin.
   */
  plugin: async (/** @type {Scene} */ { baton, agent, persona, program }) => {
    const bin = join(baton.user, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'baton'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    chmodSync(join(bin, 'baton'), 0o755);
    await baton.call('POST', `/api/projects/${agent.project.id}/default-persona`, { persona: persona.slug });
    const size = ['-x', '150', '-y', '45', '-c', baton.project];
    const type = async (/** @type {string} */ text) => {
      await baton.ownTmux('send-keys', '-l', '-t', 'plugin', '--', text);
      await baton.ownTmux('send-keys', '-t', 'plugin', 'Enter');
    };
    const screen = () => baton.ownTmux('capture-pane', '-p', '-t', 'plugin');
    try {
      await baton.ownTmux('new-session', '-d', '-s', 'plugin', ...size, '/bin/sh', '-i');
      await type(`PATH='${bin}':$PATH; export PATH`);
      await type(
        `'${program}' plugin marketplace add '${PLUGINS}' && '${program}' plugin install baton@baton; echo over-$?`,
      );
      const installed = await until(
        'the plugin',
        screen,
        (text) => /over-\d/.test(text.replace(/echo over-\$\?/g, '')),
        120_000,
      );
      expect(/over-0/.test(installed), installed);
      const { settings } = await baton.cli('hooks', 'status').catch((/** @type {any} */ error) => ({ error }));
      const mine = settings?.find((/** @type {any} */ each) => each.runtime === 'claude-code');
      expect(mine === undefined || mine.plugin === true, JSON.stringify(mine));
      await type(`clear; '${program}'`);
      const running = async () =>
        (await baton.call('GET', '/api/candidates')).candidates.filter((/** @type {any} */ each) => each.alive);
      await until('the session', running, (all) => all.length > 0, 120_000);
      await until('its composer', screen, (text) => /❯/.test(text), 60_000);
      const before = (await baton.call('GET', '/api/runs')).runs.map((/** @type {any} */ run) => run.id);
      await baton.ownTmux('send-keys', '-l', '-t', 'plugin', '--', '/baton:handoff');
      await until('the command', screen, (text) => /❯\s*\/baton:handoff/.test(text));
      await baton.ownTmux('send-keys', '-t', 'plugin', 'Enter');
      const run = await whenOver(baton, (runs) => runs.find(({ id }) => !before.includes(id))).catch(async (error) => {
        throw new Error(`${error.message}\n${await screen()}`);
      });
      expect(
        run.step === 'completed' && run.acknowledged,
        `${JSON.stringify(run.failure ?? run.step)}\n${await screen()}`,
      );
      const { events } = await baton.call('GET', `/api/events?agent=${run.agent_id}&limit=1000`);
      const stops = events.filter((/** @type {any} */ { type }) => type === 'turn_ended').length;
      const next = run.successor_agent_id;
      await baton.call('POST', `/api/agents/${next}/stop`, {});
      await baton.agentWhen(next, (/** @type {any} */ { state }) => state === 'ended');
      return `handoff ${run.id} of agent ${run.agent_id}, ${stops} turns`;
    } finally {
      await baton.ownTmux('kill-server');
      await baton.call('POST', `/api/projects/${agent.project.id}/default-persona`, { persona: null });
    }
  },
};
