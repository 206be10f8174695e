import { existsSync } from 'node:fs';
import { findProgram, run } from './run.mjs';
import { Stop } from './stop.mjs';

/**
 * Programs that npm cannot install, one row for each. The flag `--<name>` requests the program.
 *
 * @typedef {{
 *   name: string, why: string, programs: readonly string[], versionFlag: string, atLeast?: readonly [number, number],
 *   apt: readonly string[], brew: readonly string[], seconds: number, stopService?: string,
 * }} Tool
 * @type {readonly Tool[]}
 */
export const TOOLS = [
  {
    name: 'tmux',
    why: 'every agent lives in a tmux pane',
    programs: ['tmux'],
    versionFlag: '-V',
    // Before version 3.2, `tmux new-session` has no option `-e`. Baton uses this option to give an agent its
    // environment.
    atLeast: [3, 2],
    apt: ['tmux'],
    brew: ['tmux'],
    seconds: 15,
  },
  {
    name: 'chromium',
    why: 'the dashboard is tested in a real browser',
    // Prefer Chromium's headless shell: it needs a quarter of the processor time of the whole browser.
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
  {
    name: 'nats-server',
    why: 'it is the hub of a fleet',
    // Debian installs nats-server into a folder that is not on the PATH of ordinary users.
    programs: ['nats-server', '/usr/sbin/nats-server', '/usr/local/sbin/nats-server'],
    versionFlag: '--version',
    // The hub needs two features that older versions of nats-server lack: checks of the expected last message id, and
    // names for consumers.
    atLeast: [2, 9],
    apt: ['nats-server'],
    brew: ['nats-server'],
    seconds: 15,
    stopService: 'nats-server',
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
 * Returns the install steps, and the command with which a person can install the tool. Returns no steps if only a
 * person can install the tool.
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
  // The timeout makes apt wait for another apt process (unattended upgrades, a setup in another clone) instead of
  // failing at once.
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
  // Ignore the exit codes, and look for the program afterwards. `apt-get update` fails if any mirror is down, even one
  // that this installation does not need.
  for (const step of steps) output += (await run(step)).output;
  if (!findProgram(tool.programs)) throw new Stop(`${output.trim()}\n\n${missing(tool, byHand)}`);
  await stopService(tool);
}

/**
 * Turns off the service that the tool's Debian package starts. Debian's nats-server would accept connections from the
 * network without a password. Baton itself starts nats-server for a hub.
 * @param {Tool} tool
 */
async function stopService({ stopService: service }) {
  if (service === undefined || !existsSync('/run/systemd/system') || !findProgram(['systemctl'])) return;
  const disable = ['systemctl', 'disable', '--now', service];
  await run(process.getuid?.() === 0 ? disable : ['sudo', '-n', ...disable]);
}

/**
 * Installs a tool that some tests need, if this is possible without a person. If the tool is missing, these tests are
 * skipped with a message that names the tool.
 *
 * @param {Tool} tool
 * @param {{ dryRun: boolean }} options
 */
export async function tryTool(tool, { dryRun }) {
  try {
    await ensureTool(tool, { dryRun });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.log(`${tool.name} cannot be installed from here, so the tests that need it are skipped.`);
  }
}

/** @param {Tool} tool */
async function refuseIfTooOld(tool) {
  const program = findProgram(tool.programs);
  if (!tool.atLeast || !program) return;
  const { output } = await run([program, tool.versionFlag]);
  const found = /(\d+)\.(\d+)/.exec(output);
  // A tmux that was built from a branch has no version number ("tmux master") and is newer than any release.
  if (!found) return;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const [neededMajor, neededMinor] = tool.atLeast;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  throw new Stop(
    `${tool.name} is too old: Baton needs ${tool.atLeast.join('.')} or newer, ${program} is ${output.trim()}. ` +
      `Install a newer one (Debian 12 or later: apt-get install ${tool.apt.join(' ')}; macOS: brew upgrade ${tool.brew.at(-1)}).`,
  );
}
