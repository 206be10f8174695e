import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { stampAt } from './stamp.mjs';
import { thirdPartyLicences } from './third-party.mjs';

const SOURCE = join(ROOT, 'src/surfaces/page');
const ENTITIES = join(ROOT, 'node_modules/decode-named-character-reference/index.js');

/** Inputs of the bundle: the page, the contract it imports, the packages, and this script. */
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
  // Import the bundler only here: a start with an up-to-date page must not wait until the bundler is loaded.
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
    // The package's browser build decodes `&amp;` through innerHTML. Trusted Types refuse that, so a text with such a
    // reference would not be rendered.
    resolve: { alias: { 'decode-named-character-reference': ENTITIES } },
    build: {
      outDir: output,
      emptyOutDir: true,
      // Inline no asset as a data: address and no script: the content security policy refuses both.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      chunkSizeWarningLimit: 700,
    },
  });
  stamp.write();
}
