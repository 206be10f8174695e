// Measures the language and the layout of the code, such as retired words, the first words of comments, folder sizes,
// import cycles and repeated blocks. `npm run check` fails if the code breaks a rule about them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** @typedef {Readonly<Record<string, string>>} Sources path from the root, with / → text */

const CODE = /\.(ts|tsx|mjs)$/;
const EXEMPT = /(^|\/)(fixtures|migrations|sets|node_modules)(\/|$)/;
const MAX_FILES = 15;
const MIN_REPEATED_LINES = 12;

/**
 * @param {string} root
 * @returns {Sources}
 */
export function readCode(root) {
  const found = ['src', 'test', 'prove', 'bench', 'scripts'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && CODE.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
  return Object.fromEntries(
    found
      .filter((file) => !EXEMPT.test(file))
      .sort()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}

const HEADLESS = /^(Who|Whoever|Whom|Whose|What|Whatever|Nor|Of|Nobody|Nothing)\b/;

/**
 * Finds comments and test titles that begin with a word such as Who, What or Nothing. Such a word hides the subject.
 * @param {Sources} sources
 */
export function headlessTexts(sources) {
  return Object.entries(sources).flatMap(([file, text]) => {
    const comments = commentsIn(file, text).filter((comment) => HEADLESS.test(comment));
    const titles = file.includes('.test.') ? titlesIn(file, text).filter((title) => HEADLESS.test(capital(title))) : [];
    return [...comments, ...titles].map((words) => `${file}: ${words.slice(0, 100)}`);
  });
}

/**
 * @param {string} file
 * @param {string} text
 */
function commentsIn(file, text) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, languageOf(file), text);
  /** @type {string[]} */
  const found = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    // TypeScript's scanner reads every slash as a division at first. So scan the slash a second time, in case a regular
    // expression begins there.
    if (kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) scanner.reScanSlashToken();
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) found.push(scanner.getTokenText().slice(2).trim());
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia)
      found.push(
        scanner
          .getTokenText()
          .replace(/^\/\*+|\*+\/$/g, '')
          .replace(/\n\s*\* ?/g, ' ')
          .trim(),
      );
  }
  return found;
}

/**
 * @param {string} file
 * @param {string} text
 */
function titlesIn(file, text) {
  /** @type {string[]} */
  const found = [];
  visit(parse(file, text), (node) => {
    if (!ts.isCallExpression(node) || !/^(it|test|describe)\b/.test(node.expression.getText())) return;
    const [first] = node.arguments;
    if (first !== undefined && ts.isStringLiteralLike(first)) found.push(first.text.replace(/^(\[[^\]]*\]\s*)+/, ''));
  });
  return found;
}

/** Names that must no longer be used, with the words to use instead. */
const RETIRED = [
  { words: /^(MOST|LONGEST|LARGEST)_/, use: 'MAX_' },
  { words: /Wish(es)?$/, use: 'Request, Options or Entry' },
  {
    words: /^(heirsOf|seenTwice|standBeside|workPlaceOf|WorkPlace|keepWishes|keepAdvance|tellOperator|tellsOfRun)$/,
    use: 'docs/GLOSSARY.md',
  },
  { words: /^judge[A-Z]/, use: 'validate…, assess…' },
  { words: /^lookFor|^lookAt/, use: 'find…, observe…, read…' },
];

/** @param {Sources} sources */
export function retiredWords(sources) {
  return Object.entries(sources)
    .filter(([file]) => file.startsWith('src/'))
    .flatMap(([file, text]) => {
      /** @type {Set<string>} */
      const names = new Set();
      visit(parse(file, text), (node) => {
        if (ts.isIdentifier(node)) names.add(node.text);
      });
      return [...names].flatMap((name) =>
        RETIRED.filter(({ words }) => words.test(name)).map(({ use }) => `${file}: ${name} (use ${use})`),
      );
    });
}

/** @param {Sources} sources */
export function largeFolders(sources) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of Object.keys(sources)) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count} files`);
}

/** Returns each import cycle once, as the list of its files. @param {Sources} sources */
export function importCycles(sources) {
  /** @type {string[]} */
  const cycles = [];
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /**
   * @param {string} file
   * @param {readonly string[]} path
   */
  const follow = (file, path) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    state.set(file, 'open');
    for (const next of importsIn(file, sources[file] ?? '')) if (next in sources) follow(next, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of Object.keys(sources)) if (file.startsWith('src/')) follow(file, []);
  return cycles;
}

/**
 * Returns the files that this file imports. Type-only imports count as well: they form no cycle at run time, but a
 * person who reads the code has to follow them.
 *
 * @param {string} file
 * @param {string} text
 */
const importsIn = (file, text) =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(dirname(file).split(sep).join('/'), fileName));

/** @param {Sources} sources */
export function anyTypes(sources) {
  return Object.entries(sources)
    .filter(([file]) => /^src\/.*\.tsx?$/.test(file))
    .flatMap(([file, text]) => {
      /** @type {string[]} */
      const found = [];
      visit(parse(file, text), (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${file}: any`);
      });
      return found;
    });
}

/**
 * @param {Sources} sources
 * @returns {{ where: string, lines: number }}
 */
export function longestFunction(sources) {
  let longest = { where: '', lines: 0 };
  for (const [file, text] of Object.entries(sources).filter(([name]) => name.startsWith('src/'))) {
    const tree = parse(file, text);
    visit(tree, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
      const lineOf = (/** @type {number} */ at) => tree.getLineAndCharacterOfPosition(at).line;
      const lines = lineOf(node.getEnd()) - lineOf(node.getStart(tree)) + 1;
      if (lines > longest.lines) longest = { where: `${file}:${lineOf(node.getStart(tree)) + 1}`, lines };
    });
  }
  return longest;
}

/**
 * Finds blocks of lines that occur in two places of src. Imports and blank lines do not count.
 * @param {Sources} sources
 */
export function repeatedBlocks(sources) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  /** @type {string[]} */
  const found = [];
  for (const [file, text] of Object.entries(sources).filter(([name]) => name.startsWith('src/'))) {
    const lines = text
      .replace(/^import[\s\S]*?;$/gm, (words) => words.replace(/[^\n]/g, ''))
      .split('\n')
      .map((line, index) => ({ line: line.trim(), number: index + 1 }))
      .filter(({ line }) => line !== '');
    for (let at = 0; at + MIN_REPEATED_LINES <= lines.length; at++) {
      const block = lines.slice(at, at + MIN_REPEATED_LINES);
      const key = block.map(({ line }) => line).join('\n');
      const here = `${file}:${block[0]?.number}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, here);
      else {
        found.push(`${here} repeats ${first}`);
        at += MIN_REPEATED_LINES - 1;
      }
    }
  }
  return found;
}

/** @param {string} file */
const languageOf = (file) => (file.endsWith('.tsx') ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard);
/**
 * @param {string} file
 * @param {string} text
 */
const parse = (file, text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
/** @param {string} text */
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} see
 */
function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}
