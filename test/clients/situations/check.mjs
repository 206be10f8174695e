// npm run e2e:clients -- CLIENT --life: situations of a working day, each with the real client in its own home. Claude Code
// has its own situations (test/clients/life).

import { cannotOf } from '../cannot.mjs';
import { COMPOSER } from './composer.mjs';
import { OWN_COMMANDS } from './own-commands.mjs';
import { SITUATIONS as OF_A_DAY } from './situations.mjs';
import { Stage } from './stage.mjs';

const AT_ONCE = 2;

const SITUATIONS = [...OF_A_DAY, ...OWN_COMMANDS, ...COMPOSER];

/**
 * @param {{ client: import('../describe/client.mjs').ClientDescription, program: string, version: string, log?: string, only?: string,
 *   repeat?: number, say: (line: string) => void }} options
 */
export async function checkSituations({ client, program, version, log, only, repeat = 1, say }) {
  const names = only?.split(',');
  const unknown = names?.filter((name) => !SITUATIONS.some((each) => each.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`No such situation: ${unknown}. There are: ${SITUATIONS.map(({ name }) => name)}`);
  const cannot = cannotOf(client, version);
  const chosen = SITUATIONS.filter(({ name }) => names === undefined || names.includes(name));
  const unsupported = chosen
    .filter(({ name }) => cannot[name] !== undefined)
    .map(({ name }) => `${name}: ${cannot[name]}`);
  const wanted = chosen.filter(({ name }) => cannot[name] === undefined);
  const plays = Array.from({ length: repeat }, () => wanted).flat();
  /** @type {{ name: string, wrong: string[], typedWhileWorking: number, untrue: number, draftSpoiled: number }[]} */
  const results = [];
  const next = async () => {
    for (let situation = plays.shift(); situation !== undefined; situation = plays.shift()) {
      const began = performance.now();
      const result = await playOnce(situation, { client, program, version, ...(log ? { log } : {}) }, say);
      results.push({ name: situation.name, ...result });
      const ms = Math.round(performance.now() - began);
      say(`${result.wrong.length === 0 ? 'right ' : 'WRONG '}  ${situation.name}  ${ms} ms  ${situation.about}`);
      for (const why of result.wrong) say(`        ${why}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const sum = (/** @type {'typedWhileWorking' | 'untrue' | 'draftSpoiled'} */ name) =>
    results.reduce((all, each) => all + each[name], 0);
  const wrong = results.filter((each) => each.wrong.length > 0);
  return {
    runtime: client.id,
    version,
    situations: results.length,
    right: results.length - wrong.length,
    typed_while_working: sum('typedWhileWorking'),
    draft_spoiled: sum('draftSpoiled'),
    untrue_sentences: sum('untrue'),
    unsupported,
    passed: wrong.length === 0,
    wrong: wrong.map(({ name, wrong: why }) => ({ name, why: why.join('; ').slice(0, 600) })),
  };
}

/** @param {import('./stage.mjs').Situation} situation @param {Parameters<typeof Stage.open>[1]} options @param {(line: string) => void} say */
async function playOnce(situation, options, say) {
  const nothing = { typedWhileWorking: 0, untrue: 0, draftSpoiled: 0 };
  /** @type {Stage | undefined} */
  let stage;
  try {
    stage = await Stage.open(situation, options);
    await situation.play(stage).catch(async (error) => {
      stage?.wrong.push(error instanceof Error ? error.message.slice(0, 500) : String(error));
      say(
        ((await stage?.screen().catch(() => '')) ?? '')
          .replace(/^\s*\n/gm, '')
          .replace(/^/gm, `        ${situation.name} | `),
      );
    });
    return await stage.verdict();
  } catch (error) {
    return { ...nothing, wrong: [error instanceof Error ? error.message.slice(0, 500) : String(error)] };
  } finally {
    await stage?.close();
  }
}
