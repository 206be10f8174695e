import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { stampAt } from './stamp.mjs';
import { thirdPartyLicences } from './third-party.mjs';

const SOURCE = join(ROOT, 'src/surfaces/page');
const ENTITIES = join(ROOT, 'node_modules/decode-named-character-reference/index.js');

/**
 * The inputs of the bundle: the page, the contract and domain code that it imports, the npm packages, and this script.
 */
const INGREDIENTS = [
  SOURCE,
  join(ROOT, 'src/contract'),
  join(ROOT, 'src/domain'),
  join(ROOT, 'package-lock.json'),
  import.meta.filename,
];

/** @param {string} output */
export async function buildPage(output) {
  const stamp = stampAt(join(output, '.stamp'), INGREDIENTS);
  if (stamp.isCurrent()) return;
  // Import the bundler only here. If the page is up to date, a start does not have to wait until the bundler is loaded.
  const [{ build }, { default: react }, { default: tailwind }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('@tailwindcss/vite'),
  ]);
  await build({
    root: SOURCE,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), tailwind(), thirdPartyLicences()],
    // Replace the browser build of the npm package decode-named-character-reference. That build decodes `&amp;` through
    // innerHTML, which Trusted Types refuse, so a text with such a reference would not be rendered.
    resolve: { alias: { 'decode-named-character-reference': ENTITIES } },
    build: {
      outDir: output,
      emptyOutDir: true,
      // Do not inline scripts or assets (as `data:` addresses), because the content security policy refuses both.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      chunkSizeWarningLimit: 700,
      // Put all modules of the first load into one file, because one file compresses better than 45 small files.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first-load', tags: ['$initial'] }] } } },
    },
  });
  stamp.write();
}
