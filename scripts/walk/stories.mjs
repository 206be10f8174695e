// Performs the tasks of an operator's day as a new user would. Uses only the commands in the README and the guides.
// Finds elements of the pages only by roles, accessible names and visible words.
//
//   npm run walk:stories [-- --json] [-- --only a,c] [-- --pictures FOLDER]
//
// Runs the real server, real tmux, practice agents and headless Chromium. Exits 1 if a story fails.

import { launchChromium } from '../bench/chromium.mjs';
import { morning } from './stories/a-morning.mjs';
import { handOverFull } from './stories/b-hand-over.mjs';
import { failedAtNight } from './stories/c-phone.mjs';
import { stepWithGate } from './stories/d-gate.mjs';
import { reboot } from './stories/f-reboot.mjs';
import { tokens } from './stories/h-tokens.mjs';
import { fiveAtOnce } from './stories/i-five-agents.mjs';
import { notifications } from './stories/j-notifications.mjs';
import { yesterdaysDecision } from './stories/k-yesterdays-decision.mjs';
import { automaticHandoff } from './stories/l-automatic-handoff.mjs';
import { Walk } from './walker.mjs';

/** @type {Readonly<Record<string, (walk: Walk) => Promise<void>>>} */
const STORIES = {
  'a-morning': morning,
  'b-hand-over-at-85-percent': handOverFull,
  'c-failed-at-night-from-the-phone': failedAtNight,
  'd-step-with-a-gate': stepWithGate,
  'f-stop-all-reboot-return': reboot,
  'h-tokens': tokens,
  'i-five-agents-with-prompts': fiveAtOnce,
  'j-notifications': notifications,
  'k-yesterdays-decision': yesterdaysDecision,
  'l-automatic-handoff': automaticHandoff,
};

const optionValue = (/** @type {string} */ option) => {
  const at = process.argv.indexOf(option);
  return at === -1 ? undefined : process.argv[at + 1];
};
const json = process.argv.includes('--json');
const only = optionValue('--only')?.split(',');
const unknown = (only ?? []).filter((letter) => !Object.keys(STORIES).some((name) => name.startsWith(`${letter}-`)));
const tell = (/** @type {string} */ line) => (json ? console.error(line) : console.log(line));

if (unknown.length > 0) {
  console.error(`There is no story ${unknown.join(', ')}. The stories are ${Object.keys(STORIES).join(', ')}.`);
  process.exit(2);
}

const browser = await launchChromium();
/** @type {Record<string, { passed: boolean, steps: number, seconds: number }>} */
const stories = {};
try {
  for (const [name, play] of Object.entries(STORIES)) {
    if (only !== undefined && !only.includes(name.slice(0, 1))) continue;
    const walk = new Walk({ name, browser, pictures: optionValue('--pictures'), tell });
    let problem;
    try {
      await walk.server.start();
      await play(walk);
    } catch (error) {
      problem = error;
      await walk.picture();
    } finally {
      await walk.cleanUp();
    }
    const seconds = Math.round(walk.seconds * 10) / 10;
    stories[name] = { passed: problem === undefined, steps: walk.steps, seconds };
    const end = problem === undefined ? 'passed' : `FAILED: ${problem instanceof Error ? problem.message : problem}`;
    tell(`${name}: ${end} (${walk.steps} steps, ${seconds} s)`);
  }
} finally {
  await browser.close();
}
if (json) console.log(JSON.stringify({ stories }));
process.exitCode = Object.values(stories).every(({ passed }) => passed) ? 0 : 1;
