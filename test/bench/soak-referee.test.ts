import { describe, expect, it } from 'vitest';
import type { Sent } from '../../prove/soak/book.ts';
import { judgeAttention, judgeMessages, judgePrompts } from '../../prove/soak/judge-messages.ts';
import type { Entry } from '../../prove/soak/logs.ts';

describe('the judge of the soak test', () => {
  const sent = (verdict: Sent['verdict']): Sent => ({
    ...{ mark: 'soak-000001', text: 'Read soak-000001.', agentId: 1, life: 1, place: 'ada', verdict, reason: '' },
  });
  const got = (...texts: string[]): Entry[] => texts.map((text) => ({ type: 'submitted', text }));
  const whole = 'Read soak-000001.';

  it.each([
    { verdict: 'accepted', first: [whole], second: [], offence: [] },
    { verdict: 'accepted', first: [], second: [], offence: ['lost'] },
    { verdict: 'accepted', first: ['half a thought Read soak-000001.'], second: [], offence: ['lost'] },
    { verdict: 'accepted', first: [], second: [whole], offence: ['lost'] },
    { verdict: 'accepted', first: [whole, whole], second: [], offence: ['doubled'] },
    { verdict: 'accepted', first: [whole], second: [whole], offence: ['doubled'] },
    { verdict: 'accepted', first: ['It was asked: soak-000001 [baton:x-injection]'], second: [], offence: ['lost'] },
    { verdict: 'refused', first: [], second: [], offence: [] },
    { verdict: 'refused', first: [whole], second: [], offence: ['doubled'] },
    { verdict: 'unconfirmed', first: [], second: [], offence: [] },
    { verdict: 'unconfirmed', first: [whole], second: [], offence: [] },
    { verdict: 'unconfirmed', first: [], second: [whole], offence: ['lost'] },
    { verdict: 'unanswered', first: [whole, whole], second: [], offence: ['doubled'] },
  ] as const)(
    'the soak judge reports $offence if Baton reports "$verdict", the addressed agent got $first and another agent got $second',
    ({ verdict, ...heard }) => {
      const logs = new Map([
        [1, got(...heard.first)],
        [2, got(...heard.second)],
      ]);
      expect(judgeMessages([sent(verdict)], logs).map(({ offence }) => offence)).toEqual(heard.offence);
    },
  );

  it('the soak judge reports a prompt that two agents got', () => {
    const prompt = got('Go on. [baton:x-injection]');
    expect(judgePrompts(new Map([[1, prompt]]))).toEqual([]);
    expect(judgePrompts(new Map([1, 2].map((id) => [id, prompt])))).toHaveLength(1);
    expect(judgePrompts(new Map([[1, [{ type: 'start' }, { type: 'start' }]]]))).toHaveLength(1);
    expect(judgeAttention([sent('accepted')], [{ name: 'ada' }]).map(({ what }) => what)).toEqual([
      'ada heard nothing in life 2',
    ]);
  });
});
