import { describe, expect, it } from 'vitest';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { paneTag } from '../../../src/domain/agents/agent.ts';
import { SimWorld } from '../engine/sim-world.ts';

const SECRET = `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}-AA`;

/** An agent whose program has ended; tmux still has its pane. */
async function deadAgent(hasBegun: boolean) {
  const sim = new SimWorld();
  const agent = await sim.addAgent(hasBegun ? {} : { registeredAt: null, state: 'starting' });
  const identity = { ...sim.addPane(agent.tmuxSession, paneTag(agent)) };
  await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, pane: identity }));
  const pane = { identity, sessionName: agent.tmuxSession, dead: true, staysAtExit: true };
  sim.panes = { ...sim.panes, panes: [pane] };
  sim.programEnd = { exitCode: 1, signal: null, lines: ['requires Node.js 22', `key ${SECRET}`] };
  const { look } = createReconciler(sim.ports, createHealth(sim.ports));
  return { sim, agent, pane, look };
}

describe('[S-6] [L9] the end of a program', () => {
  it('is recorded with its last lines, without secrets, if its session has not begun; the pane is removed only afterwards', async () => {
    const { sim, agent, pane, look } = await deadAgent(false);
    sim.broken.add('store');
    await look();
    expect(sim.ended).toEqual([]);
    sim.broken.delete('store');
    await look();
    const { state, stateReason } = sim.agent(agent.id);
    expect(state).toBe('ended');
    expect(stateReason).toContain('with exit code 1; its terminal last showed: "requires Node.js 22 / key ');
    expect(stateReason).not.toContain(SECRET);
    expect(sim.ended).toEqual([pane.identity.paneId]);
  });

  it('is recorded once the exit code is known, and the pane stays until then', async () => {
    const { sim, agent, pane, look } = await deadAgent(false);
    sim.programEnd = { exitCode: null, signal: null, isEnding: true, lines: [] };
    await look();
    expect([sim.agent(agent.id).state, sim.ended]).toEqual(['starting', []]);
    sim.programEnd = { exitCode: 1, signal: null, lines: [] };
    await look();
    expect(sim.agent(agent.id).stateReason).toContain('with exit code 1');
    expect(sim.ended).toEqual([pane.identity.paneId]);
  });

  it('is recorded once, and a pane that a killed Baton left is still removed', async () => {
    const { sim, agent, pane, look } = await deadAgent(false);
    await sim.record({ type: 'agent_launch_failed', agentId: agent.id, detail: 'told before' });
    await look();
    expect(sim.agent(agent.id).stateReason).toBe('could not be started: told before');
    expect(sim.ended).toEqual([pane.identity.paneId]);
  });

  it('is recorded without last lines once the session has begun, and the pane closes by itself', async () => {
    const { sim, agent, pane, look } = await deadAgent(true);
    sim.panes = { ...sim.panes, panes: [{ ...pane, dead: false }] };
    await look();
    expect(sim.closedAtExit).toEqual([pane.identity.paneId]);
    sim.panes = { ...sim.panes, panes: [pane] };
    await look();
    expect(sim.agent(agent.id).stateReason).toBe('its process has ended');
    expect(sim.ended).toEqual([pane.identity.paneId]);
  });
});
