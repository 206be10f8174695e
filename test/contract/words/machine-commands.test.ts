import { describe, expect, it } from 'vitest';
import { answerOn, commandsOn } from '../../../src/contract/words/machine-commands.ts';

describe('commands in the sentences of another machine', () => {
  it("Baton adds the machine's name to a printed command about an object of another machine", () => {
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

  it("if a printed command does not accept --machine, Baton writes the machine's name before the command", () => {
    const onLaptop = (hint: string): string => answerOn('laptop', { hint }).hint;
    expect(commandsOn('laptop', 'Open its terminal: baton agent attach 3')).toBe(
      'Open its terminal on laptop: baton agent attach 3',
    );
    expect(onLaptop('Find the cause: baton doctor')).toBe('Find the cause on laptop: baton doctor');
    expect(
      onLaptop(
        'Read them: baton persona lessons con; then: baton persona accept-lesson 2, or baton persona discard-lesson 2',
      ),
    ).toBe(
      'Read them on laptop: baton persona lessons con; then on laptop: baton persona accept-lesson 2, or on laptop: baton persona discard-lesson 2',
    );
    expect(onLaptop('Look at its terminal (baton agent attach 3).')).toBe(
      'Look at its terminal (on laptop: baton agent attach 3).',
    );
    expect(onLaptop('baton worktree remove con --project 2')).toBe('On laptop: baton worktree remove con --project 2');
    expect(onLaptop('Use the file: baton handoff adopt 7 FILE')).toBe(
      'Use the file on laptop: baton handoff adopt 7 FILE',
    );
  });

  it("Baton writes the machine's name before a printed command about a handoff policy on another machine", () => {
    expect(commandsOn('laptop', 'Cancel it: baton policy cancel 3')).toBe('Cancel it on laptop: baton policy cancel 3');
  });

  it('a word after a printed command belongs to the command only if the word is a subcommand', () => {
    expect(commandsOn('laptop', 'See baton events in the log and baton handoff 3 now')).toBe(
      'See baton events --machine laptop in the log and baton handoff 3 --machine laptop now',
    );
  });

  it("Baton adds no machine's name to a printed command for the hub", () => {
    const hint = 'Invite it on the hub: baton fleet invite laptop --replace';
    expect(answerOn('laptop', { hint })).toEqual({ hint });
    expect(answerOn('laptop', { hint: 'Run: baton fleet leave; then on the hub: baton fleet invite laptop' })).toEqual({
      hint: 'Run on laptop: baton fleet leave; then on the hub: baton fleet invite laptop',
    });
  });

  it('if a printed command already names its machine, Baton adds no name to the command', () => {
    const once = commandsOn('laptop', 'baton agent attach 2. See: baton agent why 2, or open it: baton agent attach 2');
    expect(commandsOn('laptop', once)).toBe(once);
    expect(answerOn('laptop', { hint: once })).toEqual({ hint: once });
  });

  it("Baton adds no machine's name to a printed command for this machine", () => {
    const hint = 'Start it with: baton start. See: baton fleet status';
    expect(commandsOn('laptop', hint)).toBe(hint);
  });

  it("Baton adds the machine's name to a command in Baton's own sentence, but not to a command in an agent's note or in a path", () => {
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
