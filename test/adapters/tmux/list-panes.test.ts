import { afterAll, describe, expect, it } from 'vitest';
import { parseListed } from '../../../src/adapters/tmux/pane-facts.ts';
import { createRig, until } from './rig.ts';

/** Returns a line of tmux's pane list, by default for a pane whose program last printed at second 1,000 (Unix time). */
const line = (over: { activity?: number; cursor?: number; pid?: number; tag?: string } = {}): string => {
  const { activity = 1_000, cursor = 4, pid = 42, tag = 'agent-1' } = over;
  return `7|900|%3|${pid}|${cursor}|5|180|50|12|0|0|${activity}|0|off|${tag}|a|b`;
};
const drawn = (text: string, atMs = 1_001_000): string | undefined => parseListed(text, atMs)?.drawn;

describe('a line of the list of panes', () => {
  it("a line of tmux's pane list is parsed correctly even if the session name contains the separator", () => {
    expect(parseListed(line(), 1_001_000)).toMatchObject({
      identity: { serverPid: 7, serverStartedAt: 900, paneId: '%3', panePid: 42, tag: 'agent-1' },
      sessionName: 'a|b',
      dead: false,
      staysAtExit: false,
    });
    expect(parseListed(line({ tag: '' }), 1_001_000)).toBeUndefined();
  });

  it('Baton detects a changed pane by the time of its last output, its cursor or the process id of its program', () => {
    expect(drawn(line(), 5_000_000)).toBe(drawn(line()));
    for (const changed of [line({ activity: 1_003 }), line({ cursor: 9 }), line({ pid: 43 })])
      expect(drawn(changed, 5_000_000)).not.toBe(drawn(line()));
  });

  it('if a pane had output in the current second, Baton treats the pane as changed, because more output may follow in that second', () => {
    expect(drawn(line(), 1_000_999)).toBeUndefined();
    expect(drawn(line(), 1_001_000)).toBeDefined();
  });
});

describe('the change mark of a screen in a real tmux', () => {
  const rig = createRig();
  afterAll(() => rig.stop());

  it('a pane counts as unchanged while its program prints nothing, and as changed after new output', async () => {
    const { pane, drawn: isDrawn } = await rig.startAgent();
    await isDrawn();
    const mark = async () =>
      (await rig.terminal.list()).panes.find(({ identity }) => identity.paneId === pane.paneId)?.drawn;
    const before = await until('a mark', mark);
    const screen = await rig.terminal.capture(pane);
    expect(await mark()).toBe(before);
    expect(await rig.terminal.capture(pane)).toEqual(screen);
    rig.tmux('send-keys', '-t', pane.paneId, '-l', 'x');
    await until('the echo', async () => (await rig.terminal.capture(pane))?.lines.some((line) => line.endsWith('x')));
    expect(await mark()).not.toBe(before);
  });
});
