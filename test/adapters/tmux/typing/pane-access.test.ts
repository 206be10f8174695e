import { afterAll, describe, expect, it } from 'vitest';
import type { PaneIdentity } from '../../../../src/app/ports/terminal.ts';
import { createRig, until } from '../rig.ts';

const rig = createRig();
afterAll(() => rig.stop());

function cursorOf(paneId: string) {
  const [x, y] = rig.tmux('display-message', '-p', '-t', paneId, '#{cursor_x} #{cursor_y}').split(' ').map(Number);
  return { x: x as number, y: y as number };
}

async function tryToType(pane: PaneIdentity, shift = 0): Promise<readonly boolean[]> {
  const access = rig.access(pane);
  const { x, y } = cursorOf(pane.paneId);
  const cursor = { x: x + shift, y };
  return [await access.paste('id', cursor, 'hello'), await access.pressEnter('never-pasted', cursor, 'named')];
}

describe('the check before tmux types into a pane', () => {
  it('tmux types nothing if the pane is in copy mode or is not the pane that Baton expects', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const { pane } = agent;
    const others = [
      { ...pane, serverPid: pane.serverPid + 1 },
      { ...pane, serverStartedAt: pane.serverStartedAt + 1 },
      { ...pane, panePid: pane.panePid + 1 },
      { ...pane, tag: 'other' },
      { ...pane, paneId: '%0' },
    ];
    for (const other of others) expect(await tryToType(other)).toEqual([false, false]);
    expect(await tryToType(pane, 1)).toEqual([false, false]);
    rig.tmux('copy-mode', '-t', pane.paneId);
    expect(await tryToType(pane)).toEqual([false, false]);
    rig.tmux('send-keys', '-t', pane.paneId, '-X', 'cancel');
    expect(agent.received()).toHaveLength(0);
    expect(await tryToType(pane)).toEqual([true, false]);
    expect(await tryToType(pane)).toEqual([false, false]);
    await until('one paste', () => agent.received().toString() === '\x1b[200~hello\x1b[201~');
    expect(rig.tmux('list-buffers')).toBe('');
  });

  it('[F12] tmux types nothing into a dead pane, because typing there would crash tmux 3.3a', async () => {
    const { pane } = await rig.startAgent();
    rig.tmux('set-option', '-p', '-t', pane.paneId, 'remain-on-exit', 'on');
    process.kill(pane.panePid, 'SIGKILL');
    await until('death', () => rig.tmux('display-message', '-p', '-t', pane.paneId, '#{pane_dead}') === '1');
    expect(await tryToType(pane)).toEqual([false, false]);
    expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(String(pane.serverPid));
  });

  it('tmux types nothing into a pane that does not exist', async () => {
    const { pane } = await rig.startAgent();
    rig.tmux('kill-pane', '-t', pane.paneId);
    const access = rig.access(pane);
    expect(await access.paste('id', { x: 0, y: 0 }, 'hello')).toBe(false);
    expect(await access.pressEnter('id', { x: 0, y: 0 }, 'literal')).toBe(false);
    await access.end();
  });
});
