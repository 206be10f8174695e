import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../src/surfaces/cli/build-program.ts';
import type { CliDeps } from '../src/surfaces/cli/cli-deps.ts';
import { shellCommands } from './support/shell-commands.ts';

/** Checks that the links, commands, options and npm scripts in the pages of the root folder and of docs/ exist. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
const inRoot = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'SECURITY.md', 'CHANGELOG.md'];
const PAGES = [...inRoot, ...inDocs.filter((name) => name.endsWith('.md'))]
  .sort()
  .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));
const scripts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;

const withoutBlocks = (text: string): string => text.replace(/^ *```.*?^ *```$/gms, '');
const targetsIn = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
/** The anchors that GitHub derives from the headings. */
const anchorsIn = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
const shellBlocksIn = (text: string): string[] =>
  [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = '']) => block);

function whyLost(page: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), decodeURI(path));
  if (relative(ROOT, file).startsWith('..') || !existsSync(file)) return `${target}: there is no such file`;
  if (anchor === undefined || anchorsIn(readFileSync(file, 'utf8')).includes(anchor)) return undefined;
  return `${target}: there is no such heading`;
}

/** Errors of the command parser that are allowed in running text, where a command may stand without its arguments. */
const UNFINISHED = [
  'commander.help',
  'commander.missingArgument',
  'commander.optionMissingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.invalidArgument',
];

/** Parses a command line without running it. Returns the error, or undefined if the command line is valid. */
async function whyNotUnderstood(words: readonly string[], forgiven: string[] = []): Promise<string | undefined> {
  const silent = { write: () => undefined };
  const deps = { version: '0', stdout: silent, stderr: silent } as unknown as CliDeps;
  try {
    await buildProgram(deps, async () => undefined, true).parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    const { exitCode, code = '', message } = error as { exitCode?: number; code?: string; message: string };
    return exitCode === 0 || forgiven.includes(code) ? undefined : `baton ${words.join(' ')}: ${message}`;
  }
}

describe.each(PAGES)('$name', ({ name, text }) => {
  it('every link of a documentation page has an existing target', () => {
    expect(targetsIn(text).flatMap((target) => whyLost(name, target) ?? [])).toEqual([]);
  });

  it('every Baton command in a code block of a documentation page is valid', async () => {
    const commands = shellBlocksIn(text).flatMap(shellCommands);
    const batons = commands.filter(([program = '']) => /(^|\/)baton$/.test(program));
    const told = await Promise.all(batons.map(([, ...words]) => whyNotUnderstood(words)));
    expect(told.filter((each) => each !== undefined)).toEqual([]);
  });

  it('every Baton command in the text of a documentation page exists', async () => {
    const spans = [...withoutBlocks(text).matchAll(/`(baton [^`]+)`/g)].map(([, span = '']) =>
      span.replace(/\s+/g, ' '),
    );
    const told = await Promise.all(
      spans.flatMap(shellCommands).map(([, ...words]) => whyNotUnderstood(words, UNFINISHED)),
    );
    expect(told.filter((each) => each !== undefined)).toEqual([]);
  });

  it('a documentation page names only npm scripts that exist in package.json', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});

describe('the parser of the documentation pages', () => {
  it('the parser of documentation pages finds commands after variable assignments and after other commands on a line', () => {
    const block =
      'A=1 baton a "b c" # baton x\nbaton d && baton e; baton f | less\nsource <(baton g)\nssh you@there \'~/bin/baton h\'';
    expect(shellCommands(block).filter(([program = '']) => program.endsWith('baton'))).toEqual([
      ['baton', 'a', 'b c'],
      ['baton', 'd'],
      ['baton', 'e'],
      ['baton', 'f'],
      ['baton', 'g'],
      ['~/bin/baton', 'h'],
    ]);
  });

  it('the parser of documentation pages reports a wrong command, option or link', async () => {
    expect(await whyNotUnderstood(['agent', 'lst'])).toContain('unknown command');
    expect(await whyNotUnderstood(['handoff', '1', '--wach'])).toContain('unknown option');
    expect(await whyNotUnderstood(['handoff', '1', '--watch'])).toBeUndefined();
    expect(whyLost('README.md', 'docs/NOWHERE.md')).toContain('no such file');
    expect(whyLost('README.md', 'docs/PROTOCOL.md#nowhere')).toContain('no such heading');
    expect(whyLost('README.md', 'docs/PROTOCOL.md#mcp-tools')).toBeUndefined();
  });

  it('the parser of documentation pages finds many pages, links and commands', () => {
    expect(PAGES.length).toBeGreaterThan(30);
    expect(PAGES.flatMap(({ text }) => targetsIn(text)).length).toBeGreaterThan(60);
    expect(PAGES.flatMap(({ text }) => shellBlocksIn(text).flatMap(shellCommands)).length).toBeGreaterThan(80);
  });
});
