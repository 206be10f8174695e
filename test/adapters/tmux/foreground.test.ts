import { describe, expect, it } from 'vitest';
import { fieldsOf, groupsIn, ownsForeground, parsePs } from '../../../src/adapters/tmux/foreground.ts';

describe('[F14] the check for the foreground process', () => {
  it("the foreground check reads the process group from /proc/PID/stat, even if the program's name has spaces or parentheses", () => {
    expect(groupsIn(fieldsOf('42 (a) S 1 2 (x) S 1 77 77 34816 99 0 0'))).toEqual({ own: 77, foreground: 99 });
  });

  it('the foreground check finds the process group in the output of ps', () => {
    expect(parsePs('  99    77\n')).toEqual({ own: 77, foreground: 99 });
  });

  it('a process that does not exist is not in the foreground', async () => {
    expect(await ownsForeground(2 ** 22 + 1)).toBe(false);
    expect(await ownsForeground(2 ** 22 + 1, 'darwin')).toBe(false);
  });
});
