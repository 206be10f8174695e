import { findProgram, run } from './run.mjs';
import { Stop } from './stop.mjs';

/**
 * Programs that npm cannot install. Each has one row; the flag `--<name>` requests the program.
 *
 * @typedef {{
 *   name: string, why: string, programs: readonly string[], versionFlag: string, atLeast?: readonly [number, number],
 *   apt: readonly string[], brew: readonly string[], seconds: number,
 * }} Tool
 * @type {readonly Tool[]}
 */
export const TOOLS = [
  {
    name: 'tmux',
    why: 'every agent lives in a tmux pane',
    programs: ['tmux'],
    versionFlag: '-V',
    // tmux has `-e` for new-session since 3.2; without this option an agent would start without its environment.
    atLeast: [3, 2],
    apt: ['tmux'],
    brew: ['tmux'],
    seconds: 15,
  },
  {
    name: 'chromium',
    why: 'the dashboard is tested in a real browser',
    // The headless shell needs a quarter of the processor time of the whole browser.
    programs: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    versionFlag: '--version',
    apt: ['chromium-headless-shell'],
    brew: ['--cask', 'chromium'],
    seconds: 40,
  },
];

/**
 * @param {Tool} tool
 * @param {{ dryRun: boolean }} options
 */
export async function ensureTool(tool, { dryRun }) {
  if (findProgram(tool.programs)) return refuseIfTooOld(tool);
  const plan = await planInstall(tool);
  if (plan.steps === undefined) throw new Stop(missing(tool, plan.byHand));
  if (dryRun)
    return console.log(`Would install ${tool.name}: ${plan.steps.map((step) => step.join(' ')).join(' && ')}`);
  console.log(`Installing ${tool.name} (first time, about ${tool.seconds} s)…`);
  await install(tool, plan.steps, plan.byHand);
  await refuseIfTooOld(tool);
}

/**
 * @param {Tool} tool
 * @param {string} byHand
 */
const missing = (tool, byHand) =>
  `${tool.name} is missing (${tool.why}) and cannot be installed from here. Install it with:\n\n  ${byHand}\n`;

/**
 * Returns the install steps, and the same as a command to type. Without steps, only the person can install the tool.
 * @param {Tool} tool
 * @returns {Promise<{ steps?: string[][], byHand: string }>}
 */
async function planInstall(tool) {
  if (findProgram(['apt-get'])) return planApt(tool);
  if (findProgram(['brew'])) {
    const step = ['brew', 'install', ...tool.brew];
    return { steps: [step], byHand: step.join(' ') };
  }
  const byHand = `Debian: apt-get install ${tool.apt.join(' ')}    macOS: brew install ${tool.brew.join(' ')}`;
  return { byHand };
}

/** @param {Tool} tool */
async function planApt(tool) {
  // The timeout waits for another apt (unattended upgrades, a set-up in another clone) instead of failing at once.
  const apt = ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=120'];
  const steps = [
    [...apt, 'update'],
    [...apt, 'install', '-y', '--no-install-recommends', ...tool.apt],
  ];
  const install = `apt-get install -y --no-install-recommends ${tool.apt.join(' ')}`;
  if (process.getuid?.() === 0) return { steps, byHand: `apt-get update && ${install}` };
  const byHand = `sudo apt-get update && sudo ${install}`;
  return (await sudoAsksNothing()) ? { steps: steps.map((step) => ['sudo', '-n', ...step]), byHand } : { byHand };
}

async function sudoAsksNothing() {
  return findProgram(['sudo']) !== undefined && (await run(['sudo', '-n', 'true'])).code === 0;
}

/**
 * @param {Tool} tool
 * @param {string[][]} steps
 * @param {string} byHand
 */
async function install(tool, steps, byHand) {
  let output = '';
  // Ignore the exit codes and check the result, because `apt-get update` fails if one unneeded mirror is down.
  for (const step of steps) output += (await run(step)).output;
  if (!findProgram(tool.programs)) throw new Stop(`${output.trim()}\n\n${missing(tool, byHand)}`);
}

/** @param {Tool} tool */
async function refuseIfTooOld(tool) {
  const program = findProgram(tool.programs);
  if (!tool.atLeast || !program) return;
  const { output } = await run([program, tool.versionFlag]);
  const found = /(\d+)\.(\d+)/.exec(output);
  // Builds from a branch have no version number ("tmux master") and are newer than any release.
  if (!found) return;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const [neededMajor, neededMinor] = tool.atLeast;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  throw new Stop(
    `${tool.name} is too old: Baton needs ${tool.atLeast.join('.')} or newer, ${program} is ${output.trim()}. ` +
      'Install a newer one (Debian 12 or later: apt-get install tmux; macOS: brew upgrade tmux).',
  );
}
