import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

/**
 * One stored result. `commit` is "unknown" if the result was stored without the commit that it belongs to.
 *
 * @typedef {{ proof: string, command: string, commit: string, date: string, note?: string, result: Record<string, unknown> }} Entry
 * @typedef {[name: string, figure: (entry: Entry) => unknown]} Row
 */

export const KEPT = join(ROOT, 'docs/reliability/results');
export const PAGE = join(ROOT, 'docs/reliability/results.md');

const HEAD = `# Results

\`npm run docs:results\` writes this page from the files in [results/](results/); a test fails if they differ. Each column is
the newest run of one command. [How we prove](how-we-prove.md) says what the words mean and how to add a run. Where the commit is
unknown, the figures were taken over from an older text, and the date is the day on which that text was written.
`;

/** Options with which a proof performs another kind of test. Results with such an option are listed separately. */
const MODE = /--(random|handoff|life|package|across)\b/;

/**
 * @param {string} command
 * @returns {string} such as `prove:sim` or `prove:crash --random`
 */
export function proofOf(command) {
  const [, script] = /npm run ([\w:-]+)/.exec(command) ?? [];
  if (script === undefined) throw new Error(`"${command}" is not a command of the form: npm run NAME -- OPTIONS`);
  const [mode] = MODE.exec(command) ?? [];
  return mode === undefined ? script : `${script} ${mode}`;
}

/**
 * @param {string} proof
 * @returns {string} the file that contains the runs of this proof
 */
export const fileOf = (proof) => `${proof.replaceAll(/[^a-z0-9]+/g, '-')}.json`;

/**
 * @param {string} folder
 * @returns {Entry[]}
 */
export function readResults(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** @param {readonly Entry[]} entries in the order in which they were recorded */
export function renderResults(entries) {
  const proofs = [...new Set(entries.map(({ proof }) => proof))].sort();
  return [HEAD, ...proofs.map((proof) => section(proof, newest(entries, proof)))].join('\n');
}

/**
 * @param {readonly Entry[]} entries
 * @param {string} proof
 * @returns {Entry[]} the newest result of each command, newest first
 */
function newest(entries, proof) {
  const own = entries.filter((entry) => entry.proof === proof).reverse();
  return own.filter(({ command }, index) => own.findIndex((other) => other.command === command) === index);
}

/**
 * @param {string} proof
 * @param {readonly Entry[]} shown
 */
function section(proof, shown) {
  const table = [
    `| | ${shown.map(({ date }) => date).join(' | ')} |`,
    `|---|${shown.map(() => '---').join('|')}|`,
    ...rowsOf(shown).map(([name, figure]) => `| ${name} | ${shown.map((entry) => cell(figure(entry))).join(' | ')} |`),
  ];
  const details = shown.flatMap(({ command, result }) =>
    Object.entries(result)
      .filter(([, value]) => isTable(value))
      .flatMap(([name, value]) => detail(shown.length === 1 ? name : `${name} of \`${command}\``, value)),
  );
  return [`## ${proof}\n`, ...table, ...details, ''].join('\n');
}

/**
 * @param {readonly Entry[]} shown
 * @returns {Row[]}
 */
function rowsOf(shown) {
  const names = new Set(shown.flatMap(({ result }) => Object.keys(result).filter((name) => !isTable(result[name]))));
  /** @type {Row[]} */
  const about = [
    ['command', ({ command }) => `\`${command}\``],
    ['commit', ({ commit }) => commit],
  ];
  if (shown.some(({ note }) => note !== undefined)) about.push(['note', ({ note }) => note ?? '']);
  for (const name of names) about.push([name, ({ result }) => result[name] ?? '']);
  return about;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function detail(name, value) {
  const rows = Array.isArray(value)
    ? value
    : Object.entries(/** @type {object} */ (value)).map(([of, row]) => ({ name: of, ...row }));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [
    `\n${name}:\n`,
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${columns.map((column) => cell(row[column] ?? '')).join(' | ')} |`),
  ];
}

/**
 * Returns whether the value is a list of objects, or an object whose values are objects. Such a value can be shown as a
 * table.
 * @param {unknown} value
 */
function isTable(value) {
  const rows = isObject(value) ? Object.values(value) : [];
  return rows.length > 0 && rows.every(isObject);
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * @param {unknown} value
 * @returns {string}
 */
function cell(value) {
  if (Array.isArray(value)) return value.map(cell).join(', ') || 'none';
  if (isObject(value))
    return Object.entries(value)
      .map(([name, each]) => `${name} ${cell(each)}`)
      .join(', ');
  return typeof value === 'number' ? value.toLocaleString('en-US') : String(value).replaceAll('|', '\\|');
}
