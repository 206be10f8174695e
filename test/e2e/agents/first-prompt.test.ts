import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Agent, Project } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

let baton: BatonProcess;
beforeEach(() => {
  baton = new BatonProcess();
});
afterEach(() => baton.cleanUp());

const PROMPT = 'Say the word aubergine.';
const cli = (...argv: string[]) =>
  run(process.execPath, [PROGRAM, ...argv], { ...process.env, BATON_HOME: baton.home });

it('[U6] [F1] if the server is killed just before it sends the first prompt, the prompt still arrives exactly once', async () => {
  await baton.start({ BATON_CRASH_AT: 'send_first_prompt:claimed' });
  const { body: project } = await baton.call<Project>('POST', '/api/projects', { path: baton.project() });
  await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
  const wanted = { project_id: project.id, persona: 'Con', prompt: PROMPT };
  const { body: agent } = await baton.call<Agent>('POST', '/api/agents', wanted);
  await baton.ended();
  await baton.start();
  await baton.event(({ type, data }) => type === 'message_verdict' && data.verdict === 'accepted');
  expect((await baton.get<Agent>('/api/agents/Con')).first_prompt).toMatchObject({ state: 'accepted' });
  expect(baton.accepted(agent.id, PROMPT)).toBe(1);
});

it('[U6] agents keep running after `baton stop`', async () => {
  await baton.start();
  const { id } = await baton.agent();
  const { code, stdout } = await cli('stop');
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 agent keeps running in tmux')]);
  await baton.ended();
  await baton.start();
  expect((await baton.get<Agent>(`/api/agents/${id}`)).state).toBe('idle');
});

it('[U6] `baton stop` waits until the running delivery of a first prompt has ended, and `baton start` works directly after it', async () => {
  await baton.start();
  const path = baton.project({ echoDelayMs: 1_000 });
  const { body: project } = await baton.call<Project>('POST', '/api/projects', { path });
  const wanted = { project_id: project.id, persona: null, prompt: PROMPT };
  const { body: agent } = await baton.call<Agent>('POST', '/api/agents', wanted);
  await baton.event(({ type }) => type === 'message_begun');
  const ended = baton.ended();
  const { code, stdout } = await cli('stop');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Baton has stopped')]);
  expect(baton.accepted(agent.id, PROMPT)).toBe(1);
  await baton.start();
  expect(await ended).toBe('0');
  await baton.event(({ type, data }) => type === 'message_verdict' && data.verdict === 'accepted');
  expect(baton.accepted(agent.id, PROMPT)).toBe(1);
});
