import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PATHS } from '../../../src/contract/routes.ts';
import { buildProgram } from '../../../src/surfaces/cli/build-program.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

/** The routes without a command, each with a reason. Every other route must have a command. */
const WITHOUT: Readonly<Record<string, string>> = {
  login: 'the page gives the code of `baton open` for a session of its own',
  packageSchema: '`baton package schema` prints the same from the contract, without a server',
};

/**
 * Commands with --machine NAME use the routes under /api/machines/{machine}, so these routes need no commands of their
 * own.
 */
const isOfMachine = (path: string): boolean => path.startsWith('/api/machines/{machine}/');

const CLI = fileURLToPath(new URL('../../../src/surfaces/cli', import.meta.url));
const source = readdirSync(CLI, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(CLI, name), 'utf8'))
  .join('\n');
const isUsed = (name: string): boolean => new RegExp(`\\bPATHS\\.${name}\\b`).test(source);

const nothing = { write: () => undefined };
const program = buildProgram({ version: '0', stdout: nothing, stderr: nothing } as never, async () => undefined, true);

/**
 * Some functions in PATHS take the last word of a path as a parameter, and this word is also the name of a command in a
 * group. For each of these functions, GROUPS gives the name of the group.
 */
const GROUPS: Readonly<Record<string, string>> = {
  runAction: 'handoff',
  packageVerb: 'package',
  personaText: 'persona',
};

/** Returns the names of the commands in the given group. */
const commandsIn = (group = ''): readonly string[] =>
  program.commands.find((command) => command.name() === group)?.commands.map((command) => command.name()) ?? [];

/** Returns true if `file` is the only source file of the command line that calls the function `word`. */
const isOnlyUse = (word: string, file: string): boolean =>
  readdirSync(CLI, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && new RegExp(`\\b${word}\\(`).test(readFileSync(join(CLI, name), 'utf8')))
    .join() === file;

/** The path parameters in the route table. */
const STANDS_FOR = ['{id}', '{slug}', '{package}', '{session}'];

/**
 * Returns the name of the entry in PATHS that produces this path. If the entry is a function that takes the last word
 * of the path as a parameter, as in `/api/runs/{id}/retry`, also returns this word.
 */
function named(path: string): { readonly name: string; readonly word?: string } | undefined {
  const last = path.split('/').at(-1) ?? '';
  for (const [name, made] of Object.entries(PATHS)) {
    if (typeof made === 'string') {
      if (made === path) return { name };
      continue;
    }
    const make = made as (...given: readonly string[]) => string;
    for (const place of STANDS_FOR) {
      if (make.length === 1 && (make(place) === path || make(last) === path)) return { name };
      if (make.length === 2 && make(place, last) === path) return { name, word: last };
    }
  }
  return undefined;
}

describe('commands for routes', () => {
  it.each([...new Set(ROUTES.map(({ path }) => path))].filter((path) => !isOfMachine(path)))(
    'the route %s has a command or a listed reason why it has none',
    (path) => {
      const found = named(path);
      expect(found, 'the contract has no such path').toBeDefined();
      const { name = '', word } = found ?? {};
      if (name in WITHOUT) expect(isUsed(name), 'it has a command, so no reason is needed').toBe(false);
      else expect([name, isUsed(name)]).toEqual([name, true]);
      if (word !== undefined) expect(commandsIn(GROUPS[name])).toContain(word.replaceAll('_', '-'));
    },
  );

  it('every route under /api/machines/{machine} also exists without this prefix', () => {
    expect(isOnlyUse('onMachine', 'client/operator-client.ts')).toBe(true);
    const own = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const remote = ROUTES.filter(({ path }) => isOfMachine(path));
    expect(remote.length).toBeGreaterThan(30);
    const missing = remote.filter(
      ({ method, path }) => !own.has(`${method} ${path.replace('/machines/{machine}', '')}`),
    );
    expect(missing).toEqual([]);
  });

  it('every route in the list of routes without a command exists', () => {
    const names = ROUTES.map(({ path }) => named(path)?.name);
    expect(Object.keys(WITHOUT).filter((name) => !names.includes(name))).toEqual([]);
  });
});
