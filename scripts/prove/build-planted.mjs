import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planted, plantNamed } from '../../prove/plants/plants.mjs';
import { ROOT } from '../setup/paths.mjs';

/**
 * The built product once more with one bug in it, for proofs that run it in a process. Only the files with the bug are
 * compiled again, without types: the bug need not be well typed.
 *
 * @param {string} name
 * @returns {Promise<string>} its folder
 */
export async function buildPlanted(name) {
  const plant = plantNamed(name);
  const { default: ts } = await import('typescript');
  const folder = join(ROOT, '.cache/planted', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const file of new Set(plant.edits.map((edit) => edit.file))) {
    const source = planted(plant, file, readFileSync(join(ROOT, file), 'utf8')) ?? '';
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true,
        verbatimModuleSyntax: true,
      },
    });
    writeFileSync(join(folder, file.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js')), outputText);
  }
  return folder;
}
