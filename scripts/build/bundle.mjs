import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from '../setup/paths.mjs';

/**
 * Bundles a program that imports modules of src as `@src/…`. A test starts this program in a separate process. The
 * bundle is needed because Node 20 cannot run TypeScript.
 *
 * @param {string} program
 * @returns {Promise<string>} a file that Node can run
 */
export async function bundleProgram(program) {
  const folder = mkdtempSync(join(tmpdir(), 'bt-program-'));
  const source = join(folder, 'source.mjs');
  writeFileSync(source, program);
  const bundle = await rolldown({
    input: source,
    platform: 'node',
    external: ['libsql'],
    resolve: { alias: { '@src': join(ROOT, 'src') } },
  });
  const file = join(folder, 'program.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return file;
}

/**
 * @param {string} module for example `domain/clock.ts`
 * @returns {Promise<any>} its exports
 */
export async function importSource(module) {
  return import(pathToFileURL(await bundleProgram(`export * from '@src/${module}';`)).href);
}
