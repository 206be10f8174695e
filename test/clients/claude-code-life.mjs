// npm run e2e:clients -- claude-code --life: real-life situations, each with the real client in its own home. The
// expected results were derived from the client's behavior alone, before Baton was tried. The evidence is the requests
// at the stub model, the bytes of the pane and the client's own status file.

import { appendFileSync, writeFileSync } from 'node:fs';
import { cannotAmong, cannotOf } from './cannot.mjs';
import { claudeCode } from './describe/claude-code.mjs';
import { API } from './life/api.mjs';
import { BACKGROUND } from './life/background.mjs';
import { DOCUMENT } from './life/document.mjs';
import { DRAFTS } from './life/drafts.mjs';
import { QUESTIONS } from './life/questions.mjs';
import { SEEDS } from './life/seeds.mjs';
import { Stage } from './life/stage.mjs';
import { START } from './life/start.mjs';
import { TERMINAL } from './life/terminal.mjs';
import { VIEWS } from './life/views.mjs';

/** @typedef {import('./life/stage.mjs').Situation} Situation */

/** @type {Situation[]} */
const SITUATIONS = [
  ...API,
  ...BACKGROUND,
  ...DOCUMENT,
  ...DRAFTS,
  ...QUESTIONS,
  ...SEEDS,
  ...START,
  ...TERMINAL,
  ...VIEWS,
];

const AT_ONCE = 2;

/**
 * @param {{ program: string, version: string, only?: string, repeat?: number, sentences?: string, log?: string, say: (line: string) => void }} options
 */
export async function checkLife({ program, version, only, repeat = 1, sentences, log, say }) {
  const chosen = choose(only);
  const cannot = cannotOf(claudeCode, version);
  const wanted = chosen.filter(({ name }) => cannot[name] === undefined);
  for (const { name } of chosen) if (cannot[name] !== undefined) say(`cannot  ${name}  ${cannot[name]}`);
  const plays = Array.from({ length: repeat }, () => wanted).flat();
  if (sentences !== undefined) writeFileSync(sentences, '');
  /** @type {Awaited<ReturnType<typeof playOnce>>[]} */
  const results = [];
  const next = async () => {
    for (let situation = plays.shift(); situation !== undefined; situation = plays.shift()) {
      const result = await playOnce(situation, { program, version, ...(log ? { log } : {}) });
      results.push(result);
      if (sentences !== undefined) appendFileSync(sentences, linesOf(result));
      report(result, situation, say);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const sum = (/** @type {(each: Awaited<ReturnType<typeof playOnce>>) => number} */ count) =>
    results.reduce((all, each) => all + count(each), 0);
  const wrong = results.filter((each) => each.wrong.length > 0);
  return {
    version,
    situations: results.length,
    right: results.length - wrong.length,
    typed_while_working: sum((each) => each.typedWhileWorking),
    draft_spoiled: sum((each) => each.draftSpoiled),
    untrue_sentences: sum((each) => each.untrue),
    ...cannotAmong(
      claudeCode,
      version,
      chosen.map(({ name }) => name),
    ),
    passed: wrong.length === 0,
    wrong: wrong.map(({ name, wrong: why }) => ({ name, why: why.join('; ') })),
  };
}

function choose(/** @type {string | undefined} */ only) {
  if (only === undefined) return SITUATIONS;
  const names = only.split(',');
  const unknown = names.filter((name) => !SITUATIONS.some((each) => each.name === name));
  if (unknown.length > 0)
    throw new Error(`No such situation: ${unknown}. There are: ${SITUATIONS.map(({ name }) => name).join(', ')}`);
  return SITUATIONS.filter(({ name }) => names.includes(name));
}

/** @param {Situation} situation @param {{ program: string, version: string, log?: string }} client */
async function playOnce(situation, client) {
  const began = performance.now();
  const nothing = { typedWhileWorking: 0, draftSpoiled: 0, untrue: 0, said: [], screens: '' };
  /** @type {Stage | undefined} */
  let stage;
  try {
    stage = await Stage.open(situation, client);
    await situation.play(stage).catch((error) => void stage?.wrong.push(errorMessage(error)));
    const screens = await screensOf(stage);
    return { name: situation.name, ms: msSince(began), ...(await stage.verdict()), screens };
  } catch (error) {
    return { name: situation.name, ms: msSince(began), ...nothing, wrong: [errorMessage(error)] };
  } finally {
    await stage?.close();
  }
}

const errorMessage = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));
const msSince = (/** @type {number} */ began) => Math.round(performance.now() - began);

async function screensOf(/** @type {Stage} */ stage) {
  if (stage.wrong.length === 0) return '';
  const { agents = [] } = await stage.baton.call('GET', '/api/agents').catch(() => ({}));
  const screens = [];
  for (const { id } of agents) {
    const screen = await stage.screen(id).catch(() => '');
    screens.push(screen.replace(/^[\s─]*\n/gm, '').replace(/^/gm, `        ${id} | `));
  }
  return screens.join('\n');
}

/** @param {Awaited<ReturnType<typeof playOnce>>} result @param {Situation} situation @param {(line: string) => void} say */
function report({ name, ms, wrong, screens }, { about, finding }, say) {
  const about_ = `${finding ? `${finding}: ` : ''}${about}`;
  say(`${wrong.length === 0 ? 'right ' : 'WRONG '}  ${name}  ${ms} ms  ${about_}`);
  for (const why of wrong) say(`        ${why}`);
  if (screens !== '') say(screens);
}

const linesOf = (/** @type {Awaited<ReturnType<typeof playOnce>>} */ { name, said }) =>
  said.map(({ where, sentence }) => `${JSON.stringify({ situation: name, where, sentence })}\n`).join('');
