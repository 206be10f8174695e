import { describe, expect, it } from 'vitest';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { paneTag } from '../../../src/domain/agents/agent.ts';
import { SimWorld } from '../engine/sim-world.ts';

const SECRET = `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}-AA`;

/** Creates an agent whose program has ended while tmux still has the pane. */
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

describe("[S-6] [L9] the end of an agent's program", () => {
  it("if a program ends before the agent's session begins, Baton records the last lines that the program printed", async () => {
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

  it("the end of an agent's program is recorded only when its exit code is known", async () => {
    const { sim, agent, pane, look } = await deadAgent(false);
    sim.programEnd = { exitCode: null, signal: null, isEnding: true, lines: [] };
    await look();
    expect([sim.agent(agent.id).state, sim.ended]).toEqual(['starting', []]);
    sim.programEnd = { exitCode: 1, signal: null, lines: [] };
    await look();
    expect(sim.agent(agent.id).stateReason).toContain('with exit code 1');
    expect(sim.ended).toEqual([pane.identity.paneId]);
  });

  it("the end of an agent's program is recorded only once", async () => {
    const { sim, agent, pane, look } = await deadAgent(false);
    await sim.record({ type: 'agent_launch_failed', agentId: agent.id, detail: 'told before' });
    await look();
    expect(sim.agent(agent.id).stateReason).toBe('could not be started: told before');
    expect(sim.ended).toEqual([pane.identity.paneId]);
  });

  it("if a program ends after the agent's session began, Baton does not record the last lines that the program printed", async () => {
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
