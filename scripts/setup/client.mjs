// Installs a real agent client for the end-to-end checks and the delivery bench.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Installs the client without install scripts, in a clean environment, so that only the client itself runs.
 *
 * @param {import('../../test/clients/describe/client.mjs').ClientDescription} client
 * @param {string} version
 * @returns {Promise<string>} the path of its program
 */
export async function installClient(client, version) {
  const folder = join(CACHE, 'clients', `${client.id}-${version}`);
  // The path of the client's program depends on the installed files, so it is known only after the installation.
  const program = () => client.programIn(join(folder, 'node_modules'), version);
  const installed = join(folder, 'node_modules', client.package, 'package.json');
  if (existsSync(program()) && JSON.parse(readFileSync(installed, 'utf8')).version === version) return program();
  mkdirSync(join(folder, 'home'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home') };
  const words = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', `${client.package}@${version}`];
  const { code, output } = await run(words, { cwd: folder, env });
  if (code !== 0 || !existsSync(program()))
    throw new Error(`${client.package}@${version} could not be installed:\n${output}`);
  return program();
}
