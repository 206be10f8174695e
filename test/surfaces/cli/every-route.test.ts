import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PATHS } from '../../../src/contract/routes.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

/** Every route has a command, or a reason in this table why it has none. */
const WITHOUT: Readonly<Record<string, string>> = {
  login: 'the page gives the code of `baton open` for a session of its own',
  packageSchema: '`baton package schema` prints the same from the contract, without a server',
};

const CLI = fileURLToPath(new URL('../../../src/surfaces/cli', import.meta.url));
const source = readdirSync(CLI, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(CLI, name), 'utf8'))
  .join('\n');
const isUsed = (name: string): boolean => new RegExp(`\\bPATHS\\.${name}\\b`).test(source);
/** Does the source contain the word as a string or as a key of a command table? */
const isSaid = (word: string): boolean => new RegExp(`'${word}'|^ +${word}: '`, 'm').test(source);

/** The path parameters in the route table. */
const STANDS_FOR = ['{id}', '{slug}', '{package}', '{session}'];

/** Finds the name of a path in the contract, and the word in the path that the caller chooses. */
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

describe('the command line', () => {
  it.each([...new Set(ROUTES.map(({ path }) => path))])('has a command for %s, or a reason for having none', (path) => {
    const found = named(path);
    expect(found, 'the contract has no such path').toBeDefined();
    const { name = '', word } = found ?? {};
    if (name in WITHOUT) expect(isUsed(name), 'it has a command, so no reason is needed').toBe(false);
    else expect([name, isUsed(name), word === undefined || isSaid(word)]).toEqual([name, true, true]);
  });

  it('has no reasons for routes that do not exist', () => {
    const names = ROUTES.map(({ path }) => named(path)?.name);
    expect(Object.keys(WITHOUT).filter((name) => !names.includes(name))).toEqual([]);
  });
});
