import { expect, it } from 'vitest';
import { buildProgram } from '../../../../src/surfaces/cli/build-program.ts';
import { keepGoodSuggestions } from '../../../../src/surfaces/cli/suggestion.ts';
import { runInHome } from '../support/run-in-home.ts';

const run = (...argv: string[]) => runInHome('/nowhere', argv);
const nothing = { write: () => undefined };
const program = buildProgram({ version: '0', stdout: nothing, stderr: nothing } as never, async () => undefined, true);

it('[U6] `baton --help` shows the commands for daily work first', async () => {
  const { stdout } = await run('--help');
  expect([...stdout.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, title]) => title)).toEqual([
    'Options',
    'Daily work',
    'Agents and personas',
    'Packages of work',
    'Several machines',
    'Maintenance',
    'For agents and scripts',
  ]);
  expect(stdout.slice(stdout.indexOf('For agents and scripts'))).toMatch(/^ {2}ack .*\n {2}mcp /m);
  expect(stdout).toMatch(/^ {2}start .*\n/m);
});

it('[U6] `baton --help` has one line for each command', async () => {
  const lines = (await run('--help')).stdout.split('\n');
  expect(lines.length).toBeLessThan(65);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name());
  for (const name of names) expect(lines.filter((line) => new RegExp(`^  ${name}\\b`).test(line))).toHaveLength(1);
});

it('[U6] in the help of `baton` and of `baton package`, every command is in a named group', () => {
  for (const parent of [program, ...program.commands.filter((each) => ['package'].includes(each.name()))])
    for (const each of parent.createHelp().visibleCommands(parent))
      expect([each.name(), each.helpGroup()]).not.toEqual([each.name(), 'More:']);
});

it('[U6] in `baton package --help`, the group with the commands of agents is the last', async () => {
  const { stdout } = await run('package', '--help');
  const own = stdout.slice(stdout.indexOf('\nFor agents:\n'));
  for (const verb of ['receive', 'ack', 'complete', 'fail']) expect(own).toMatch(new RegExp(`^  ${verb} <id>`, 'm'));
  expect(own).not.toMatch(/^ {2}(decide|create|show) /m);
});

it.each([
  ['satus', 'status'],
  ['agnet', 'agent'],
  ['handof', 'handoff'],
])('[U6] the error about the unknown command `baton %s` proposes %s', async (typed, meant) => {
  expect((await run(typed)).stderr).toContain(`(Did you mean ${meant}?)`);
  expect(JSON.parse((await run(typed, '--json')).stdout).error).toContain(`(Did you mean ${meant}?)`);
});

it.each([['serch'], ['killall'], ['versions!']])(
  '[U6] the error about the unknown command `baton %s` proposes no unrelated command',
  async (typed) => {
    expect((await run(typed)).stderr).not.toMatch(/Did you mean (start|persona|doctor)/);
  },
);

it('[U6] for an unknown command, a known command is proposed only if the typed word contains most letters of the known command', () => {
  const message = (names: string): string => `error: unknown command 'search'\n(Did you mean ${names}?)`;
  expect(keepGoodSuggestions(message('start'))).toBe("error: unknown command 'search'");
  expect(keepGoodSuggestions(message('one of start, research'))).toContain('(Did you mean research?)');
  expect(keepGoodSuggestions("error: unknown option '--wach'\n(Did you mean --watch?)")).toContain('--watch');
});

it('`baton search --help` names the limit of the search, and the help of a list names the limit of lists', async () => {
  expect((await run('search', '--help')).stdout).toContain('number of entries, at most 100 (');
  expect((await run('agent', 'list', '--help')).stdout).toContain('number of entries, at most 1000');
});
