import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AutoHandoff } from '../../../../src/contract/policies.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

const NO_AUTO: AutoHandoff = { countdown: null, snoozed_until: null, cancelled: false, held: null, requested: null };

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, ['policy', ...argv]);
const answer = (auto: Partial<AutoHandoff>) =>
  baton.answer('POST /api/agents/3/countdown', anAgent({ auto_handoff: { ...NO_AUTO, ...auto } }));
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('baton policy cancel', () => {
  it('`baton policy cancel` says when the next countdown can begin', async () => {
    answer({ cancelled: true });
    expect((await run('cancel', '3')).stdout).toContain('until its context use falls below the threshold.');
    answer({});
    const { stdout } = await run('cancel', '3');
    expect(stdout).toContain('a new countdown begins only when it reaches the threshold or asks again');
    expect(stdout).toContain('baton policy set suggest --agent 3');
  });
});

describe('baton policy snooze', () => {
  const later = new Date(Date.now() + 1_790_000).toISOString();

  it('after a person canceled a countdown, `baton policy snooze` says that the cancel also delays the next countdown', async () => {
    answer({ snoozed_until: later });
    expect((await run('snooze', '3')).stdout).toContain('the next countdown begins in 30 min at the earliest.');
    expect(baton.seen.at(-1)?.body).toEqual({ action: 'snooze', minutes: 30 });
    answer({ snoozed_until: later, cancelled: true });
    expect((await run('snooze', '3', '--for', '1m')).stdout).toContain(
      'but not before its context use has fallen below the threshold, because a person canceled',
    );
  });

  it.each(['0s', '59', '169h'])('`baton policy snooze` refuses the time %s and names the option', async (time) => {
    const { code, stderr } = await run('snooze', '3', '--for', time);
    expect([code, baton.seen]).toEqual([2, []]);
    expect(stderr).toContain("'--for <time>' argument");
    expect(stderr).toContain('Use a duration from 1m to 168h.');
  });

  it('the help of `baton policy snooze` shows the default time with its unit', async () => {
    expect((await run('snooze', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain('1m to 7 days (default: 30m)');
  });
});

describe('baton policy set', () => {
  it.each([
    ['--countdown', '0', "'--countdown <time>' argument '0' is invalid. Use a duration from 1s to 24h."],
    ['--idle', '25h', "'--idle <time>' argument '25h' is invalid. Use a duration from 0s to 24h."],
    ['--per-day', '1001', "'--per-day <n>' argument '1001' is invalid. Use a whole number from 1 to 1000."],
  ])('`baton policy set` refuses %s %s and names the option', async (option, value, sentence) => {
    const { code, stderr } = await run('set', 'auto', '--agent', '3', option, value);
    expect([code, baton.seen]).toEqual([2, []]);
    expect(stderr).toContain(sentence);
  });

  it.each(['suggest', 'off'])('`baton policy set %s` refuses the options that apply only to "auto"', async (mode) => {
    const { code, stderr } = await run('set', mode, '--agent', '3', '--countdown', '5m', '--quiet-hours');
    expect([code, baton.seen]).toEqual([2, []]);
    expect(stderr).toContain('Only the policy "auto" uses --countdown and --quiet-hours, so nothing was set.');
  });
});
