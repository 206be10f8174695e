import { describe, expect, it } from 'vitest';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { createEngine } from '../../../src/app/engine/engine.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { sendMessage, settleAbandonedMessages } from '../../../src/app/messages/send-message.ts';
import type { Delivery } from '../../../src/app/ports/terminal.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { SimWorld } from '../engine/sim-world.ts';

/**
 * Tests the verdict on a sent message. The verdict depends on a hook and on a line of the transcript. Baton recognizes
 * the hook and the line by the text of the message alone.
 */

interface Scene {
  readonly sim: SimWorld;
  readonly agent: Agent;
}

async function scene(over: Partial<Agent> = {}): Promise<Scene> {
  const sim = new SimWorld();
  return { sim, agent: await sim.addAgent(over) };
}

const send = ({ sim, agent }: Scene, text = 'do it') => sendMessage(sim.ports, agent.id, text);

/** Makes the client send the given hooks right after Baton has pressed Enter. */
function tells({ sim, agent }: Scene, ...hooks: [event: string, payload: object][]): void {
  const deliver = sim.ports.terminal.deliver;
  Object.assign(sim.ports.terminal, {
    deliver: async (...args: Parameters<typeof deliver>) => {
      const outcome = await deliver(...args);
      for (const [event, payload] of hooks) sim.hook(agent, event, payload);
      await drainSpool(sim.ports);
      return outcome;
    },
  });
}

const submit = (prompt: string, prompt_id = 'p'): [string, object] => ['UserPromptSubmit', { prompt, prompt_id }];
const stop = (prompt_id = 'p'): [string, object] => ['Stop', { prompt_id }];
const verdicts = ({ sim }: Scene) => sim.notices('message_verdict').map(({ verdict, reason }) => [verdict, reason]);

describe('a crash between paste and Enter of a message', () => {
  const leftBehind = async (sentMinutesAgo: number) => {
    const on = await scene();
    const { sim } = on;
    const checkpoint = (name: string) => {
      if (name === 'message:typed') throw new Error('killed');
    };
    Object.assign(sim.ports, { checkpoint });
    await expect(send(on, 'the text of a message')).rejects.toThrow('killed');
    Object.assign(sim.ports, { checkpoint: () => undefined });
    sim.pass(sentMinutesAgo * 60_000);
    sim.typed.length = 0;
    const next = { ...sim.ports, settings: { ...sim.ports.settings, instance: 'the next one' } };
    const asked: Delivery[] = [];
    Object.assign(sim.ports.terminal, {
      deliver: async (_pane: unknown, delivery: Delivery) => {
        asked.push(delivery);
        return { verdict: 'typed', enters: 1 };
      },
    });
    await settleAbandonedMessages(next);
    return { asked, ref: sim.agent(1).messages[0]?.ref, message: sim.agent(1).messages[0] };
  };

  it('[X-3] if Baton crashed between the paste and the Enter of a message, the next Baton only presses Enter', async () => {
    const { asked, ref, message } = await leftBehind(1);
    expect(asked).toMatchObject([{ id: ref, text: 'the text of a message', kind: 'prompt' }]);
    expect(asked[0]?.stillWanted?.()).toBe(false);
    expect(message?.typing).toEqual({ verdict: 'typed', enters: 1 });
  });

  it('[X-3] if Baton crashed more than ten minutes ago, between the paste and the Enter of a message, the next Baton does not submit the message', async () => {
    const { asked, message } = await leftBehind(11);
    expect(asked).toEqual([]);
    expect(message?.verdict).toMatchObject({ verdict: 'unconfirmed' });
  });
});

describe('accepted messages', () => {
  it.each<[string, [string, object]]>([
    ['a tool', ['PreToolUse', { prompt_id: 'p', tool_name: 'Read' }]],
    ['a question', ['PermissionRequest', { prompt_id: 'p', tool_name: 'Bash' }]],
    ['the end of the turn', stop()],
    ['a failed turn', ['StopFailure', { prompt_id: 'p' }]],
  ])('a message is accepted if hooks report its text and later report %s of the same turn', async (_what, later) => {
    const on = await scene();
    tells(on, submit('do it'), later);
    expect(await send(on)).toMatchObject({ verdict: 'accepted', sentence: 'Agent 1 has the message.' });
    expect(verdicts(on)).toEqual([['accepted', null]]);
    // Baton must have typed the text exactly as the operator wrote it.
    expect(on.sim.typed.map(({ text }) => text)).toEqual(['do it']);
    expect(on.sim.agent(1).lastPrompt).toBe('do it');
  });

  it('a message is accepted if the transcript contains it, even when every hook is lost', async () => {
    const on = await scene();
    on.sim.beforePaste = async () => void on.sim.prompts.push('do it');
    expect(await send(on)).toMatchObject({ verdict: 'accepted' });
  });

  it('a message is accepted even if the client changes the whitespace of the text', async () => {
    const on = await scene();
    tells(on, submit('do\n    it  now'), stop());
    expect(await send(on, 'do\r\n\tit \u202enow\u0007\n')).toMatchObject({ verdict: 'accepted' });
  });

  it('for a client without a transcript, a message is accepted when another event follows the hook that reports the message', async () => {
    const on = await scene({ transcriptPath: null });
    tells(on, ['UserPromptSubmit', { prompt: 'do it' }], ['Stop', {}]);
    expect(await send(on)).toMatchObject({ verdict: 'accepted' });
  });
});

describe('unconfirmed messages', () => {
  it('a message is unconfirmed if only its prompt hook arrived, because another hook may have blocked the prompt', async () => {
    const on = await scene();
    tells(on, submit('do it'));
    const answer = await send(on);
    expect(answer).toMatchObject({ verdict: 'unconfirmed', reason: 'submitted' });
    expect(answer).toHaveProperty('sentence', expect.stringMatching(/submitted to agent 1.*baton agent attach 1$/));
    expect(verdicts(on)).toEqual([['unconfirmed', 'submitted']]);
  });

  it('a message is unconfirmed if its prompt hook is followed only by the end of another turn', async () => {
    const on = await scene();
    tells(on, submit('do it'), stop('old'));
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed', reason: 'submitted' });
  });

  it.each<[string, [string, object][]]>([
    ['no hook arrived', []],
    ['only hooks of other prompts arrived', [submit('do it not'), stop()]],
    ['only another turn ended', [stop('old')]],
  ])('a message is unconfirmed when %s', async (_what, hooks) => {
    const on = await scene();
    on.sim.prompts.push('do it');
    tells(on, ...hooks);
    const before = on.sim.monotonic;
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed', reason: 'typed' });
    expect(on.sim.monotonic - before).toBeGreaterThanOrEqual(8_000);
  });

  it('a message that the client queued during a turn stays unconfirmed until the transcript contains the message', async () => {
    const on = await scene({ state: 'working', turnPromptId: 'p' });
    // Let the client report the queued message with the id of the turn that is still running.
    tells(on, submit('do it'), ['PreToolUse', { prompt_id: 'p', tool_name: 'Read' }], stop());
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed', reason: 'submitted' });
    on.sim.prompts.push('do it');
    await createReconciler(on.sim.ports, createHealth(on.sim.ports)).look();
    expect(verdicts(on).at(-1)).toEqual(['accepted', 'late']);
  });

  it('when the agent is gone, a message becomes unconfirmed immediately', async () => {
    const on = await scene();
    const gone = { type: 'agent_process_gone', agentId: 1, detail: 'gone' } as const;
    on.sim.beforePaste = () => on.sim.record(gone);
    const before = on.sim.monotonic;
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed', reason: 'typed' });
    expect(on.sim.monotonic).toBe(before);
  });

  it("the report about an unconfirmed message quotes the agent's screen", async () => {
    const on = await scene();
    on.sim.outcome = { verdict: 'unconfirmed', detail: 'then a dialog opened' };
    expect(await send(on)).toHaveProperty('sentence', expect.stringContaining('then a dialog opened'));
  });

  it('an unconfirmed message becomes accepted when a late confirmation arrives', async () => {
    const on = await scene();
    await send(on);
    on.sim.hook(on.agent, ...submit('do it'));
    on.sim.hook(on.agent, ...stop());
    await drainSpool(on.sim.ports);
    expect(verdicts(on)).toEqual([
      ['unconfirmed', 'typed'],
      ['accepted', 'late'],
    ]);
    expect(on.sim.typed).toHaveLength(1);
  });

  it('a blocked message becomes accepted when the operator submits the same text again', async () => {
    const on = await scene({ transcriptPath: null });
    tells(on, submit('do it', 'blocked'));
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed', reason: 'submitted' });
    on.sim.hook(on.agent, ...submit('do it', 'let through'));
    on.sim.hook(on.agent, ...stop('let through'));
    await drainSpool(on.sim.ports);
    expect(verdicts(on).at(-1)).toEqual(['accepted', 'late']);
  });

  it('a hook with the same text no longer confirms a message that was sent ten minutes ago', async () => {
    const on = await scene();
    await send(on);
    on.sim.pass(10 * 60_000);
    on.sim.hook(on.agent, ...submit('do it'));
    on.sim.hook(on.agent, ...stop());
    await drainSpool(on.sim.ports);
    expect(verdicts(on)).toEqual([['unconfirmed', 'typed']]);
  });
});

describe('a text that is sent twice', () => {
  it('two messages with the same text need two confirmations', async () => {
    const on = await scene();
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed' });
    tells(on, submit('do it'), stop());
    on.sim.beforePaste = async () => void on.sim.prompts.push('do it');
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed' });
    // Both messages have the same text. The first hook and the first transcript line must confirm only the first
    // message, and the next transcript line must confirm the second message.
    expect(verdicts(on)).toContainEqual(['accepted', 'late']);
    on.sim.prompts.push('do it');
    await createReconciler(on.sim.ports, createHealth(on.sim.ports)).look();
    expect(verdicts(on).filter(([verdict]) => verdict === 'accepted')).toHaveLength(2);
  });

  it('one confirmation does not confirm two messages with the same text', async () => {
    const on = await scene();
    const line = async () => void on.sim.prompts.push('do it');
    on.sim.beforePaste = line;
    expect(await send(on)).toMatchObject({ verdict: 'accepted' });
    on.sim.beforePaste = async () => undefined;
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed' });
  });

  it('after a blocked message, a second message with the same text can still be accepted', async () => {
    const on = await scene();
    tells(on, submit('do it', 'blocked'));
    expect(await send(on)).toMatchObject({ verdict: 'unconfirmed', reason: 'submitted' });
    const again = { sim: on.sim, agent: on.agent };
    tells(again, submit('do it', 'p2'), stop('p2'));
    expect(await send(again)).toMatchObject({ verdict: 'accepted' });
  });
});

describe('refused messages', () => {
  it.each([
    ['dialog', 'Answer the question'],
    ['draft', 'Send or delete that text'],
    ['copy_mode', 'Leave copy mode'],
    ['busy', 'when the agent is idle'],
    ['pane_gone', 'baton agent why 1'],
  ] as const)('if a message is refused for the reason "%s", Baton says what to do next', async (reason, hint) => {
    const on = await scene();
    on.sim.outcome = { verdict: 'refused', reason, detail: 'so it is' };
    const answer = await send(on);
    expect(answer).toMatchObject({ verdict: 'refused', reason });
    expect(answer).toHaveProperty('sentence', expect.stringContaining('Nothing was typed to agent 1: so it is. '));
    expect(answer).toHaveProperty('sentence', expect.stringContaining(hint));
    expect(verdicts(on)).toEqual([['refused', reason]]);
  });

  it.each(['/exit', '!rm -rf x', '  /clear', '# remember', '@file', '\u200b/exit', '\u001b/exit'])(
    'a message is refused when the client would read it as a command: %j',
    async (text) => {
      const on = await scene();
      expect(await send(on, text)).toMatchObject({ verdict: 'refused', reason: 'command' });
      expect(on.sim.typed).toEqual([]);
      expect(verdicts(on)).toEqual([['refused', 'command']]);
    },
  );

  it('a message is refused if tmux does not answer', async () => {
    const on = await scene();
    Object.assign(on.sim.ports.terminal, { deliver: () => Promise.reject(new Error('tmux hangs')) });
    expect(await send(on)).toMatchObject({ verdict: 'refused', reason: 'terminal_unavailable' });
  });

  it('a message is refused while another message to the same agent is in progress', async () => {
    const on = await scene();
    tells(on, submit('one'), stop());
    const both = await Promise.all([send(on, 'one'), send(on, 'two')]);
    expect(both).toMatchObject([{ verdict: 'accepted' }, { verdict: 'refused', reason: 'busy' }]);
    expect(on.sim.typed.map(({ text }) => text)).toEqual(['one']);
    on.sim.beforePaste = async () => void on.sim.prompts.push('two');
    expect(await send(on, 'two')).toMatchObject({ verdict: 'accepted' });
  });

  it('if many messages are sent to an agent at the same time, Baton types only the first message', async () => {
    const on = await scene();
    tells(on, submit('0'), stop());
    const all = await Promise.all(Array.from({ length: 9 }, (_, at) => send(on, String(at))));
    expect(all[0]).toMatchObject({ verdict: 'accepted' });
    for (const other of all.slice(1)) expect(other).toMatchObject({ verdict: 'refused', reason: 'busy' });
  });

  it('a message is refused if a handoff begins while Baton waits for the composer', async () => {
    const on = await scene();
    on.sim.beforePaste = async () => void (await on.sim.handOver(1));
    expect(await send(on)).toMatchObject({ verdict: 'refused', reason: 'not_wanted' });
    expect(on.sim.typed).toEqual([]);
    expect(await send(on)).toMatchObject({ code: 'agent_in_handoff' });
  });
});

describe('messages after Baton was killed', () => {
  /** Starts another server process on the same store. The process that stored the messages has died. */
  async function afterDeath(on: Scene): Promise<void> {
    Object.assign(on.sim.ports.settings, { instance: 'another' });
    const engine = createEngine(on.sim.ports);
    Object.assign(on.sim.ports.clock, { after: () => () => undefined });
    await engine.start();
    await engine.stop();
  }

  /** Sends a message and abandons the work at the given checkpoint, as after kill -9. */
  async function dieAt(on: Scene, point: string): Promise<void> {
    await new Promise<void>((died) => {
      Object.assign(on.sim.ports, {
        checkpoint: (name: string) => {
          if (name !== point) return;
          died();
          throw new Error('dead');
        },
      });
      void send(on).catch(() => undefined);
    });
    Object.assign(on.sim.ports, { checkpoint: () => undefined });
  }

  it.each([
    ['message:begun', 'unknown', 0],
    ['message:typed', 'unknown', 1],
    ['message:reported', 'typed', 1],
  ])(
    'after a kill at %s, a message is reported as unconfirmed and is not typed again',
    async (point, reason, typed) => {
      const on = await scene();
      await dieAt(on, point);
      expect(verdicts(on)).toEqual([]);
      await afterDeath(on);
      expect(verdicts(on)).toEqual([['unconfirmed', reason]]);
      expect(on.sim.typed).toHaveLength(typed);
      await afterDeath(on);
      expect(verdicts(on)).toHaveLength(1);
    },
  );

  it('after a kill of Baton, a message is in the inbox until a late confirmation arrives', async () => {
    const on = await scene();
    await dieAt(on, 'message:typed');
    await afterDeath(on);
    expect(on.sim.inbox().map(({ sentence }) => sentence)).toEqual([
      `Baton was stopped while it sent a message to agent 1 ("do it"), and cannot tell whether it arrived. Check the agent's terminal before you send the message again: baton agent attach 1`,
    ]);
    on.sim.hook(on.agent, ...submit('do it'));
    on.sim.hook(on.agent, ...stop());
    await drainSpool(on.sim.ports);
    expect(verdicts(on).at(-1)).toEqual(['accepted', 'late']);
    expect(on.sim.inbox()).toEqual([]);
  });

  it('a sent message becomes unconfirmed if Baton was down for an hour', async () => {
    const on = await scene();
    await dieAt(on, 'message:typed');
    on.sim.pass(3_600_000);
    await afterDeath(on);
    expect(verdicts(on)).toEqual([['unconfirmed', 'unknown']]);
    on.sim.outcome = { verdict: 'refused', reason: 'draft', detail: 'x' };
    expect(await send(on)).toMatchObject({ verdict: 'refused', reason: 'draft' });
  });

  it('if Baton was killed just after it typed a message, the next Baton reports the message as unconfirmed, even if the agent has ended', async () => {
    const on = await scene();
    await dieAt(on, 'message:typed');
    await on.sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
    await afterDeath(on);
    expect(verdicts(on)).toEqual([['unconfirmed', 'unknown']]);
  });

  it('a message counts as accepted if a hook or the transcript reported its text while Baton was down', async () => {
    const [hooked, written] = [await scene(), await scene()];
    await dieAt(hooked, 'message:typed');
    hooked.sim.hook(hooked.agent, ...submit('do it'));
    hooked.sim.hook(hooked.agent, ...stop());
    await dieAt(written, 'message:typed');
    written.sim.prompts.push('do it');
    for (const on of [hooked, written]) {
      await afterDeath(on);
      expect(verdicts(on)).toEqual([['accepted', null]]);
      expect(on.sim.typed).toHaveLength(1);
    }
  });
});
