import { describe, expect, it } from 'vitest';
import { answerOn, commandsOn } from '../../../src/contract/words/machine-commands.ts';

describe('commands in the sentences of another machine', () => {
  it('Baton adds the name of the machine to a printed command about an object of another machine', () => {
    expect(
      commandsOn(
        'laptop',
        'Read the document, then approve it: baton handoff approve 3, or send it back: baton handoff send-back 3 "COMMENT".',
      ),
    ).toBe(
      'Read the document, then approve it: baton handoff approve 3 --machine laptop, or send it back: baton handoff send-back 3 --machine laptop "COMMENT".',
    );
    expect(commandsOn('laptop', 'baton handoff 3 --emergency; baton package show HO-2026-003. baton agent list')).toBe(
      'baton handoff 3 --machine laptop --emergency; baton package show HO-2026-003 --machine laptop. baton agent list --machine laptop',
    );
  });

  it('Baton adds the machine, as in "(on laptop)", to a printed command that works only on that machine', () => {
    expect(commandsOn('laptop', 'Open its terminal: baton agent attach 3')).toBe(
      'Open its terminal: baton agent attach 3 (on laptop)',
    );
    expect(answerOn('laptop', { hint: 'Find the cause: baton doctor' })).toEqual({
      hint: 'Find the cause: baton doctor (on laptop)',
    });
  });

  it('Baton does not change a printed command that already names its machine', () => {
    const once = commandsOn('laptop', 'See: baton agent why 2, or open it: baton agent attach 2');
    expect(commandsOn('laptop', once)).toBe(once);
  });

  it('Baton does not change a printed command that is meant for this machine', () => {
    const hint = 'Start it with: baton start. See: baton fleet status';
    expect(commandsOn('laptop', hint)).toBe(hint);
  });

  it('Baton adds the name of the machine only to its own sentences, not to the words of agents or to paths', () => {
    const body = {
      id: 3,
      note: 'then run baton handoff 3',
      document: { path: '/home/you/.baton handoff/x.md' },
      failure: { sentence: 'It ended.', hint: 'Start again: baton handoff 1' },
      warnings: ['See: baton agent why 1'],
      question: null,
    };
    expect(answerOn('laptop', body)).toEqual({
      ...body,
      failure: { sentence: 'It ended.', hint: 'Start again: baton handoff 1 --machine laptop' },
      warnings: ['See: baton agent why 1 --machine laptop'],
    });
  });
});
