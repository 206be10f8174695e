// Bundles src/surfaces/page into dist/surfaces/page. Left alone if nothing that goes into it has changed.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup/paths.mjs';

const SOURCE = join(ROOT, 'src/surfaces/page');
const OUTPUT = join(ROOT, 'dist/surfaces/page');
const STAMP = join(OUTPUT, '.stamp');
const ENTITIES = join(ROOT, 'node_modules/decode-named-character-reference/index.js');

/** What the bundle is made of: the page, the contract it imports, the packages, and this script. */
const INGREDIENTS = [SOURCE, join(ROOT, 'src/contract'), join(ROOT, 'package-lock.json'), import.meta.filename];

/** @returns {Promise<boolean>} was it built, or up to date */
export async function buildPage() {
  const stamp = stampOf(INGREDIENTS);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return true;
  try {
    // Only now: a start with an up-to-date page must not wait for the bundler to load.
    const [{ build }, { default: react }, { default: tailwind }] = await Promise.all([
      import('vite'),
      import('@vitejs/plugin-react'),
      import('@tailwindcss/vite'),
    ]);
    await build({
      root: SOURCE,
      configFile: false,
      logLevel: 'warn',
      plugins: [react(), tailwind()],
      // Its build for browsers lets the browser decode `&amp;` as HTML, which Trusted Types refuse: no text with such a
      // reference would be rendered.
      resolve: { alias: { 'decode-named-character-reference': ENTITIES } },
      build: {
        outDir: OUTPUT,
        emptyOutDir: true,
        // Nothing may be inlined as a data: address, and no script may be: the content security policy refuses both.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        target: 'es2022',
        chunkSizeWarningLimit: 700,
      },
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
  writeFileSync(STAMP, stamp);
  return true;
}

/** @param {readonly string[]} places */
function stampOf(places) {
  const hash = createHash('sha256');
  for (const file of places.flatMap(filesAt)) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest('hex');
}

/** @param {string} place */
function filesAt(place) {
  if (/\.[a-z]+$/.test(place)) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
