import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageVerdict } from '../../../src/contract/requests.ts';
import type { Agent, Run } from '../../../src/contract/resources.ts';
import { BatonProcess, run } from '../../support/baton-process.ts';
import { until } from '../../support/operator-tmux.ts';

/** Tests the built product with practice agents that replay the behavior of real clients. */

const baton = new BatonProcess();
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const tmux = (...args: string[]) => run('tmux', ['-S', join(baton.home, 'tmux.sock'), ...args]);
const keys = (agent: Agent, ...args: string[]) => tmux('send-keys', '-t', agent.tmux.pane ?? '', ...args);
const screen = async (agent: Agent) => (await tmux('capture-pane', '-p', '-t', agent.tmux.pane ?? '')).stdout;
const send = async (agent: Agent, text: string) =>
  (await baton.call<MessageVerdict>('POST', `/api/agents/${agent.id}/messages`, { text })).body;
const handOver = async (agent: Agent, body: object = {}) =>
  (await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, body)).body.run_id;
const pastes = (agent: Agent) => baton.evidence(agent.id).filter(({ type }) => type === 'paste').length;

describe('an agent whose screen does not show that it works', () => {
  it.each([
    ['[L1] an API error that is retried', '✻ Connection dropped (ECONNRESET) · Retrying in 8s · attempt 5/10', false],
    [
      '[L1] an API error that is retried, without a client status',
      '✻ 500 Internal server error · Retrying in 3s',
      true,
    ],
    ['[L2] a spinner that does not move', '● Baking… (9s · esc to interrupt)', false],
    ['[L2] a spinner that does not move, without a client status', '● Baking… (9s · esc to interrupt)', true],
  ])(
    'if the screen of a working agent shows %s, Baton types nothing until the turn ends',
    async (_what, oddWork, noStatus) => {
      const behaviour = { oddWork, noStatus, successor: { oddWork: '', noStatus: false } };
      const { projectPath, ...agent } = await baton.agent({ behaviour });
      await send(agent, '[[practice:await go.txt]]');
      await until('its work is drawn', async () => (await screen(agent)).includes(oddWork));
      const before = pastes(agent);
      expect(await send(agent, 'hello')).toMatchObject({ verdict: 'refused' });
      const runId = await handOver(agent);
      await baton.step(runId, 'waiting_safe_point');
      // Wait until Baton has observed the agent, whose screen looks idle. Baton must call the agent unknown or working,
      // never idle.
      await until('Baton has looked', async () => {
        const { state } = await baton.get<Agent>(`/api/agents/${agent.id}`);
        expect(state).not.toBe('idle');
        return noStatus ? state === 'unknown' : state === 'working';
      });
      expect(pastes(agent)).toBe(before);
      writeFileSync(join(projectPath, 'go.txt'), '');
      expect(await baton.over(runId)).toMatchObject({ step: 'completed', acknowledged: true });
      expect(baton.accepted(agent.id, 'hello')).toBe(0);
    },
  );
});

it.each([
  ['keeps a status', false],
  ['keeps no status', true],
])(
  '[H48] if the client %s, a message that was queued during a turn is answered before the handoff instruction is typed',
  async (_client, noStatus) => {
    const behaviour = { queueGapMs: 140, noStatus, successor: { noStatus: false } };
    const { projectPath, ...agent } = await baton.agent({ behaviour });
    await send(agent, '[[practice:slow 1]] [[practice:await go.txt]]');
    await until('it works', async () => (await screen(agent)).includes('Working…'));
    await keys(agent, '-l', 'second [[practice:slow 3000]] [[practice:say done]]');
    await keys(agent, 'Enter');
    await until('it waits', async () => baton.evidence(agent.id).some(({ type }) => type === 'queued'));
    const runId = await handOver(agent);
    await baton.step(runId, 'waiting_safe_point');
    writeFileSync(join(projectPath, 'go.txt'), '');
    expect(await baton.over(runId)).toMatchObject({ step: 'completed', acknowledged: true });
    const seen = baton.evidence(agent.id);
    expect(seen.filter(({ type }) => type === 'queued')).toHaveLength(1);
    const ends = seen.findIndex(
      ({ type, prompt_id }) => type === 'turn_ended' && prompt_id === submittedAs(seen, 'second'),
    );
    const instructed = seen.findIndex(({ type, text }) => type === 'paste' && String(text).includes('handoff-end:'));
    expect([ends > 0, instructed > ends]).toEqual([true, true]);
  },
);

const submittedAs = (seen: readonly Record<string, unknown>[], word: string) =>
  seen.find(({ type, text }) => type === 'submitted' && String(text).startsWith(word))?.prompt_id;

it('[L19] a question that is partly off the screen can be answered only in the terminal', async () => {
  const agent = await baton.agent();
  await tmux('resize-window', '-t', agent.tmux.pane ?? '', '-x', '40', '-y', '10');
  const command = Array.from({ length: 40 }, (_, number) => `word${number}`).join(' ');
  await send(agent, `[[practice:dialog echo ${command}]]`);
  let question: Agent['question'] = null;
  await until('Baton has read it', async () => {
    question = (await baton.get<Agent>(`/api/agents/${agent.id}`)).question;
    return question !== null;
  });
  expect(question).toMatchObject({ options: [] });
  const answer = await baton.call('POST', `/api/agents/${agent.id}/answer`, {
    question: (question as Agent['question'])?.id,
    choice: 1,
  });
  expect(answer.body).toMatchObject({ verdict: 'refused', reason: 'terminal_only' });
  expect(baton.evidence(agent.id).some(({ type }) => type === 'dialog_answered')).toBe(false);
  await keys(agent, 'Escape');
});

it('[L5] a draft in the composer stays unchanged even if the cursor is at its beginning', async () => {
  const agent = await baton.agent();
  await keys(agent, '-l', 'delete the production database');
  await keys(agent, 'C-a');
  await until('the cursor is in front', async () => {
    const { stdout } = await tmux('display-message', '-p', '-t', agent.tmux.pane ?? '', '#{cursor_x}');
    return stdout.trim() === '2' && (await screen(agent)).includes('❯\u00a0delete the production database');
  });
  const before = pastes(agent);
  expect(await send(agent, 'hello')).toMatchObject({ verdict: 'refused', reason: 'draft' });
  expect([pastes(agent), await screen(agent)]).toEqual([
    before,
    expect.stringContaining('❯\u00a0delete the production database'),
  ]);
});

it.each([
  ['stop', 0],
  ['keep', 1],
] as const)(
  "[L4] the operator's decision determines how Baton answers the client's question about background work: %s",
  async (background, chosen) => {
    const agent = await baton.agent({ behaviour: { exit: 'asks', successor: { exit: 'obey' } } });
    const done: Run = await baton.over(await handOver(agent, { background }));
    expect(done, done.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    const answers = baton.evidence(agent.id).filter(({ type }) => type === 'dialog_answered');
    expect(answers).toMatchObject([{ option: chosen, by: 'key' }]);
  },
);

it('[L7] if the operator clears the conversation before the document is written, the run fails', async () => {
  const agent = await baton.agent({ behaviour: { handoff: 'dialog' } });
  const runId = await handOver(agent);
  await baton.step(runId, 'awaiting_document');
  await until('it asks', async () => (await screen(agent)).includes('Do you want to proceed?'));
  await keys(agent, 'Escape');
  await until('it was interrupted', async () => baton.evidence(agent.id).some(({ type }) => type === 'interrupted'));
  await keys(agent, 'C-u');
  await keys(agent, '-l', '/clear');
  await keys(agent, 'Enter');
  const halted = await baton.over(runId);
  expect([halted.step, halted.cleared_since_instruction]).toEqual(['failed', true]);
  expect(halted.failure?.sentence).toMatch(/clear/);
});
