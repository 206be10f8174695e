import { describe, expect, it, vi } from 'vitest';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { SimWorld } from './sim-world.ts';

const kinds = (sim: SimWorld) => sim.ports.store.read((tx) => tx.pendingEffects()).map(({ effect }) => effect.kind);

describe('the runner of stored actions (effects)', () => {
  it('an effect is claimed in the same commit that stores the effect', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const runner = createEffectRunner(sim.ports);
    runner.wake();
    const seen: string[] = [];
    Object.assign(sim.ports, { checkpoint: (name: string) => seen.push(name) });
    const commits = vi.fn(() => seen.push('commit'));
    sim.ports.store.onCommit(commits);
    await sim.handOver(agent.id);
    await vi.waitFor(() => expect(seen).toContain('prepare_document_place:committed'), { timeout: 120_000 });
    const until = seen.indexOf('prepare_document_place:committed');
    expect(seen.slice(0, until).filter((name) => name !== 'commit')).toEqual([
      'prepare_document_place:claimed',
      'prepare_document_place:performed',
    ]);
    // Before this checkpoint, two transactions are committed: the first stores the handoff request, and the second
    // stores the result of the effect.
    expect(seen.slice(0, until).filter((name) => name === 'commit')).toHaveLength(2);
    await runner.stop();
  });

  it('the effect runner starts no effect until its method `wake` is called', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const runner = createEffectRunner(sim.ports);
    await sim.handOver(agent.id);
    expect(kinds(sim)).toEqual(['prepare_document_place']);
    expect(sim.ports.store.read((tx) => tx.effectsClaimedBy('me'))).toEqual([]);
    runner.wake();
    await runner.stop();
    expect(sim.run().step).not.toBe('requested');
  });

  it('a failed effect is retried before later effects of the same agent', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const ended: string[] = [];
    Object.assign(sim.ports.terminal, {
      end: async () => {
        ended.push(kinds(sim).join());
        if (ended.length === 1) throw new Error('tmux hangs');
      },
    });
    const enqueue = () =>
      sim.ports.store.write((tx) => tx.insertEffect({ kind: 'end_agent', agentId: agent.id }, sim.ports.clock.now()));
    const runner = createEffectRunner(sim.ports);
    runner.wake();
    await enqueue();
    await vi.waitFor(() => expect(kinds(sim)).toEqual(['end_agent']), { timeout: 120_000 });
    await enqueue();
    expect(ended).toEqual(['']);
    expect(kinds(sim)).toEqual(['end_agent', 'end_agent']);
    runner.wake();
    await vi.waitFor(() => expect(kinds(sim)).toEqual([]), { timeout: 120_000 });
    // Each time the runner tries an effect, an entry that lists the waiting effects is added to `ended`. The second
    // entry shows that the second effect still waits while the runner repeats the first effect.
    expect(ended).toEqual(['', 'end_agent', '']);
    await runner.stop();
  });

  it('the effect runner skips an effect of a run that was cancelled before the effect began', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const runner = createEffectRunner(sim.ports);
    await sim.handOver(agent.id);
    const run = sim.run();
    await sim.ports.store.write((tx) => tx.saveRun({ ...run, step: 'cancelled' }));
    const seen: string[] = [];
    Object.assign(sim.ports, { checkpoint: (name: string) => seen.push(name) });
    runner.wake();
    await vi.waitFor(() => expect(kinds(sim)).toEqual([]), { timeout: 120_000 });
    await runner.stop();
    expect(seen).toEqual([]);
  });
});
