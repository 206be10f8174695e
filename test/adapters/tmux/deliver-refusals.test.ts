import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScreenReader } from '../../../src/app/ports/terminal.ts';
import { createRig, type RawAgent, type Rig, reader, until } from './rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = createRig();
});
afterEach(() => rig.stop());

async function expectRefusal(agent: RawAgent, reason: string, waitReadyMs = 300): Promise<void> {
  const before = agent.received().length;
  const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { waitReadyMs }));
  expect(outcome).toMatchObject({ verdict: 'refused', reason });
  expect(agent.received()).toHaveLength(before);
}

/** A reader that calls `act` after the last capture and before the paste. */
function acting(act: () => unknown): ScreenReader {
  let done = false;
  return {
    ...reader,
    readScreen: (screen) => {
      const state = reader.readScreen(screen);
      if (state.kind === 'ready' && !done) {
        done = true;
        act();
      }
      return state;
    },
  };
}

describe('[T9] deliver refuses and types nothing', () => {
  it('[F19] into a dialog, at once', async () => {
    const agent = await rig.startAgent({ dialog: 'start' });
    await agent.drawn();
    await expectRefusal(agent, 'dialog', 60_000);
    expect(agent.approvals()).toBe(0);
  });

  it('[F15] over a draft, and does not change the draft', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('send-keys', '-t', agent.pane.paneId, '-l', 'half a thou');
    await until('the draft', () => agent.received().length === 11);
    await expectRefusal(agent, 'draft', 60_000);
    expect((await rig.terminal.capture(agent.pane))?.lines.join('\n')).toContain('half a thou');
  });

  it('[F20] into a working agent', async () => {
    const agent = await rig.startAgent({ busy: true });
    await agent.drawn();
    await expectRefusal(agent, 'busy');
  });

  it('[F20] into an agent whose screen shows no work, without evidence that it is idle', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const before = agent.received().length;
    const doubt = { reason: 'busy', detail: 'its client reports that it is working' } as const;
    const working = rig.prompt('hello', { waitReadyMs: 300, whyNotAtRest: async () => doubt });
    expect(await rig.terminal.deliver(agent.pane, working)).toEqual({ verdict: 'refused', ...doubt });
    expect(agent.received()).toHaveLength(before);
    let asked = 0;
    const whyNotAtRest = async () => (++asked < 4 ? doubt : undefined);
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello', { whyNotAtRest }))).toMatchObject({
      verdict: 'typed',
    });
    expect(asked).toBe(4);
  });

  it('before the composer is visible, for which it waits first', async () => {
    const startWhen = join(rig.dir, 'start');
    const agent = await rig.startAgent({ startWhen });
    await expectRefusal(agent, 'starting', 100);
    let looks = 0;
    const waiting: ScreenReader = {
      ...reader,
      readScreen: (screen) => {
        // The agent starts only after Baton has captured it as starting.
        if (++looks === 3) writeFileSync(startWhen, '');
        return reader.readScreen(screen);
      },
    };
    const delivery = rig.prompt('hello', { reader: waiting });
    expect(await rig.terminal.deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 1 });
  });

  it('[F13] in copy mode, and does not end it', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('copy-mode', '-t', agent.pane.paneId);
    await expectRefusal(agent, 'copy_mode');
    expect(rig.tmux('display-message', '-p', '-t', agent.pane.paneId, '#{pane_in_mode}')).toBe('1');
  });

  it('[F13] in copy mode that begins between the last capture and the paste', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const sly = acting(() => rig.tmux('copy-mode', '-t', agent.pane.paneId));
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
    expect(outcome).toMatchObject({ verdict: 'refused', reason: 'copy_mode' });
    expect(agent.received()).toHaveLength(0);
    expect(rig.tmux('list-buffers')).toBe('');
  });

  it('into a dialog that opens between the last capture and the paste', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const sly = acting(() => {
      process.kill(agent.pane.panePid, 'SIGUSR2');
      while (!rig.tmux('capture-pane', '-p', '-t', agent.pane.paneId).includes('DIALOG'));
    });
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
    expect(outcome).toMatchObject({ verdict: 'refused', reason: 'dialog' });
    expect(agent.received()).toHaveLength(0);
  });

  it('[F14] when another process has the terminal', async () => {
    // With job control, bash puts its child into a process group of its own, in the foreground.
    const behindShell = (argv: string[]) => ['bash', '--norc', '-mc', '"$@"; true', 'bash', ...argv];
    const agent = await rig.startAgent({}, rig.terminal, behindShell);
    await agent.drawn();
    await expectRefusal(agent, 'agent_gone');
  });

  it('[F14] when the process in the pane is another one, although the tag is still there', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('respawn-pane', '-k', '-t', agent.pane.paneId, 'cat', '-');
    await expectRefusal(agent, 'agent_gone');
    expect(await rig.terminal.capture({ ...agent.pane })).toBeUndefined();
  });

  it('[F12] into a dead pane that tmux kept; the server survives', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('set-option', '-p', '-t', agent.pane.paneId, 'remain-on-exit', 'on');
    process.kill(agent.pane.panePid, 'SIGKILL');
    await until('death', async () => (await rig.terminal.list()).panes[0]?.dead);
    await expectRefusal(agent, 'agent_gone');
    expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(String(agent.pane.serverPid));
  });

  it('[F12] into a pane that dies between the last capture and the paste; the server survives', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const { paneId, panePid, serverPid } = agent.pane;
    rig.tmux('set-option', '-p', '-t', paneId, 'remain-on-exit', 'on');
    const sly = acting(() => {
      process.kill(panePid, 'SIGKILL');
      while (rig.tmux('display-message', '-p', '-t', paneId, '#{pane_dead}') !== '1');
    });
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
    expect(outcome).toMatchObject({ verdict: 'refused', reason: 'agent_gone' });
    expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(String(serverPid));
  });

  it('into a pane that is gone', async () => {
    const agent = await rig.startAgent();
    rig.tmux('kill-pane', '-t', agent.pane.paneId);
    await expectRefusal(agent, 'pane_gone');
  });

  it('[F10] into a reused pane id on a new server, so that the other program receives no text', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('kill-server');
    await expectRefusal(agent, 'wrong_server');
    const stranger = await rig.startAgent();
    await stranger.drawn();
    expect(stranger.pane.paneId).toBe(agent.pane.paneId);
    await expectRefusal(agent, 'wrong_server');
    await rig.terminal.end(agent.pane);
    // The test's own key arrives last, after any text that Baton might have sent by mistake.
    rig.tmux('send-keys', '-t', stranger.pane.paneId, '-l', 'z');
    await until('our own key', () => stranger.received().includes('z'));
    expect(stranger.received().toString()).toBe('z');
    expect((await rig.terminal.list()).panes).toHaveLength(1);
  });
});

describe('[F11] a pane that dies around the paste', () => {
  it('never crashes the server', async () => {
    await rig.terminal.connect();
    const server = rig.tmux('display-message', '-p', '#{pid}');
    for (let round = 0; round < 10; round++) {
      const agent = await rig.startAgent();
      await agent.drawn();
      const before = rig.logged.length;
      // The agent is killed between just before the paste and some time after it, depending on the machine.
      const sly = acting(() => setTimeout(() => process.kill(agent.pane.panePid, 'SIGKILL'), round * 2));
      const { verdict } = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
      if (verdict === 'typed') expect(rig.logged.slice(before)).toContain('enter pressed');
      expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(server);
    }
  });

  it('gets no further keys if it died from the paste', async () => {
    await rig.terminal.connect();
    const server = rig.tmux('display-message', '-p', '#{pid}');
    for (let round = 0; round < 5; round++) {
      const agent = await rig.startAgent({ dieOnPaste: true });
      await agent.drawn();
      expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello'))).toMatchObject({
        verdict: 'unconfirmed',
        detail: expect.stringContaining('the pane ended'),
      });
      expect(agent.received().toString()).toContain('hello');
      expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(server);
    }
  });
});
