/**
 * Reads the imports of the source files to check their direction. The compiler (project references) and the linter
 * check the direction, too. This check still applies if their rules become less strict. It also finds import cycles,
 * imports between siblings, and names of an agent program in code that serves all agent programs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** Every layer and the layers that it may import besides itself. A new folder in src/ needs a new row here. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  app: ['domain'],
  adapters: ['domain', 'app'],
  practice: [],
  'surfaces/http': ['domain', 'app', 'contract'],
  'surfaces/socket': ['contract'],
  'surfaces/cli': ['contract', 'surfaces/socket'],
  'surfaces/mcp': ['contract', 'surfaces/socket'],
  'surfaces/page': ['contract'],
  main: ['domain', 'app', 'contract', 'adapters', 'surfaces/http', 'surfaces/socket', 'surfaces/cli', 'surfaces/mcp'],
};

/** Folders in src/adapters with several variants of one adapter. Each variant counts as an adapter of its own. */
const ADAPTER_GROUPS = ['runtimes', 'stores'];

const RUNTIMES = 'src/adapters/runtimes/';

/** All spellings of each agent program's id, for example `CODEX_HOME`, `parseCodexHook` and `claudeCode`. */
const RUNTIME_WORDS: Readonly<Record<string, RegExp>> = {
  'claude-code': /claude[-_ ]?code/i,
  codex: /codex/i,
  gemini: /gemini/i,
  opencode: /opencode/i,
};

/**
 * The imports of each file. An imported file is given by its path from the root of the repository, with `/`. An npm
 * package is given by its name.
 */
export type ImportMap = Readonly<Record<string, readonly string[]>>;
export type SourceMap = Readonly<Record<string, string>>;

export function readSources(root: string): SourceMap {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|js|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

export function importsOf(sources: SourceMap): ImportMap {
  return Object.fromEntries(Object.entries(sources).map(([file, text]) => [file, importsOfFile(file, text)]));
}

function importsOfFile(file: string, text: string): string[] {
  const seen = ts.preProcessFile(text, true, true);
  // Count references such as `/// <reference types="node" />`, too. They would bypass `"types": []`.
  const all = [...seen.importedFiles, ...seen.referencedFiles, ...seen.typeReferenceDirectives];
  return all.map(({ fileName }) => (isRelative(fileName) ? posix.join(posix.dirname(file), fileName) : fileName));
}

const isRelative = (specifier: string) => specifier.startsWith('.');
const isInSource = (target: string) => target.startsWith('src/');

/** Returns one sentence for each broken rule. The list is empty if no rule is broken. */
export function findBrokenDirections(imports: ImportMap): string[] {
  const edges = Object.entries(imports).flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
  return [
    ...Object.keys(imports)
      .filter((file) => layerOf(file) === undefined)
      .map(unknownLayer),
    ...edges.map(({ from, to }) => judge(from, to)).filter((problem) => problem !== undefined),
    ...findCycles(imports).map((cycle) => `These files import each other in a circle: ${cycle.join(' → ')}`),
  ];
}

const unknownLayer = (file: string) =>
  `${file} lies in no known layer: add its folder to LAYERS with what it may import`;

function judge(from: string, to: string): string | undefined {
  const source = layerOf(from);
  if (source === undefined) return undefined;
  if (!isInSource(to)) return findOutsideImports(from, to, source);
  const target = layerOf(to);
  if (target === undefined) return `${from} imports ${to}, which lies in no known layer`;
  if (target !== source && !LAYERS[source]?.includes(target)) {
    return `${from} imports ${to}: ${source} may import only ${LAYERS[source]?.join(', ') || 'itself'}`;
  }
  return judgeRuntime(from, to) ?? judgeSiblings(from, to);
}

function findOutsideImports(from: string, to: string, source: string): string | undefined {
  const isPackage = !to.startsWith('..') && !/^(test|scripts|bench|prove|web)\//.test(to);
  if (source === 'domain') return `${from} imports ${to}: the domain is pure and imports nothing from outside`;
  return isPackage ? undefined : `${from} imports ${to}: src/ imports nothing beside itself and packages`;
}

/**
 * Only the list of runtimes may import a runtime. To add or remove a runtime, a developer then changes only the folder
 * of this runtime and the list.
 */
function judgeRuntime(from: string, to: string): string | undefined {
  const runtime = runtimeFolderOf(to);
  if (runtime === undefined || from.startsWith(runtime) || isRuntimeList(from)) return undefined;
  return `${from} imports ${to}: a runtime is imported only by the list in ${RUNTIMES}`;
}

function runtimeFolderOf(file: string): string | undefined {
  const id = file.startsWith(RUNTIMES) ? file.slice(RUNTIMES.length).split('/') : [];
  return id.length > 1 ? `${RUNTIMES}${id[0]}/` : undefined;
}

const isRuntimeList = (file: string) => file.startsWith(RUNTIMES) && !file.slice(RUNTIMES.length).includes('/');

function judgeSiblings(from: string, to: string): string | undefined {
  const [one, other] = [adapterOf(from), adapterOf(to)];
  if (one === undefined || other === undefined) return undefined;
  // Imports between a folder and its parent are allowed. Imports between sibling folders would couple two technologies.
  if (`${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)) return undefined;
  return `${from} imports ${to}: adapters never import each other (${one}, ${other})`;
}

function adapterOf(file: string): string | undefined {
  const [src, layer, ...folders] = posix.dirname(file).split('/');
  if (src !== 'src' || layer !== 'adapters') return undefined;
  const depth = ADAPTER_GROUPS.includes(folders[0] ?? '') ? 2 : 1;
  return ['adapters', ...folders.slice(0, depth)].join('/');
}

function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS).find((layer) => file.startsWith(`src/${layer}/`));
}

/** Finds import cycles, each as a path of files. Type-only imports count, because they couple files as well. */
function findCycles(imports: ImportMap): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    for (const next of imports[file] ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of Object.keys(imports)) visit(file, []);
  return cycles;
}

/** Finds places where code names an agent program outside that program's folder. Comments may name agent programs. */
export function findLeakedRuntimeNames(sources: SourceMap): string[] {
  return Object.entries(sources).flatMap(([file, text]) => {
    if (isRuntimeList(file)) return [];
    const code = withoutComments(text);
    return Object.entries(RUNTIME_WORDS)
      .filter(([id, word]) => !file.startsWith(`${RUNTIMES}${id}/`) && word.test(code))
      .map(([id]) => `${file} names "${id}": only ${RUNTIMES}${id}/ and the list may; declare a capability instead`);
  });
}

function withoutComments(text: string): string {
  const file = ts.createSourceFile('any.ts', text, ts.ScriptTarget.Latest, false);
  return ts.createPrinter({ removeComments: true }).printFile(file);
}

export interface Project {
  readonly layer: string;
  readonly references: readonly string[];
  readonly options: ts.CompilerOptions;
}

/** Reads a tsconfig.json as the compiler does: its references, and its options including those from `extends`. */
export function readProject(root: string, configFile: string): Project {
  const { config, error } = ts.readConfigFile(configFile, ts.sys.readFile);
  if (error) throw new Error(`${configFile}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
  const layerAt = (path: string) => relative(join(root, 'src'), path).split(sep).join('/');
  return {
    layer: layerAt(dirname(configFile)),
    references: (parsed.projectReferences ?? []).map(({ path }) => layerAt(path)),
    options: parsed.options,
  };
}

export function findConfigFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'tsconfig.json')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
