import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Heard } from '../../../../src/contract/fleet.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent, aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

const AT = '/api/machines/laptop';
const UP: Heard = {
  machine: 'laptop',
  presence: 'up',
  live: true,
  last_heard_at: new Date(Date.now() - 2_000).toISOString(),
  age_ms: 2_000,
  log_position: 9,
};
const AWAY: Heard = {
  ...UP,
  presence: 'away',
  live: false,
  last_heard_at: new Date(Date.now() - 5 * 60_000 - 1_000).toISOString(),
};
const aPackage = {
  ...{ id: 'HO-2026-001', uid: 'u', type: 'gate', from: 'developer-con-1', to: 'operator', state: 'pending' },
  ...{ over: false, owner: 'human', waiter: 'human', revision: 1, summary: 'May I?', deadline_at: null },
  ...{ project_id: 1, created_at: '2026-11-18T12:00:00.000Z', updated_at: '2026-11-18T12:00:00.000Z' },
};

let baton: FakeBaton;
const list = async (command: string): Promise<string> =>
  (await runInHome(baton.home, [...command.split(' '), '--machine', 'laptop'])).stdout;

function answerLists(heard: Heard): void {
  baton.answer(`GET ${AT}/agents`, { agents: [anAgent({ needs: null })], next: null, heard });
  baton.answer(`GET ${AT}/runs`, { runs: [aRun()], next: null, heard });
  baton.answer(`GET ${AT}/inbox`, { items: [], heard });
  baton.answer(`GET ${AT}/packages`, { packages: [aPackage], next: null, heard });
}

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('a list of another machine', () => {
  const LISTS = [
    ['agent list', ' was idle '],
    ['ps', ' was idle '],
    ['handoff list', ' was '],
    ['package list', ' was pending '],
    ['inbox list', 'Nothing needs you.'],
  ] as const;

  it.each(LISTS)(
    'while a machine is away, `baton %s` first says so and how old the data is, and then lists the last known states',
    async (command, state) => {
      answerLists(AWAY);
      const said = await list(command);
      expect(said.split('\n', 1)[0]).toBe('laptop is away; this is as of 5 min ago. See: baton fleet status');
      expect(said).toContain(state);
    },
  );

  it.each(LISTS)('while a machine is up, `baton %s` does not say how old the data is', async (command) => {
    answerLists(UP);
    const said = await list(command);
    expect(said).not.toMatch(/as of|was/);
  });

  it('`baton package list` sends only the filters that were given', async () => {
    answerLists(UP);
    await list('package list');
    await list('package list --state draft --limit 3 --json');
    const queries = baton.seen.map(({ url }) => url.split('?')[1]);
    expect(queries).toEqual([undefined, 'state=draft&limit=3']);
  });

  it('`baton package inbox` refuses the option --machine, and the hint names the command that lists open packages', async () => {
    const { code, stderr } = await runInHome(baton.home, ['package', 'inbox', '--machine', 'laptop']);
    expect([code, baton.seen]).toEqual([1, []]);
    expect(stderr).toContain('Only laptop itself can list the packages that wait for you there.');
    expect(stderr).toContain('baton package list --machine laptop --open');
  });

  it('without a connection to the hub, a list says that Baton does not know whether the other machine is up', async () => {
    answerLists({ ...AWAY, presence: 'unknown' });
    expect(await list('agent list')).toContain('Baton cannot tell whether laptop is up; this is as of 5 min ago. See:');
    answerLists({ ...AWAY, presence: 'unknown', last_heard_at: null, age_ms: null });
    expect(await list('ps')).toContain('Baton cannot tell whether laptop is up; it has not reported yet. See:');
  });
});
