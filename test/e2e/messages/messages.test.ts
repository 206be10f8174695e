import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageVerdict } from '../../../src/contract/requests.ts';
import type { Agent, Event } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Compares the verdict of `baton agent send` with the messages that the practice agent logged. */

const baton = new BatonProcess({ message_receipt_seconds: 30 });
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const EVERY_HOOK_BUT_THE_FIRST = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop'];

const agentWith = (behaviour: object = {}) => baton.agent({ persona: false, behaviour });
const tmux = (...args: string[]) => run('tmux', ['-S', join(baton.home, 'tmux.sock'), ...args]);
const keys = (agent: Agent, ...args: string[]) => tmux('send-keys', '-t', agent.tmux.pane ?? '', ...args);
const paneSays = async (agent: Agent, text: string): Promise<void> => {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if ((await tmux('capture-pane', '-p', '-t', agent.tmux.pane ?? '')).stdout.includes(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the pane never said ${text}`);
};
const send = async (agent: Agent, text: string) =>
  (await baton.call<MessageVerdict>('POST', `/api/agents/${agent.id}/messages`, { text })).body;
const bytesTo = (agent: Agent) =>
  baton
    .evidence(agent.id)
    .filter(({ type }) => type === 'bytes')
    .map(({ hex }) => hex)
    .join('');
const verdictEvent = (agent: Agent, verdict: string) =>
  baton.event(
    ({ type, agent_id, data }) => type === 'message_verdict' && agent_id === agent.id && data.verdict === verdict,
  );

describe('accepted messages to a real agent', () => {
  it('a message is accepted when the client has submitted exactly the text of the message', async () => {
    const agent = await agentWith();
    const text = 'Do this:\n  "quotes"; $HOME `x`\nünïcödé 日本 🙂';
    const told = await run(process.execPath, [PROGRAM, 'agent', 'send', String(agent.id), text], {
      ...process.env,
      BATON_HOME: baton.home,
    });
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining(`Agent ${agent.id} has the message.`) });
    const got = baton.evidence(agent.id).filter(({ type }) => type === 'submitted');
    expect(got.map((entry) => entry.text)).toEqual([text]);
    const log = (await baton.get<{ events: Event[] }>('/api/events')).events.filter((e) => e.agent_id === agent.id);
    const { ref } = log.find(({ type }) => type === 'message_begun')?.data ?? {};
    expect(log.find(({ type }) => type === 'message_verdict')?.data).toMatchObject({ ref, verdict: 'accepted' });
  });

  it('a message is accepted if the transcript contains its text, even if every hook is lost', async () => {
    const agent = await agentWith({ dropHooks: EVERY_HOOK_BUT_THE_FIRST });
    expect(await send(agent, 'hello')).toMatchObject({ verdict: 'accepted' });
    expect(baton.accepted(agent.id, 'hello')).toBe(1);
  });

  it('a message is accepted if the hooks report its turn, even without a transcript', async () => {
    const agent = await agentWith({ noTranscript: true });
    expect(await send(agent, 'hello')).toMatchObject({ verdict: 'accepted' });
  });

  it('if the operator sends the same text twice, both messages are accepted', async () => {
    const agent = await agentWith();
    expect(await send(agent, 'again')).toMatchObject({ verdict: 'accepted' });
    expect(await send(agent, 'again')).toMatchObject({ verdict: 'accepted' });
    await expect.poll(() => baton.accepted(agent.id, 'again')).toBe(2);
  });

  it('if two messages are sent at the same time, the agent gets exactly the messages that Baton reports as accepted', async () => {
    const agent = await agentWith();
    const both = await Promise.all(['first', 'second'].map((text) => send(agent, text)));
    expect(both.map(({ verdict }) => verdict)).toContain('accepted');
    for (const [at, text] of ['first', 'second'].entries())
      await expect.poll(() => baton.accepted(agent.id, text)).toBe(both[at]?.verdict === 'accepted' ? 1 : 0);
  });
});

describe('refused messages to a real agent', () => {
  const refuses = async (agent: Agent, reason: string, says: string): Promise<void> => {
    const before = bytesTo(agent);
    const answer = await send(agent, 'hello');
    expect(answer).toMatchObject({ verdict: 'refused', reason, sentence: expect.stringContaining(says) });
    expect(answer.sentence).toContain(`Nothing was typed to agent ${agent.id}`);
    expect(bytesTo(agent)).toBe(before);
  };

  it('a message is refused if a dialog is open', async () => {
    const agent = await agentWith();
    await send(agent, '[[practice:dialog rm -rf build]]');
    await paneSays(agent, 'Do you want to proceed?');
    await refuses(agent, 'dialog', 'Answer the question');
  });

  it('[F15] a message is refused if the composer has a draft', async () => {
    const agent = await agentWith();
    await keys(agent, '-l', 'half a thought');
    await paneSays(agent, 'half a thought');
    await refuses(agent, 'draft', 'Send or delete that text');
  });

  it('[F13] a message is refused if the pane is in copy mode', async () => {
    const agent = await agentWith();
    await tmux('copy-mode', '-t', agent.tmux.pane ?? '');
    await refuses(agent, 'copy_mode', 'Leave copy mode');
  });

  it('a message is refused if a shell runs in the pane', async () => {
    const agent = await agentWith({ exit: 'shell' });
    await keys(agent, '-l', '/exit');
    await keys(agent, 'Enter');
    const inFront = () => tmux('display-message', '-p', '-t', agent.tmux.pane ?? '', '#{pane_current_command}');
    await expect.poll(async () => (await inFront()).stdout.trim()).toBe('sh');
    await baton.event(({ type, agent_id }) => type === 'session_ended' && agent_id === agent.id);
    await refuses(agent, 'agent_gone', `baton agent why ${agent.id}`);
  });

  it.each(['/clear', '!touch x', '#x', '@x'])(
    'a message is refused when its text is a command of the client: %s',
    async (text) => {
      const agent = await agentWith();
      expect(await send(agent, text)).toMatchObject({ verdict: 'refused', reason: 'command' });
      expect(bytesTo(agent)).toBe('');
    },
  );

  it('a message is refused when the agent is dead', async () => {
    const agent = await agentWith();
    await tmux('kill-pane', '-t', agent.tmux.pane ?? '');
    await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === agent.id);
    expect(await send(agent, 'hello')).toMatchObject({ error: 'Agent is not active' });
  });
});

describe('unconfirmed messages to a real agent', () => {
  beforeAll(async () => void (await baton.restart({ message_receipt_seconds: 2 })));

  it("[F54] if one of the user's own hooks blocks a message, the message stays unconfirmed", async () => {
    const agent = await agentWith({ blockPrompts: 'forbidden' });
    const told = await run(process.execPath, [PROGRAM, 'agent', 'send', String(agent.id), 'forbidden', '--json'], {
      ...process.env,
      BATON_HOME: baton.home,
    });
    expect(told.code).toBe(4);
    expect(JSON.parse(told.stdout)).toMatchObject({ verdict: 'unconfirmed', reason: 'submitted' });
    expect(baton.accepted(agent.id, 'forbidden')).toBe(0);
    // The hook blocked the text, and the client put the text back into the composer. Baton must not press Enter a
    // second time: the hook would block the text a second time, and the log of the agent would contain a second entry.
    expect(baton.evidence(agent.id).filter(({ type }) => type === 'blocked')).toHaveLength(1);
  });

  it('a message stays unconfirmed without a hook and without a transcript', async () => {
    const agent = await agentWith({ dropHooks: EVERY_HOOK_BUT_THE_FIRST, noTranscript: true });
    expect(await send(agent, 'hello')).toMatchObject({ verdict: 'unconfirmed', reason: 'typed' });
  });

  it('a message stays unconfirmed until a late confirmation arrives', async () => {
    const agent = await agentWith({ acceptDelayMs: 10_000 });
    expect(await send(agent, 'hello')).toMatchObject({ verdict: 'unconfirmed', reason: 'typed' });
    expect((await verdictEvent(agent, 'accepted')).data).toMatchObject({ reason: 'late' });
    expect(baton.accepted(agent.id, 'hello')).toBe(1);
  });
});

describe('messages after kill -9', () => {
  beforeAll(async () => void (await baton.restart({ message_receipt_seconds: 10 })));

  it.each([
    { point: 'message:begun', typed: 0, verdict: 'unconfirmed' },
    { point: 'message:typed', typed: 1, verdict: 'accepted' },
    { point: 'message:reported', typed: 1, verdict: 'accepted' },
  ])(
    'if Baton is killed at $point, the next Baton does not type the message again',
    async ({ point, typed, verdict }) => {
      const agent = await agentWith();
      await baton.kill();
      await baton.start({ BATON_CRASH_AT: point });
      await expect(send(agent, `sent at ${point}`)).rejects.toThrow();
      expect(await baton.ended()).toBe('SIGKILL');
      await baton.start();
      await verdictEvent(agent, verdict);
      expect(await send(agent, 'and on')).toMatchObject({ verdict: 'accepted' });
      expect(baton.accepted(agent.id, `sent at ${point}`)).toBe(typed);
    },
  );
});
