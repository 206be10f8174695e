import { expect, it } from 'vitest';
import { launchAgent } from '../../../src/app/engine/effects/launch-agent.ts';
import { createEngine } from '../../../src/app/engine/engine.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { paneTag } from '../../../src/domain/agents/agent.ts';
import { SimWorld } from './sim-world.ts';

const withoutPane = (sim: SimWorld, paneId: string | undefined): void => {
  sim.panes = { ...sim.panes, panes: sim.panes.panes.filter(({ identity }) => identity.paneId !== paneId) };
};

it('the end of a process is recorded before Baton reads the screens of other agents', async () => {
  const sim = new SimWorld();
  const ended = await sim.addAgent();
  await sim.addAgent();
  withoutPane(sim, ended.pane?.paneId);
  const states: string[] = [];
  sim.ports.terminal.capture = async () => {
    states.push(sim.agent(ended.id).state);
    return undefined;
  };
  await createReconciler(sim.ports, createHealth(sim.ports)).look();
  expect(states).toEqual(['ended']);
});

it('if the store cannot be written when a process ends, Baton records the end as soon as the store works again', async () => {
  const sim = new SimWorld();
  const ended = await sim.addAgent();
  withoutPane(sim, ended.pane?.paneId);
  sim.broken.add('store');
  const health = createHealth(sim.ports);
  const reconciler = createReconciler(sim.ports, health);
  await reconciler.look();
  expect(health.current()).toEqual(['Baton could not write to its store: disk full']);
  expect(sim.logged.filter((line) => line.includes('write to its store'))).toHaveLength(1);
  sim.broken.delete('store');
  await reconciler.look();
  expect(sim.agent(ended.id).state).toBe('ended');
});

it("during a launch, the terminal adapter can ask Baton whether the agent's session has begun", async () => {
  const sim = new SimWorld();
  const { id } = await sim.addAgent({ registeredAt: null, state: 'starting', priming: { status: 'none' } });
  const answers: (boolean | undefined)[] = [];
  sim.ports.terminal.launch = async ({ sessionName, tag, hasBegun }) => {
    answers.push(hasBegun?.());
    await sim.record({ type: 'session_started', agentId: id, runtimeSessionId: 's', source: 'startup' });
    answers.push(hasBegun?.());
    return sim.addPane(sessionName, tag);
  };
  await launchAgent(sim.ports, { kind: 'launch_agent', agentId: id });
  expect(answers).toEqual([false, true]);
});

it("once an agent's session has begun, Baton lets the agent's pane close when the agent's program ends", async () => {
  const sim = new SimWorld();
  const added = await sim.addAgent({ registeredAt: null, state: 'starting', priming: { status: 'none' } });
  const agent = { ...added, pane: sim.addPane(added.tmuxSession, paneTag(added)) };
  await sim.ports.store.write((tx) => tx.saveAgent(agent));
  sim.panes = { ...sim.panes, panes: sim.panes.panes.map((pane) => ({ ...pane, staysAtExit: true })) };
  // Switch off the timers, so that no periodic reconcile runs in this test.
  sim.ports.clock.after = () => () => undefined;
  let arrived = (): void => undefined;
  sim.ports.spool.onArrival = (listener) => {
    arrived = listener;
  };
  const closes = new Promise<string>((resolve) => {
    sim.ports.terminal.closeAtExit = async ({ paneId }) => resolve(paneId);
  });
  const engine = createEngine(sim.ports);
  await engine.start();
  sim.hook(sim.agent(agent.id), 'SessionStart', { source: 'startup' });
  arrived();
  expect(await closes).toBe(agent.pane.paneId);
  await engine.stop();
});
