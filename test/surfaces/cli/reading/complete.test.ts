import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent, aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const complete = (...words: string[]) => runInHome(baton.home, ['complete', '--', ...words]);
const values = async (...words: string[]): Promise<string[]> =>
  (await complete(...words)).stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] ?? '');

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
  baton.answer('GET /api/agents', { agents: [anAgent(), anAgent({ id: 12, label: 'a"; rm -rf ~', ended_at: 'x' })] });
  baton.answer('GET /api/runs', { runs: [aRun()] });
  const persona = {
    slug: 'developer-con-1',
    role: 'developer',
    name: 'Con',
    status: 'active',
    folder: '',
    created_at: '',
  };
  baton.answer('GET /api/personas', { personas: [persona] });
});
afterEach(() => baton.remove());

describe('baton complete', () => {
  it.each([
    [
      ['agent', 'show', ''],
      ['3', '12'],
    ],
    [
      ['handoff', ''],
      ['3', '12'],
    ],
    [
      ['attach', ''],
      ['3', '12'],
    ],
    [['agent', 'resume', '--no-wait', ''], ['12']],
    [['handoff', 'show', ''], ['7']],
    [['agent', 'start', '--persona', ''], ['developer-con-1']],
    [['agent', 'start', '--project', 'x', '--persona', 'dev'], ['developer-con-1']],
    [['agent', 'give-persona', '3', ''], ['developer-con-1']],
    [['agent', 'start', '--project', ''], []],
    [['agent', ''], []],
    [['nonsense', ''], []],
    [[], []],
  ])('[U14] after the words %j, shell completion offers %j', async (words, expected) => {
    expect(await values(...words)).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) expect((await complete(...words)).stdout).toBe('');
  });

  it('[U14] shell completion offers no value that a shell would expand', async () => {
    const { code, stdout, stderr } = await complete('agent', 'show', '');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('3\tCon, idle, tally\n');
    expect(await values('agent', 'show', '')).not.toContain('a"; rm -rf ~');
  });

  it('[U14] if no server runs, shell completion prints nothing and exits 0', async () => {
    baton.answer('GET /api/agents', { error: 'No', code: 'x' }, 500);
    expect(await complete('agent', 'show', '')).toEqual({ code: 0, stdout: '', stderr: '' });
    await baton.die();
    expect(await complete('agent', 'show', '')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await runInHome('/nowhere', ['complete', '--', 'handoff', ''])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('[U14] if the server does not answer, shell completion gives up', async () => {
    baton.on('GET /api/agents', () => undefined);
    const begun = performance.now();
    expect(await complete('agent', 'show', '')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
