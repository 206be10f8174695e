import { describe, expect, it } from 'vitest';
import { fieldsOf, groupsIn, ownsForeground, parsePs } from '../../../src/adapters/tmux/foreground.ts';

describe('[F14] the check for the foreground process', () => {
  it('the foreground check finds the process group in /proc/PID/stat, whatever the program is called', () => {
    expect(groupsIn(fieldsOf('42 (a) S 1 2 (x) S 1 77 77 34816 99 0 0'))).toEqual({ own: 77, foreground: 99 });
  });

  it('the foreground check finds the process group in the output of ps', () => {
    expect(parsePs('  99    77\n')).toEqual({ own: 77, foreground: 99 });
  });

  it('the foreground check returns false for a process that does not exist', async () => {
    expect(await ownsForeground(2 ** 22 + 1)).toBe(false);
    expect(await ownsForeground(2 ** 22 + 1, 'darwin')).toBe(false);
  });
});
