import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaneIdentity, ScreenReader } from '../../../../src/app/ports/terminal.ts';
import { createRig, type RawAgent, type Rig, reader, until } from '../rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = createRig();
});
afterEach(() => rig.stop());

const count = (agent: RawAgent, needle: string) => agent.received().toString().split(needle).length - 1;
const pastes = (agent: RawAgent) => count(agent, '\x1b[200~');
const enters = (agent: RawAgent) => count(agent, '\r');

/** Pastes a text without pressing Enter, as if Baton had been killed between the paste and Enter. */
async function pasteOnly(pane: PaneIdentity, id: string, text: string): Promise<void> {
  const access = rig.access(pane);
  const look = await access.look();
  expect(look.here && (await access.paste(id, look.facts.cursor, text))).toBe(true);
}

describe('[F17] Enter after a paste', () => {
  it('Baton presses Enter again if the client ignored the first Enter', async () => {
    const agent = await rig.startAgent({ swallowEnters: 2 });
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello'))).toEqual({ verdict: 'typed', enters: 3 });
    expect([pastes(agent), enters(agent)]).toEqual([1, 3]);
    expect(agent.submitted()).toEqual(['hello']);
    expect(rig.logged.filter((message) => message === 'enter pressed')).toHaveLength(3);
  });

  it('once a hook has reported the prompt, Baton does not press Enter again', async () => {
    const agent = await rig.startAgent({ swallowEnters: 99 });
    const delivery = rig.prompt('hello', { isSubmitted: () => enters(agent) > 0 });
    expect(await rig.terminal.deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 1 });
    expect(enters(agent)).toBe(1);
  });

  it('Baton presses Enter at most three times', async () => {
    const agent = await rig.startAgent({ swallowEnters: 99 });
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello'));
    expect(outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining('3 Enters') });
    expect([pastes(agent), enters(agent)]).toEqual([1, 3]);
  });

  it.each([0, 120, 400])(
    'if a client treats keys within %i ms after a paste as part of the paste, Baton presses Enter only after that time',
    async (burstMs) => {
      const agent = await rig.startAgent({ burstMs });
      const patient = { ...reader, settleMs: burstMs + 30 };
      expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: patient }))).toEqual({
        verdict: 'typed',
        enters: 1,
      });
      expect(agent.submitted()).toEqual(['hello']);
    },
  );

  it('if the client counts the first Enter as part of the paste, the text is still submitted exactly once', async () => {
    const agent = await rig.startAgent({ burstEnters: 1 });
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello'));
    expect(outcome).toEqual({ verdict: 'typed', enters: 2 });
    expect(agent.submitted()).toEqual(['hello\n']);
  });

  it('Baton presses Enter after a paste even if the screen never stops changing', async () => {
    const agent = await rig.startAgent({ clock: true });
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello'))).toEqual({ verdict: 'typed', enters: 1 });
  });
});

/** Returns an `isOurDraft` function that first opens a dialog on the agent's screen and then checks the draft. */
function openingDialog(agent: RawAgent): ScreenReader['isOurDraft'] {
  return (draft, text) => {
    process.kill(agent.pane.panePid, 'SIGUSR2');
    while (!rig.tmux('capture-pane', '-p', '-t', agent.pane.paneId).includes('DIALOG'));
    return reader.isOurDraft(draft, text);
  };
}

describe('[T9] cases in which Baton does not press Enter', () => {
  it('Baton does not press Enter if a dialog has opened after the paste', async () => {
    const agent = await rig.startAgent({ dialog: 'afterPaste' });
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello'));
    expect(outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining('dialog') });
    expect([pastes(agent), enters(agent), agent.approvals()]).toEqual([1, 0, 0]);
  });

  it('Baton does not press Enter if a dialog opens between its last look at the screen and the key press', async () => {
    const agent = await rig.startAgent();
    const opening = openingDialog(agent);
    const sly = { ...reader, settleMs: 0, isOurDraft: opening };
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: sly }));
    expect(outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining('dialog') });
    expect([pastes(agent), enters(agent), agent.approvals()]).toEqual([1, 0, 0]);
  });

  it('[F18] Baton does not press Enter again if its first Enter has opened a dialog', async () => {
    const agent = await rig.startAgent({ dialog: 'afterEnter' });
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello'))).toEqual({ verdict: 'typed', enters: 1 });
    expect([enters(agent), agent.approvals()]).toEqual([1, 0]);
  });

  it('[F18] Baton does not press Enter into a dialog that a slow client opens after the first Enter', async () => {
    const agent = await rig.startAgent({ dialog: 'afterEnter', echoDelayMs: 1500 });
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello'))).toEqual({ verdict: 'typed', enters: 1 });
    expect(agent.submitted()).toEqual(['hello']);
    expect([enters(agent), agent.approvals()]).toEqual([1, 0]);
  });

  it('[F13] Baton does not press Enter if copy mode began after the paste', async () => {
    const agent = await rig.startAgent();
    const slow = { ...reader, settleMs: 700 };
    const outcome = rig.terminal.deliver(agent.pane, rig.prompt('hello', { reader: slow }));
    await until('the paste', () => pastes(agent) === 1);
    rig.tmux('copy-mode', '-t', agent.pane.paneId);
    expect(await outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining('copy mode') });
    expect(enters(agent)).toBe(0);
    expect(rig.tmux('display-message', '-p', '-t', agent.pane.paneId, '#{pane_in_mode}')).toBe('1');
  });

  it('[F16] if the client dropped the paste, Baton does not press Enter', async () => {
    const agent = await rig.startAgent({ dropPaste: true });
    const delivery = rig.prompt('hello');
    const outcome = await rig.terminal.deliver(agent.pane, delivery);
    expect(outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining('never appeared') });
    await rig.terminal.deliver(agent.pane, delivery);
    expect([pastes(agent), enters(agent)]).toEqual([1, 0]);
  });
});

describe('a repeated or interrupted delivery', () => {
  it('a delivery that is requested twice is pasted and submitted once', async () => {
    const agent = await rig.startAgent();
    const delivery = rig.prompt('hello');
    const both = [rig.terminal.deliver(agent.pane, delivery), rig.terminal.deliver(agent.pane, delivery)];
    expect(await Promise.all(both)).toEqual([1, 0].map((presses) => ({ verdict: 'typed', enters: presses })));
    expect(await rig.makeTerminal().deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 0 });
    expect([pastes(agent), enters(agent)]).toEqual([1, 1]);
    expect(agent.submitted()).toEqual(['hello']);
  });

  it('a delivery that is requested a second time after another delivery to the same pane is not pasted again', async () => {
    const agent = await rig.startAgent();
    const [first, second] = [rig.prompt('first', { id: 'a:1.x' }), rig.prompt('second', { id: 'a:1' })];
    for (const delivery of [first, second]) {
      expect(await rig.terminal.deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 1 });
    }
    expect(await rig.terminal.deliver(agent.pane, first)).toMatchObject({ verdict: 'unconfirmed' });
    expect([pastes(agent), enters(agent)]).toEqual([2, 2]);
  });

  it('a delivery that is requested a second time is not pasted again if its id is among the latest 50 ids on the pane', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const { paneId } = agent.pane;
    const ids = Array.from({ length: 120 }, (_, index) => `${'x'.repeat(124)}-${String(index).padStart(3, '0')}`);
    // The last id is shorter than the earlier ids. When Baton shortens the list of ids to the maximum length, the
    // shortened list therefore begins in the middle of an old id.
    ids[119] = 'the-last-one';
    const before = ids.slice(0, -1).map((id) => `/${id}/`);
    rig.tmux('set-option', '-p', '-t', paneId, '@baton_delivered', before.slice(-60).join(''));
    await pasteOnly(agent.pane, ids.at(-1) as string, 'hello');
    const marks = rig.tmux('display-message', '-p', '-t', paneId, '#{@baton_delivered}');
    expect(marks).toHaveLength(50 * 130);
    expect(marks.match(/[^/]+/g)).toHaveLength(51);
    const access = rig.access(agent.pane);
    const look = await access.look();
    expect(look.here && look.facts.delivered).toEqual(ids.slice(-50));
    for (const id of [ids.at(-50), ids.at(-2), ids.at(-1)] as string[]) {
      expect(look.here && (await access.paste(id, look.facts.cursor, 'again'))).toBe(false);
    }
    expect(pastes(agent)).toBe(1);
  });

  it('[F1] after a crash between the paste and the Enter of a delivery, the next Baton only presses Enter', async () => {
    const agent = await rig.startAgent();
    await agent.drawn();
    const delivery = rig.prompt('hello');
    await pasteOnly(agent.pane, delivery.id, 'hello');
    expect(await rig.makeTerminal().deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 1 });
    expect([pastes(agent), enters(agent)]).toEqual([1, 1]);
    expect(agent.submitted()).toEqual(['hello']);
  });

  it.each([
    { dialog: 'afterPaste', detail: 'dialog' } as const,
    { draft: 'the operator typed ', detail: 'other text' } as const,
  ])(
    '[F1] after a crash, the next Baton does not press Enter if the screen shows other content: $detail',
    async ({ detail, ...options }) => {
      const agent = await rig.startAgent(options);
      await agent.drawn();
      const delivery = rig.prompt('hello');
      await pasteOnly(agent.pane, delivery.id, 'hello');
      const outcome = await rig.terminal.deliver(agent.pane, delivery);
      expect(outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining(detail) });
      expect([pastes(agent), enters(agent)]).toEqual([1, 0]);
    },
  );

  it('[F9] a delivery is unconfirmed if tmux hangs after the paste', async () => {
    const agent = await rig.startAgent();
    const hasty = rig.makeTerminal({ commandTimeoutMs: 3000 });
    const delivery = rig.prompt('hello', { reader: { ...reader, settleMs: 500 } });
    const outcome = hasty.deliver(agent.pane, delivery);
    await until('the paste', () => pastes(agent) === 1);
    process.kill(agent.pane.serverPid, 'SIGSTOP');
    try {
      expect(await outcome).toMatchObject({ verdict: 'unconfirmed', detail: expect.stringContaining('unknown') });
    } finally {
      process.kill(agent.pane.serverPid, 'SIGCONT');
    }
    expect(await hasty.deliver(agent.pane, delivery)).toMatchObject({ verdict: 'typed' });
    expect(pastes(agent)).toBe(1);
    expect(agent.submitted()).toEqual(['hello']);
  });

  it('[F9] a delivery fails with a timeout if tmux hangs before the paste', async () => {
    const agent = await rig.startAgent();
    const hasty = rig.makeTerminal({ commandTimeoutMs: 3000 });
    await hasty.connect();
    process.kill(agent.pane.serverPid, 'SIGSTOP');
    const outcome = hasty.deliver(agent.pane, rig.prompt('hello'));
    await expect(outcome.finally(() => process.kill(agent.pane.serverPid, 'SIGCONT'))).rejects.toMatchObject({
      kind: 'timeout',
    });
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('later'))).toMatchObject({ verdict: 'typed' });
    expect(agent.submitted()).toEqual(['later']);
  });
});
