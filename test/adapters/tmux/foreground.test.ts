import { describe, expect, it } from 'vitest';
import { ownsForeground, parseProcStat, parsePs } from '../../../src/adapters/tmux/foreground.ts';

describe('[F14] the check for the foreground process', () => {
  it('reads /proc/PID/stat even if the program name looks like its fields', () => {
    expect(parseProcStat('42 (a) S 1 2 (x) S 1 77 77 34816 99 0 0')).toEqual({ own: 77, foreground: 99 });
  });

  it('reads the output of ps', () => {
    expect(parsePs('  99    77\n')).toEqual({ own: 77, foreground: 99 });
  });

  it('is false for a process that does not exist', async () => {
    expect(await ownsForeground(2 ** 22 + 1)).toBe(false);
    expect(await ownsForeground(2 ** 22 + 1, 'darwin')).toBe(false);
  });
});
