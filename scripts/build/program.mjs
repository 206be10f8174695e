import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { stampAt } from './stamp.mjs';
import { thirdPartyLicences } from './third-party.mjs';

/**
 * The programs to bundle: Baton itself, the practice agent, and a host. A host is a program that starts a client in its
 * terminal and reports the client's events.
 */
const PROGRAMS = {
  'main/baton': 'src/main/baton.ts',
  'practice/main': 'src/practice/main.ts',
  'hosts/opencode': 'src/adapters/runtimes/opencode/host/main.ts',
};

const INPUTS = [
  ...['app', 'adapters', 'contract', 'domain', 'main', 'practice', 'surfaces/cli', 'surfaces/http', 'surfaces/mcp'].map(
    (layer) => join(ROOT, 'src', layer),
  ),
  join(ROOT, 'package-lock.json'),
  import.meta.filename,
];

/**
 * Bundles the programs into few files: opening 400 modules one by one took half of the start time.
 *
 * @param {string} dist
 * @param {{ plugins?: import('rolldown').Plugin[], force?: boolean }} [options]
 */
export async function buildProgram(dist, { plugins = [], force = false } = {}) {
  const stamp = stampAt(join(dist, '.stamp'), INPUTS);
  const outputs = Object.keys(PROGRAMS).map((name) => join(dist, `${name}.js`));
  if (!force && stamp.isCurrent() && outputs.every((output) => existsSync(output))) return;
  // Import the bundler only here. If the build is up to date, a start does not have to wait until the bundler is
  // loaded.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: ROOT,
    input: PROGRAMS,
    platform: 'node',
    // libsql is a native module that finds its binary relative to its own file, so it is not bundled.
    external: ['libsql'],
    plugins: [...plugins, thirdPartyLicences()],
  });
  mkdirSync(dist, { recursive: true });
  for (const place of ['.stamp', 'main', 'practice', 'hosts', 'chunks'])
    rmSync(join(dist, place), { recursive: true, force: true });
  await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    // Put the chunks at the same depth as the programs. Relative paths, such as those to package.json and to the page,
    // then work in every file.
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  chmodSync(join(dist, 'main/baton.js'), 0o755);
  stamp.write();
}
