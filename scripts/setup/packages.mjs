import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { findProgram, run } from './run.mjs';
import { Stop } from './stop.mjs';

const MODULES = join(ROOT, 'node_modules');
const LOCKFILE = join(ROOT, 'package-lock.json');
/** The stamp is inside node_modules on purpose, so that deleting the npm packages also deletes their stamp. */
const STAMP = join(MODULES, '.baton-stamp');

/** @param {{ dryRun: boolean }} options */
export async function ensurePackages({ dryRun }) {
  if (reasonToInstall() === undefined) return;
  if (dryRun) return announce(reasonToInstall());
  await withLock(async ({ addProcess }) => {
    // After taking the lock, check a second time, because the previous owner of the lock may have installed the
    // packages.
    const reason = reasonToInstall();
    if (reason !== undefined) await install(reason, addProcess);
  });
}

/**
 * Returns the text that the stamp in `node_modules` must contain. It includes the platform and Node's major version,
 * because native npm packages depend on both.
 */
function expectedStamp() {
  const major = process.versions.node.split('.')[0];
  const lockfile = existsSync(LOCKFILE) ? readFileSync(LOCKFILE) : '';
  const hash = createHash('sha256').update(lockfile).digest('hex');
  return `${hash} node${major} ${process.platform}-${process.arch}\n`;
}

/** @returns {'missing' | 'stale' | undefined} */
function reasonToInstall() {
  if (!existsSync(MODULES)) return 'missing';
  const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
  return stamp === expectedStamp() ? undefined : 'stale';
}

/** @param {'missing' | 'stale' | undefined} reason */
function announce(reason) {
  console.log(`Would install packages (node_modules is ${reason}): ${[...npmCommand(), ...npmArguments()].join(' ')}`);
}

/**
 * @param {'missing' | 'stale'} reason
 * @param {(pid: number) => void} onStart
 */
async function install(reason, onStart) {
  console.log(
    reason === 'missing' ? 'Installing packages (first time, about 20 s)…' : 'Updating packages (about 20 s)…',
  );
  const npm = (/** @type {string[]} */ args) =>
    run([...npmCommand(), ...args], { cwd: ROOT, env: npmEnvironment(), onStart });
  let result = await npm(npmArguments());
  if (result.code !== 0 && refusesLockfile(result.output)) {
    console.log(`npm ci does not take package-lock.json (${refusalIn(result.output)}); using npm install instead…`);
    result = await npm(FALLBACK);
  }
  if (result.code !== 0) throw new Stop(explainFailure(result.output));
  mkdirSync(MODULES, { recursive: true });
  writeFileSync(STAMP, expectedStamp());
}

/** Returns the npm that called this script, else the npm on the PATH, else the npm that came with this Node. */
export function npmCommand() {
  const caller = process.env.npm_execpath;
  // pnpm and yarn also set npm_execpath, but they do not read package-lock.json.
  if (caller && basename(caller) === 'npm-cli.js' && existsSync(caller)) return [process.execPath, caller];
  const onPath = findProgram(['npm']);
  if (onPath) return [onPath];
  const bundled = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm/bin/npm-cli.js');
  if (existsSync(bundled)) return [process.execPath, bundled];
  throw new Stop('npm is missing. Debian: sudo apt-get install npm; or install Node 24 from https://nodejs.org');
}

/**
 * Do not name a registry, because npm's own configuration may name mirrors and proxies. `--include=dev` is necessary:
 * with NODE_ENV=production, npm would omit the compiler and the test runner.
 */
const OPTIONS = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * The npm command that is used if `npm ci` refuses the lock file. `npm ci` of npm 11 refuses a lock file without the
 * optional packages of other platforms, and an earlier `npm install` from a mirror may have removed them. `--no-save`
 * keeps npm from changing the file.
 */
const FALLBACK = ['install', '--no-save', ...OPTIONS];

function npmArguments() {
  return existsSync(LOCKFILE) ? ['ci', ...OPTIONS] : FALLBACK;
}

const refusesLockfile = (/** @type {string} */ output) => output.includes('EUSAGE');

/** @param {string} output */
function refusalIn(output) {
  const [first = 'npm does not say why', ...more] = output.match(/(Missing|Invalid): .+/g) ?? [];
  return more.length > 0 ? `${first}, and ${more.length} more` : first;
}

/**
 * Returns the environment for npm. If HOME is not writable, as in a bare container or for a service user, npm cannot
 * store its cache there. The cache then goes into this clone.
 */
export function npmEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  if (env.npm_config_cache || isWritable(env.HOME)) return env;
  return { ...env, npm_config_cache: join(CACHE, 'npm') };
}

/** @param {string | undefined} folder */
function isWritable(folder) {
  if (!folder) return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} output */
function explainFailure(output) {
  return [output.trim(), '', `Packages could not be installed: ${guessCause(output)}`].join('\n');
}

/** @param {string} output */
function guessCause(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/i.test(output)) {
    return 'the npm registry cannot be reached. Check the network (or `npm config get registry`), then try again.';
  }
  return 'npm says why above. To see it again: npm ci';
}
