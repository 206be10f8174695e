import { describe, expect, it } from 'vitest';
import { endInWords } from '../../../src/domain/agents/program-end.ts';

const ended = (exitCode: number | null, signal: number | null, ...lines: string[]): string =>
  endInWords('its process has ended', { exitCode, signal, lines });

describe('[S-6] [L9] the sentence about how a program ended', () => {
  it("the sentence about a program's end names the exit code or the signal", () => {
    expect(ended(1, null)).toBe('its process has ended with exit code 1; its terminal showed nothing');
    expect(ended(null, 9)).toBe('its process has ended by signal 9; its terminal showed nothing');
    expect(ended(null, null)).toContain('(tmux does not report the exit code)');
  });

  it("the sentence about a program's end quotes at most the last six lines of output", () => {
    expect(ended(2, null, '1', '2', '3', '4', '5', '6', '7')).toContain('last showed: "2 / 3 / 4 / 5 / 6 / 7"');
    const told = ended(2, null, `${'a'.repeat(700)}end`);
    expect(told).toMatch(/"…a{597}end"$/);
  });

  it('if a program could not be started, Baton reports only the reason why it could not be started', () => {
    expect(ended(97, null, 'cd: no such folder', 'the folder /shop does not exist')).toBe(
      'the folder /shop does not exist',
    );
    expect(ended(96, null)).toContain('with exit code 96');
  });
});
