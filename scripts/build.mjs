// Compiles src/ into dist/ (same folders), copies what is not TypeScript, and removes what has no source any more.
// Exit code 1 with the compiler's own output when it does not compile. With BATON_PLANT=NAME also into
// .cache/planted/NAME/dist, with that bug in it.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.mjs';
import { buildPlanted } from './prove/build-planted.mjs';
import { withLock } from './setup/lock.mjs';
import { ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';

const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
/** Bundled, not compiled (build-page.mjs). */
const PAGE = join('surfaces', 'page');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** The type-checks of tests and page write here, and the bundler writes the page: no outputs of the compiler. */
const NOT_OURS = ['test-types', 'page-types', PAGE];

/** @returns {Promise<boolean>} did it compile */
export function build() {
  if (!existsSync(TSC)) {
    console.error('node_modules is missing. Run: node scripts/setup.mjs --build');
    return Promise.resolve(false);
  }
  return withLock(async ({ addProcess }) => {
    if (!(await compile(addProcess))) return false;
    if (forgetProjectsWithLostOutputs() && !(await compile(addProcess))) return false;
    copyAssets();
    removeStaleOutputs();
    makeExecutable(join(DIST, 'main/baton.js'));
    return buildPage();
  });
}

/** @param {(pid: number) => void} onStart */
async function compile(onStart) {
  const pretty = process.stdout.isTTY ? ['--pretty'] : [];
  const command = [process.execPath, TSC, '-b', join(ROOT, 'tsconfig.build.json'), ...pretty];
  const { code, output } = await run(command, { cwd: ROOT, onStart });
  if (output.trim()) console.error(output.trim());
  return code === 0;
}

/**
 * `tsc -b` trusts its .tsbuildinfo and never looks whether the outputs are still there: after a partly deleted dist it
 * would report success and emit nothing. Without the info file it emits the whole project again.
 */
function forgetProjectsWithLostOutputs() {
  const lost = sources().filter((file) => isCompiled(file) && !existsSync(join(DIST, outputOf(file))));
  const infos = new Set(lost.map((file) => buildInfoAbove(join(DIST, file))));
  for (const info of infos) rmSync(info, { force: true });
  return infos.size > 0;
}

/** @param {string} file */
function buildInfoAbove(file) {
  let folder = dirname(file);
  while (folder.startsWith(DIST + sep) && !existsSync(join(folder, '.tsbuildinfo'))) folder = dirname(folder);
  return join(folder, '.tsbuildinfo');
}

function copyAssets() {
  for (const file of sources().filter(isAsset)) {
    const from = join(SRC, file);
    const to = join(DIST, file);
    if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    chmodSync(to, statSync(from).mode);
  }
}

/** A module whose source was removed would still be found by an old import, and the error would show only elsewhere. */
function removeStaleOutputs() {
  const wanted = new Set(sources().flatMap(outputsOf));
  for (const file of filesIn(DIST)) {
    const ours = !NOT_OURS.some((place) => file.startsWith(place + sep)) && !file.endsWith('.tsbuildinfo');
    if (ours && !wanted.has(file)) rmSync(join(DIST, file));
  }
}

/** @param {string} file */
function makeExecutable(file) {
  if (existsSync(file)) chmodSync(file, 0o755);
}

function sources() {
  return filesIn(SRC).filter((file) => !file.startsWith(PAGE + sep));
}

const isDeclaration = (/** @type {string} */ file) => file.endsWith('.d.ts');
const isCompiled = (/** @type {string} */ file) => /\.tsx?$/.test(file) && !isDeclaration(file);
const isAsset = (/** @type {string} */ file) =>
  !/\.(tsx?|md|tsbuildinfo)$/.test(file) && !/(^|[\\/])(tsconfig[^\\/]*\.json|\.[^\\/]*)$/.test(file);
const outputOf = (/** @type {string} */ file) => file.replace(/\.tsx?$/, '.js');

/** @param {string} file */
function outputsOf(file) {
  if (!isCompiled(file)) return isAsset(file) ? [file] : [];
  const stem = file.replace(/\.tsx?$/, '');
  return ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => stem + ending);
}

/**
 * @param {string} root
 * @returns {string[]} paths relative to root
 */
function filesIn(root) {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(root, entry.parentPath), entry.name));
}

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly && !(await build())) process.exitCode = 1;
else if (calledDirectly && process.env.BATON_PLANT) console.log(await buildPlanted(process.env.BATON_PLANT));
