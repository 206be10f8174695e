import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

const PAGE = join(ROOT, 'src/surfaces/page');

/**
 * Bundler plugin that writes the licenses of all bundled npm packages into THIRD-PARTY.txt next to the bundle. The
 * licenses require that every copy contains their texts.
 */
export function thirdPartyLicences() {
  return {
    name: 'baton-third-party',
    /**
     * @this {{ emitFile: (file: { type: 'asset', fileName: string, source: string }) => string }}
     * @param {unknown} _options
     * @param {Record<string, { type: string, moduleIds?: string[], originalFileNames?: string[] }>} bundle
     */
    generateBundle(_options, bundle) {
      // Fonts are not modules, so the names of their files are relative to the folder of the page. Resolve these names
      // in that folder.
      const fileNames = Object.values(bundle).flatMap((output) => output.originalFileNames ?? []);
      const modules = Object.values(bundle)
        .flatMap((output) => output.moduleIds ?? [])
        .concat(fileNames.map((name) => resolve(PAGE, name)));
      const folders = new Set(modules.flatMap((id) => packageFolderOf(id) ?? []));
      const texts = [...folders].map(licenceOf).sort();
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: texts.join('\n\n') });
    },
  };
}

/** @param {string} id a module's path */
function packageFolderOf(id) {
  const path = id.replace(/^\0/, '').split('?')[0] ?? '';
  if (!path.includes('/node_modules/')) return undefined;
  let folder = dirname(path);
  // An npm package can contain further package.json files that have no name and only set "type".
  while (!manifestOf(folder).name && folder.includes('/node_modules/')) folder = dirname(folder);
  return folder;
}

/**
 * @param {string} folder
 * @returns {{ name?: string, version?: string, license?: string }}
 */
function manifestOf(folder) {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = manifestOf(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return `${name} ${version} (${license ?? 'licence not named'})${text}\n`;
}
