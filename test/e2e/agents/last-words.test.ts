import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, AgentWhy, InboxItem, Project } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Tests a client that ends before its session begins, with real tmux and the practice agent. */

const SAID = 'with exit code 3; its terminal last showed: "The practice agent was told to end at its start."';

describe('[S-6] [L9] an agent that ends at its start', () => {
  const baton = new BatonProcess();
  beforeAll(async () => void (await baton.start()));
  afterAll(() => baton.cleanUp());

  const cli = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [PROGRAM, ...args], { ...process.env, BATON_HOME: baton.home })).stdout;
  const start = async (projectPath: string): Promise<number> => {
    const { body: project } = await baton.call<Project>('POST', '/api/projects', { path: projectPath });
    return (await baton.call<Agent>('POST', '/api/agents', { project_id: project.id })).body.id;
  };
  const ended = async (agentId: number): Promise<string> => {
    await baton.event(
      ({ type, agent_id, data }) => agent_id === agentId && type === 'agent_state_changed' && data.to === 'ended',
    );
    return (await baton.get<Agent>(`/api/agents/${agentId}`)).state_reason;
  };
  const inbox = async (agentId: number): Promise<string[]> =>
    (await baton.get<{ items: InboxItem[] }>('/api/inbox')).items
      .filter(({ agent_id }) => agent_id === agentId)
      .map(({ sentence }) => sentence);
  const deadPanes = async (): Promise<string[]> => {
    const socket = ['-S', join(baton.home, 'tmux.sock')];
    const { stdout } = await run('tmux', [...socket, 'list-panes', '-a', '-F', '#{pane_dead} #{session_name}']);
    return stdout.split('\n').filter((line) => line.startsWith('1 '));
  };

  it('the inbox shows the exit code and last output of the ended agent', async () => {
    const id = await start(baton.project({ startExit: 3 }));
    const reason = await ended(id);
    expect(reason).toContain(SAID);
    expect((await baton.get<AgentWhy>(`/api/agents/${id}/why`)).facts.at(-1)?.sentence).toContain(SAID);
    expect(await cli('agent', 'why', String(id))).toContain(SAID);
    expect(await cli('agent', 'show', String(id))).toContain(SAID);
    expect((await inbox(id))[0]).toContain(SAID);
    await expect.poll(deadPanes).toEqual([]);
  });

  it('[000 Successor creation fails] the inbox shows the exit code and last output of a successor that ended', async () => {
    const agent = await baton.agent({ behaviour: { successor: { startExit: 3 } } });
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const halted = await baton.over(body.run_id);
    expect(halted.failure?.sentence).toContain(SAID);
    expect(await cli('handoff', 'show', String(halted.id))).toContain(SAID);
    expect(await inbox(agent.id)).toContain(halted.failure?.sentence);
    await expect.poll(deadPanes).toEqual([]);
  });

  it("the end of an agent while Baton was down is reported with the agent's last output", async () => {
    const id = await start(baton.project({ startDelayMs: 600_000 }));
    await baton.event(({ type, agent_id }) => agent_id === id && type === 'agent_launched');
    const { tmux } = await baton.get<Agent>(`/api/agents/${id}`);
    await baton.kill('SIGKILL');
    const socket = ['-S', join(baton.home, 'tmux.sock')];
    const shown = async () => (await run('tmux', [...socket, 'capture-pane', '-p', '-t', `=${tmux.session}:`])).stdout;
    await expect.poll(shown).toContain('Starting…');
    const { stdout } = await run('tmux', [...socket, 'list-panes', '-t', `=${tmux.session}`, '-F', '#{pane_pid}']);
    process.kill(Number(stdout), 'SIGKILL');
    await expect.poll(deadPanes).toEqual([`1 ${tmux.session}`]);
    await baton.start();
    expect(await ended(id)).toMatch(/^its process has ended by signal 9; its terminal last showed: "Starting…/);
    await expect.poll(deadPanes).toEqual([]);
  });

  it('once the session of an agent has begun, the tmux option remain-on-exit is unset', async () => {
    const agent = await baton.agent({ persona: false });
    const socket = ['-S', join(baton.home, 'tmux.sock')];
    const option = async (): Promise<string> =>
      (await run('tmux', [...socket, 'show-options', '-p', '-t', `=${agent.tmux.session}:`])).stdout;
    await expect.poll(option).not.toContain('remain-on-exit');
  });
});
