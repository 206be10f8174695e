import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScreenReader } from '../../../../src/app/ports/terminal.ts';
import { createRig, type RawAgent, type Rig, reader, until } from '../rig.ts';

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

/** Returns a screen reader that calls `act` a single time, between Baton's last look at the screen and the paste. */
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

describe('[T9] cases in which Terminal.deliver types nothing', () => {
  it('[F19] Baton types nothing into an open dialog', async () => {
    const agent = await rig.startAgent({ dialog: 'start' });
    await agent.drawn();
    await expectRefusal(agent, 'dialog', 60_000);
    expect(agent.approvals()).toBe(0);
  });

  it('[F15] Baton types nothing if the composer contains a draft', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('send-keys', '-t', agent.pane.paneId, '-l', 'half a thou');
    await until('the draft', () => agent.received().length === 11);
    await expectRefusal(agent, 'draft', 60_000);
    expect((await rig.terminal.capture(agent.pane))?.lines.join('\n')).toContain('half a thou');
  });

  it('[F20] Baton types nothing into a working agent', async () => {
    const agent = await rig.startAgent({ busy: true });
    await agent.drawn();
    await expectRefusal(agent, 'busy');
  });

  it('[F20] Baton types nothing while there is no evidence that the agent is idle', async () => {
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

  it('if the client became idle just before the deadline of a delivery, Baton types the text shortly after the deadline', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const moment = { reason: 'busy', detail: 'the client became idle only a moment ago', forMs: 1 } as const;
    let asked = 0;
    const whyNotAtRest = async () => (++asked < 3 ? moment : undefined);
    const late = rig.prompt('hello', { waitReadyMs: 0, whyNotAtRest });
    expect(await rig.terminal.deliver(agent.pane, late)).toMatchObject({ verdict: 'typed' });
    const { forMs: _, ...working } = moment;
    const busy = rig.prompt('hello', { waitReadyMs: 0, whyNotAtRest: async () => working });
    expect(await rig.terminal.deliver(agent.pane, busy)).toMatchObject({ verdict: 'refused' });
  });

  it('Baton types a text only after the client has shown its composer', async () => {
    const startWhen = join(rig.dir, 'start');
    const agent = await rig.startAgent({ startWhen });
    await expectRefusal(agent, 'starting', 100);
    let looks = 0;
    const waiting: ScreenReader = {
      ...reader,
      readScreen: (screen) => {
        // Let the agent show its composer only after Baton has seen that the agent is still starting.
        if (++looks === 3) writeFileSync(startWhen, '');
        return reader.readScreen(screen);
      },
    };
    const delivery = rig.prompt('hello', { reader: waiting });
    expect(await rig.terminal.deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 1 });
  });

  it('[F13] Baton types nothing while the pane is in copy mode', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('copy-mode', '-t', agent.pane.paneId);
    await expectRefusal(agent, 'copy_mode');
    expect(rig.tmux('display-message', '-p', '-t', agent.pane.paneId, '#{pane_in_mode}')).toBe('1');
  });

  it("[F13] Baton types nothing if copy mode begins between Baton's last look at the screen and the paste", async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const sly = acting(() => rig.tmux('copy-mode', '-t', agent.pane.paneId));
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
    expect(outcome).toEqual({ verdict: 'refused', reason: 'copy_mode', detail: 'the pane is in copy mode' });
    expect(agent.received()).toHaveLength(0);
    expect(rig.tmux('list-buffers')).toBe('');
  });

  it("Baton types nothing into a dialog that opens between Baton's last look at the screen and the paste", async () => {
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

  it('[F14] Baton types nothing when another process is in the foreground of the terminal', async () => {
    // Start the agent below a bash with job control. Such a bash puts its child process into the foreground, in a
    // process group of its own, so the process of the pane is in the background.
    const behindShell = (argv: string[]) => ['bash', '--norc', '-mc', '"$@"; true', 'bash', ...argv];
    const agent = await rig.startAgent({}, rig.terminal, behindShell);
    await agent.drawn();
    await expectRefusal(agent, 'agent_gone');
  });

  it("[F14] Baton types nothing if another process runs in the agent's pane", async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('respawn-pane', '-k', '-t', agent.pane.paneId, 'cat', '-');
    await expectRefusal(agent, 'agent_gone');
    expect(await rig.terminal.capture({ ...agent.pane })).toBeUndefined();
  });

  it('[F12] Baton types nothing into a dead pane', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('set-option', '-p', '-t', agent.pane.paneId, 'remain-on-exit', 'on');
    process.kill(agent.pane.panePid, 'SIGKILL');
    await until('death', async () => (await rig.terminal.list()).panes[0]?.dead);
    await expectRefusal(agent, 'agent_gone');
    expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(String(agent.pane.serverPid));
  });

  it("[F12] Baton types nothing into a pane that dies between Baton's last look at the screen and the paste", async () => {
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

  it('Baton types nothing into a pane that is gone', async () => {
    const agent = await rig.startAgent();
    rig.tmux('kill-pane', '-t', agent.pane.paneId);
    await expectRefusal(agent, 'pane_gone');
  });

  it("[F10] after a restart of the tmux server, Baton types nothing into a new pane that has the agent's old pane id", async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    rig.tmux('kill-server');
    await expectRefusal(agent, 'wrong_server');
    const stranger = await rig.startAgent();
    await stranger.drawn();
    expect(stranger.pane.paneId).toBe(agent.pane.paneId);
    await expectRefusal(agent, 'wrong_server');
    await rig.terminal.end(agent.pane);
    // Send a key as a marker. If Baton had sent a text by mistake, the text would arrive before this key.
    rig.tmux('send-keys', '-t', stranger.pane.paneId, '-l', 'z');
    await until('our own key', () => stranger.received().includes('z'));
    expect(stranger.received().toString()).toBe('z');
    expect((await rig.terminal.list()).panes).toHaveLength(1);
  });
});

describe('[F11] a pane that dies shortly before or after the paste', () => {
  it('the tmux server does not crash if a pane dies shortly before or after a paste', async () => {
    await rig.terminal.connect();
    const server = rig.tmux('display-message', '-p', '#{pid}');
    for (let round = 0; round < 10; round++) {
      const agent = await rig.startAgent();
      await agent.drawn();
      const before = rig.logged.length;
      // Make the delay longer in each round, so that the agent is killed at different moments around the paste.
      const sly = acting(() => setTimeout(() => process.kill(agent.pane.panePid, 'SIGKILL'), round * 2));
      const { verdict } = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
      if (verdict === 'typed') expect(rig.logged.slice(before)).toContain('enter pressed');
      expect(rig.tmux('display-message', '-p', '#{pid}')).toBe(server);
    }
  });

  it("if a program exits because of the paste, Baton sends no further keys to the program's pane", async () => {
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
