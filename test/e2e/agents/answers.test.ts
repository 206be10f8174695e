import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageVerdict } from '../../../src/contract/requests.ts';
import type { Agent, Event, InboxItem, Question } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Compares Baton's verdict on an answer to an agent's question with the answer that the practice agent logged. */

const baton = new BatonProcess();
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const MENU = '[[practice:menu Which colour? | Red | Blue]]';
const agentWith = (behaviour: object = {}) => baton.agent({ persona: false, behaviour });
const tmux = (...args: string[]) => run('tmux', ['-S', join(baton.home, 'tmux.sock'), ...args]);
const cli = (...words: string[]) =>
  run(process.execPath, [PROGRAM, ...words], { ...process.env, BATON_HOME: baton.home });
const answer = async (agent: Agent, body: object) =>
  (await baton.call<MessageVerdict>('POST', `/api/agents/${agent.id}/answer`, body)).body;
const given = (agent: Agent) => baton.evidence(agent.id).filter(({ type }) => type === 'dialog_answered');
const bytesTo = (agent: Agent) =>
  baton
    .evidence(agent.id)
    .filter(({ type }) => type === 'bytes')
    .map(({ hex }) => hex)
    .join('');

async function when(agent: Agent, fits: (agent: Agent) => boolean): Promise<Agent> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(25)) {
    const now = await baton.get<Agent>(`/api/agents/${agent.id}`);
    if (fits(now)) return now;
  }
  throw new Error(`agent ${agent.id} never came to that`);
}

async function asks(agent: Agent, prompt: string): Promise<Question> {
  await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: prompt });
  return (await when(agent, ({ question }) => question !== null)).question as Question;
}

describe('answers to a question on the screen', () => {
  it('[T9] for an answer, Baton presses the digit of the chosen option and nothing else', async () => {
    const agent = await agentWith();
    const question = await asks(agent, '[[practice:dialog rm -rf build]]');
    expect(question).toMatchObject({
      text: 'rm -rf build\nDo you want to proceed?',
      options: [
        { number: 1, label: 'Yes' },
        { number: 2, label: 'No' },
      ],
      takes_text: false,
    });
    const before = bytesTo(agent);
    expect(await answer(agent, { question: question.id, choice: 2 })).toMatchObject({
      verdict: 'accepted',
      sentence: `The answer has reached agent ${agent.id}.`,
    });
    expect(bytesTo(agent).slice(before.length)).toBe('32');
    expect(given(agent)).toMatchObject([{ answer: 'no', by: 'key' }]);
    expect((await when(agent, ({ state }) => state === 'idle')).question).toBeNull();
  });

  it('[T7] control characters are removed from a free-text answer before it is typed', async () => {
    const agent = await agentWith();
    const question = await asks(agent, MENU);
    expect(question).toMatchObject({ takes_text: true, options: { length: 2 } });
    const text = '/not a command; $HOME `x` ünïcödé 日本';
    const attack = `${text}\u001b[201~\u0003`;
    expect(await answer(agent, { question: question.id, text: attack })).toMatchObject({ verdict: 'accepted' });
    expect(given(agent)).toMatchObject([{ answer: `${text}[201~`, by: 'enter' }]);
  });

  it("the operator can answer an agent's question on the command line during a handoff", async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'dialog' } });
    await baton.call('POST', `/api/agents/${agent.id}/handoff`, { reason: 'shift_end' });
    await when(agent, ({ question }) => question !== null);
    const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
    const item = items.find(({ kind, agent_id }) => kind === 'question' && agent_id === agent.id);
    expect(item?.hint).toContain(`baton agent answer ${agent.id} --choice N`);
    const shown = await cli('agent', 'answer', String(agent.id));
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('1. Yes') });
    expect(await cli('agent', 'answer', String(agent.id), '--choice', '1')).toMatchObject({ code: 0 });
    const now = await baton.get<Agent>(`/api/agents/${agent.id}`);
    const run = await baton.over(Number(now.run_id ?? item?.run_id));
    expect(run.step).toBe('completed');
  });
});

describe('[T9] refused answers', () => {
  const refuses = async (agent: Agent, body: object, reason: string, says: string): Promise<void> => {
    const before = bytesTo(agent);
    const told = await answer(agent, body);
    expect(told).toMatchObject({ verdict: 'refused', reason, sentence: expect.stringContaining(says) });
    expect(told.sentence).toContain(`Baton did not enter the answer for agent ${agent.id}`);
    expect(bytesTo(agent)).toBe(before);
    expect(given(agent)).toEqual([]);
  };

  it('an answer is refused if the screen now shows a different question', async () => {
    // Let reconcile run so rarely that Baton still does not know the new question when it gets the answer to the old
    // question.
    const slow = await new BatonProcess({ reconcile_every_ms: 5000 }).start();
    try {
      const agent = await slow.agent({ persona: false, behaviour: { signalDialog: 'rm -rf /' } });
      await slow.call('POST', `/api/agents/${agent.id}/messages`, { text: '[[practice:dialog ls]]' });
      let question: Question | null = null;
      while (question === null) question = (await slow.get<Agent>(`/api/agents/${agent.id}`)).question;
      const socket = ['-S', join(slow.home, 'tmux.sock')];
      const { stdout } = await run('tmux', [
        ...socket,
        'display-message',
        '-p',
        '-t',
        agent.tmux.pane ?? '',
        '#{pane_pid}',
      ]);
      process.kill(Number(stdout), 'SIGUSR2');
      const seen = async () =>
        (await run('tmux', [...socket, 'capture-pane', '-p', '-t', agent.tmux.pane ?? ''])).stdout;
      while (!(await seen()).includes('rm -rf /')) await pause(10);
      const told = await slow.call('POST', `/api/agents/${agent.id}/answer`, { question: question.id, choice: 1 });
      expect(told.body).toMatchObject({ verdict: 'refused', reason: 'other_question' });
      expect(String(told.body.sentence)).toContain('the agent shows another question now');
      expect(slow.evidence(agent.id).filter(({ type }) => type === 'dialog_answered')).toEqual([]);
    } finally {
      await slow.cleanUp();
    }
  });

  it('[F13] an answer is refused if the pane is in copy mode', async () => {
    const agent = await agentWith();
    const question = await asks(agent, MENU);
    await tmux('copy-mode', '-t', agent.tmux.pane ?? '');
    await refuses(agent, { question: question.id, choice: 1 }, 'copy_mode', 'Leave copy mode');
  });

  it('an answer is refused if the option is unknown or the agent asks nothing', async () => {
    const agent = await agentWith();
    const question = await asks(agent, '[[practice:dialog ls]]');
    await refuses(agent, { question: question.id, choice: 7 }, 'no_such_option', 'no option 7');
    await refuses(agent, { question: question.id, text: 'hello' }, 'no_such_option', 'does not take text');
    await refuses(agent, { question: 'f'.repeat(32), choice: 1 }, 'other_question', 'another question');
    const quiet = await agentWith();
    await refuses(quiet, { question: question.id, choice: 1 }, 'not_asked', 'the agent asks nothing');
    expect(await cli('agent', 'answer', String(quiet.id))).toMatchObject({ code: 1 });
  });

  it.each([{}, { choice: 1, text: 'x' }, { text: 'two\nlines' }, { text: ' ' }])(
    'a malformed answer is refused: %j',
    async (body) => {
      const agent = await baton.call('POST', '/api/agents/1/answer', { question: 'x', ...body });
      expect([agent.status, agent.body.code]).toEqual([400, 'bad_request']);
    },
  );
});

describe('answers after Baton was killed', () => {
  it.each([
    ['answer:begun', 0],
    [':answer pressed', 1],
    ['answer:given', 1],
  ])('if Baton is killed at %s while answering, the restarted Baton presses no key', async (point, presses) => {
    const other = new BatonProcess();
    await other.start({ BATON_CRASH_AT: `${point}#1` });
    try {
      const agent = await other.agent({ persona: false });
      await other.call('POST', `/api/agents/${agent.id}/messages`, { text: MENU });
      let question: Question | null = null;
      while (question === null) question = (await other.get<Agent>(`/api/agents/${agent.id}`)).question;
      const body = { question: question.id, choice: 1 };
      await other.call('POST', `/api/agents/${agent.id}/answer`, body).catch(() => undefined);
      expect(await other.ended()).toBe('SIGKILL');
      await other.start();
      const told: Event = await other.event(({ type }) => type === 'answer_verdict');
      expect(told.data).toMatchObject({ verdict: 'unconfirmed', reason: 'unknown' });
      expect(told.data.sentence).toContain("Check the agent's terminal before you answer again");
      const answered = other.evidence(agent.id).filter(({ type }) => type === 'dialog_answered');
      expect(answered).toHaveLength(presses);
    } finally {
      await other.cleanUp();
    }
  });
});
