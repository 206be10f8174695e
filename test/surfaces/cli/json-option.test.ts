import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../src/surfaces/cli/build-program.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { runInHome } from './support/run-in-home.ts';

/** Commands that need no `--json`. The output of `mcp` is always JSON, because `mcp` speaks the MCP protocol. */
const WITHOUT = ['mcp'];

const nothing = { write: () => undefined };
const program = buildProgram({ version: '0', stdout: nothing, stderr: nothing } as never, async () => undefined, true);

/**
 * A group has subcommands but no options of its own. `handoff` and `config` have subcommands but are commands
 * themselves, so they are no groups.
 */
const isGroup = ({ commands, options }: Command): boolean => commands.length > 0 && options.length === 0;

/** Lists all commands by their full names, and whether each has `--json`. */
const withJson = (command: Command, words: readonly string[] = []): readonly (readonly [string, boolean])[] => [
  ...(isGroup(command) || command === program
    ? []
    : [[words.join(' '), command.options.some(({ long }) => long === '--json')] as const]),
  ...command.commands.flatMap((each) => withJson(each, [...words, each.name()])),
];

it('[S-1] every command has the option --json, apart from the listed exceptions', () => {
  const all = withJson(program);
  expect(all.length).toBeGreaterThan(90);
  expect(all.filter(([, hasJson]) => !hasJson).map(([words]) => words)).toEqual(WITHOUT);
});

it.each([
  ['handoff', 'handoff 3'],
  ['succeed', 'handoff 3 --emergency'],
  ['succeed', 'succeed 3'],
])('[S-1] the answer to POST %s is printed by baton %s --json', async (route, command) => {
  const baton = new FakeBaton();
  await baton.listen();
  try {
    const begun = { status: 'initiated', run_id: 7 };
    baton.answer(`POST /api/agents/3/${route}`, begun);
    const argv = [...command.split(' '), '--reason', 'shift_end', '--json'];
    const { code, stdout } = await runInHome(baton.home, argv);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, begun]);
    expect(baton.seen.map(({ body }) => body)).toEqual([{ reason: 'shift_end' }]);
  } finally {
    await baton.remove();
  }
});
