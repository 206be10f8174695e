import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeFrom } from '../../../../src/main/maintenance/maintain-home.ts';
import type { Cli } from '../../../../src/surfaces/cli/cli.ts';
import { period } from '../../../../src/surfaces/cli/inbox/given-time.ts';
import { ago } from '../../../../src/surfaces/cli/output/when.ts';
import { showConfig } from '../../../../src/surfaces/cli/settings/config.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
const paths = () => baton.seen.map(({ url }) => url);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

it.each([
  [3_599_400, 'in 1 h'],
  [599_400, 'in 10 min'],
  [59_400, 'in 59 s'],
  [90_000, 'in 90 s'],
  [100 * 60_000, 'in 1 h 40 min'],
  [100 * 60_000 - 600, 'in 1 h 40 min'],
  [86_399_400, 'in 24 h'],
  [(36 * 60 + 40) * 60_000, 'in 36 h 40 min'],
  [(47 * 60 + 59) * 60_000, 'in 47 h 59 min'],
  [48 * 3_600_000 - 600, 'in 2 days'],
  [60 * 3_600_000, 'in 2 days 12 h'],
  [(60 * 60 + 40) * 60_000, 'in 2 days 12 h'],
  [7 * 86_400_000 - 600, 'in 7 days'],
])('a time that is %i ms in the future is shown as "%s"', (ms, text) => {
  const now = Date.now();
  expect(ago(new Date(now + ms).toISOString(), now)).toBe(text);
});

it('--persona and --no-persona exclude each other in either order, and no agent is started', async () => {
  for (const argv of [
    ['agent', 'start', '--no-persona', '--persona', 'Con'],
    ['agent', 'start', '--persona', 'Con', '--no-persona'],
    ['agent', 'adopt', '0b1f5a62', '--persona', 'Con', '--no-persona'],
  ]) {
    const { code, stderr } = await run(...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--persona and --no-persona exclude each other')]);
  }
  expect(baton.seen).toEqual([]);
});

it('if a prompt is given as an argument, the error of `baton agent start` names the option --prompt', async () => {
  const { code, stderr } = await run('agent', 'start', 'Do', 'the', 'next', 'step');
  expect([code, stderr]).toEqual([2, expect.stringContaining('--prompt')]);
});

it('`baton help` prints the help of a command inside a group', async () => {
  const asked = await run('help', 'agent', 'send');
  expect([asked.code, asked.stdout]).toEqual([0, (await run('agent', 'send', '--help')).stdout]);
});

it('`baton inbox` without a subcommand lists the inbox items', async () => {
  const listed = await run('inbox');
  expect([listed.code, listed.stdout]).toEqual([0, (await run('inbox', 'list')).stdout]);
  expect((await run('inbox', '--json')).stdout).toBe((await run('inbox', 'list', '--json')).stdout);
  expect((await run('inbox', 'bogus')).code).toBe(2);
});

it('with the option -a, `baton agent list` lists ended agents, too', async () => {
  baton.answer('GET /api/agents', { agents: [anAgent({ state: 'ended' })] });
  expect((await run('agent', 'list', '-a')).stdout).toBe((await run('agent', 'list', '--all')).stdout);
});

it('`baton agent continue` accepts the name of an agent', async () => {
  baton.answer('GET /api/agents/Con', anAgent({ id: 3 }));
  await run('agent', 'continue', 'Con');
  expect(paths().at(-1)).toContain('/api/agents/3/');
});

describe('baton events', () => {
  it('`baton events` accepts the name of an agent', async () => {
    baton.answer('GET /api/agents/Con', anAgent({ id: 3 }));
    baton.answer('GET /api/events', { events: [], last_seq: 0 });
    await run('events', '--agent', 'Con');
    expect(paths().find((path) => path.startsWith('/api/events'))).toContain('agent=3');
  });

  it('if no event matches, `baton events` says so on standard error', async () => {
    baton.answer('GET /api/events', { events: [], last_seq: 0 }).answer('GET /api/agents/99', anAgent({ id: 99 }));
    expect(await run('events', '--agent', '99')).toEqual({ code: 0, stdout: '', stderr: 'No such events.\n' });
    expect((await run('events', '--agent', '99', '--json')).stderr).toBe('');
  });
});

describe('a period of time', () => {
  it('if the option --until names a day, the period ends at the end of that day', () => {
    const { since, until } = period('2026-11-15', '2026-11-15');
    expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_399_999);
  });

  it.each(['usage', 'search x'])(
    'baton %s refuses a period that ends before it begins or that begins in the future',
    async (command) => {
      const reversed = await run(...command.split(' '), '--since', '2026-11-16', '--until', '2026-11-15');
      expect([reversed.code, reversed.stderr]).toEqual([2, '--since 2026-11-16 is later than --until 2026-11-15.\n']);
      const future = await run(...command.split(' '), '--since', '2999-01-01');
      expect([future.code, future.stderr]).toEqual([2, '--since 2999-01-01 is in the future.\n']);
      expect(baton.seen).toEqual([]);
    },
  );
});

it('`baton agent attach` says what to do if there is no terminal', async () => {
  baton.answer('GET /api/agents/3', anAgent());
  const { code, stderr } = await runInHome(baton.home, ['agent', 'attach', '3'], { stdin: '' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('baton agent screen 3')]);
});

describe('baton config', () => {
  it('if config.json is invalid, `baton config` does not say that all defaults apply', async () => {
    const problem = 'config.json is not valid JSON';
    const report = { path: 'config.json', exists: true, problem, home_from: 'default', keys: [] };
    const printed: unknown[] = [];
    const cli = {
      json: false,
      deps: { keep: async () => ({ explainConfig: () => report }) },
      out: { print: (...parts: unknown[]) => printed.push(parts) },
    };
    expect(await showConfig(cli as unknown as Cli, false)).toBe(1);
    expect(JSON.stringify(printed)).toContain(problem);
    expect(JSON.stringify(printed)).not.toContain('All defaults apply');
  });

  it('if BATON_HOME names the default home, `baton config` still reports the home as the default', () => {
    const from = (homePath: string) => homeFrom(homePath, { BATON_HOME: homePath });
    expect([from(join(homedir(), '.baton')), from(baton.home)]).toEqual(['default', 'BATON_HOME']);
  });

  it('if `baton settings set` gets a key that is only in config.json, the error names config.json', async () => {
    const { code, stderr } = await run('settings', 'set', 'port', '8000');
    expect([code, stderr]).toEqual([2, expect.stringContaining('config.json and apply after the next start')]);
  });
});

it('`baton package new` quotes a file name in the commands that it suggests', async () => {
  baton.answer('GET /api/packages/agents', { you: ['human'], agents: [] });
  const file = join(baton.home, "my 'work'.yaml");
  const { stdout } = await run('package', 'new', file);
  expect(stdout).toContain(`baton lint '${baton.home}/my '\\''work'\\''.yaml'\n`);
});
