import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { stampAt } from './stamp.mjs';
import { thirdPartyLicences } from './third-party.mjs';

/** The built-in practice agent is a program of its own: Baton starts it as it starts any client. */
const PROGRAMS = { 'main/baton': 'src/main/baton.ts', 'practice/main': 'src/practice/main.ts' };

const INPUTS = [
  ...['app', 'adapters', 'contract', 'domain', 'main', 'practice', 'surfaces/cli', 'surfaces/http', 'surfaces/mcp'].map(
    (layer) => join(ROOT, 'src', layer),
  ),
  join(ROOT, 'package-lock.json'),
  import.meta.filename,
];

/**
 * Bundles the programs into few files: to open 400 modules one by one took half of a start.
 *
 * @param {string} dist
 * @param {{ plugins?: import('rolldown').Plugin[], force?: boolean }} [options]
 */
export async function buildProgram(dist, { plugins = [], force = false } = {}) {
  const stamp = stampAt(join(dist, '.stamp'), INPUTS);
  const outputs = Object.keys(PROGRAMS).map((name) => join(dist, `${name}.js`));
  if (!force && stamp.isCurrent() && outputs.every((output) => existsSync(output))) return;
  // Only now: a start with an up-to-date build must not wait for the bundler to load.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: ROOT,
    input: PROGRAMS,
    platform: 'node',
    // A native module: it finds its binary by its own place.
    external: ['libsql'],
    plugins: [...plugins, thirdPartyLicences()],
  });
  mkdirSync(dist, { recursive: true });
  for (const place of ['.stamp', 'main', 'practice', 'chunks'])
    rmSync(join(dist, place), { recursive: true, force: true });
  await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    // As deep as the programs, so that relative addresses (package.json, the page) mean the same in every file.
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  chmodSync(join(dist, 'main/baton.js'), 0o755);
  stamp.write();
}
