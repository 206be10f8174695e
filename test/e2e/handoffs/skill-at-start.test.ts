import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Agent, AgentWhy } from '../../../src/contract/resources.ts';
import { BatonProcess, run } from '../../support/baton-process.ts';

/** Tests a runtime whose sessions begin with the skill, with the real server, tmux, hook script and practice agents. */

let baton: BatonProcess;
beforeEach(async () => {
  baton = new BatonProcess();
  await baton.start({ BATON_PRACTICE_SKILL: 'at-start' });
});
afterEach(() => baton.cleanUp());

const contexts = (id: number) => baton.evidence(id).filter(({ type }) => type === 'context');
const type = (agent: Agent, text: string) =>
  run('tmux', ['-S', join(baton.home, 'tmux.sock'), 'send-keys', '-t', agent.tmux.pane ?? '', text, 'Enter']);
const skillFile = (agent: Agent) => join(baton.home, 'data/personas', agent.persona?.slug ?? '', 'skill.md');
const laidOut = (id: number) => readFileSync(join(baton.home, 'agents', String(id), 'session-start'), 'utf8');

it("[H25] [H28] at the start of each session, the agent's context has the current skill", async () => {
  const agent = await baton.agent();
  const skill = readFileSync(skillFile(agent), 'utf8').trim();
  // Poll: Baton gets the hook's receipt a moment before the hook exits, and the agent reads the hook's output only
  // after the hook has exited.
  await expect.poll(() => contexts(agent.id).map(({ source }) => source)).toEqual(['startup']);
  expect(contexts(agent.id)[0]?.text).toContain(skill);

  writeFileSync(skillFile(agent), 'Be bold, and say so.\n');
  await expect.poll(() => laidOut(agent.id)).toContain('Be bold, and say so.');
  const started = (source: string) =>
    baton.event(
      (event) => event.agent_id === agent.id && event.type === 'session_started' && event.data.source === source,
    );
  for (const source of ['clear', 'compact']) {
    await type(agent, `/${source}`);
    const { data } = await started(source);
    expect(data.skillGiven).toBe(laidOut(agent.id).split('\n')[0]);
    await expect.poll(() => contexts(agent.id).at(-1)?.source).toBe(source);
  }
  await expect.poll(() => contexts(agent.id).map(({ source }) => source)).toEqual(['startup', 'clear', 'compact']);
  expect(contexts(agent.id).at(-1)?.text).toContain('Be bold, and say so.');
  expect(baton.evidence(agent.id).filter(({ type: kind }) => kind === 'submitted' || kind === 'paste')).toEqual([]);
  const { facts } = await baton.get<AgentWhy>(`/api/agents/${agent.id}/why`);
  expect(JSON.stringify(facts)).toMatch(
    /started a session \(after its conversation was cleared\) with the skill [0-9a-f]{16}/,
  );
});

it('[H25] Baton types nothing to a successor except the handoff prompt', async () => {
  const agent = await baton.agent();
  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
  const over = await baton.over(body.run_id);
  expect(over).toMatchObject({ step: 'completed', acknowledged: true, warnings: [] });
  const successor = over.successor_agent_id ?? 0;
  const order = baton
    .evidence(successor)
    .filter(({ type: kind }) => kind === 'context' || kind === 'submitted')
    .map(({ type: kind }) => kind);
  expect(order).toEqual(['context', 'submitted']);
});

it('[H25] if there is no skill file when the session starts, Baton types the skill later', async () => {
  // Let the client wait at a dialog when it starts, so that the test can remove the skill file during this wait.
  const projectPath = baton.project({ startDialog: 'May I?' });
  const { body: project } = await baton.call<{ id: number }>('POST', '/api/projects', { path: projectPath });
  const persona = { role: 'developer', name: 'Con' };
  const { body: made } = await baton.call<{ slug: string }>('POST', '/api/personas/register', persona);
  const wanted = { project_id: project.id, persona: made.slug };
  const { body: agent } = await baton.call<Agent>('POST', '/api/agents', wanted);
  const asking = await baton.event(({ type: kind }) => kind === 'agent_seen_asking');
  expect(asking.agent_id).toBe(agent.id);
  await baton.kill();
  rmSync(join(baton.home, 'agents', String(agent.id), 'session-start'));
  await type(await placed(agent.id), '1');
  await baton.start({ BATON_PRACTICE_SKILL: 'at-start' });
  await baton.ready(agent.id, true);
  expect([contexts(agent.id).length, baton.accepted(agent.id, '-skill]')]).toEqual([0, 1]);
});

/** Asks tmux for the agent's pane, because Baton is down. */
async function placed(id: number): Promise<Agent> {
  const { stdout } = await run('tmux', ['-S', join(baton.home, 'tmux.sock'), 'list-panes', '-a', '-F', '#{pane_id}']);
  return { id, tmux: { pane: stdout.trim().split('\n').at(-1) } } as Agent;
}
