import { describe, expect, it } from 'vitest';
import { SimWorld } from './sim-world.ts';

const prompt = (agentId: number, promptId: string, ref: string | null) =>
  ({ type: 'prompt_submitted', agentId, promptId, ref, excerpt: 'text', textHash: `hash ${promptId} ${ref}` }) as const;
const stop = (agentId: number, promptId: string) =>
  ({ type: 'turn_ended', agentId, promptId, backgroundTasks: 0 }) as const;
const typing = { status: 'typing', ref: 'r', promptId: null, accepted: false, retryAt: null, told: false } as const;

describe('a prompt hook that arrives after the Stop hook of its turn', () => {
  it("an agent is idle after a turn even if the hook of Baton's prompt arrives later than the Stop hook of the turn", async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ state: 'working' });
    await sim.record(stop(id, 'p1'), prompt(id, 'p1', 'r'));
    expect(sim.agent(id)).toMatchObject({ state: 'idle', turnPromptId: null, earlyEnd: null });
    expect(sim.notices('turn_ended')).toHaveLength(1);
  });

  it('an agent is idle after a failed turn even if the prompt hook arrives after the report of the failure', async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ state: 'working' });
    await sim.record({ type: 'turn_failed', agentId: id, promptId: 'p1', error: 'overloaded' }, prompt(id, 'p1', 'r'));
    expect(sim.agent(id)).toMatchObject({ state: 'idle', stateCause: 'turn_failed' });
  });

  it('the skill counts as read even if the hook of the skill prompt arrives later than the Stop hook', async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ state: 'idle', priming: typing });
    await sim.record(stop(id, 'p1'), prompt(id, 'p1', 'r'));
    expect(sim.agent(id).priming.status).toBe('done');
  });

  it("an agent counts as working if the hook of a person's prompt arrives after the Stop hook, because the client may have queued the prompt", async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ state: 'working' });
    await sim.record(stop(id, 'p1'), prompt(id, 'p1', null));
    expect(sim.agent(id).state).toBe('working');
  });

  it("if the last Stop hook belongs to an earlier prompt, the hook of Baton's prompt makes the agent count as working", async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ state: 'idle' });
    await sim.record(prompt(id, 'p1', null), stop(id, 'p1'), stop(id, 'p1'), prompt(id, 'p1', 'r'));
    expect(sim.agent(id).state).toBe('working');
  });

  it("if another prompt was reported after the Stop hook, a late hook of Baton's prompt makes the agent count as working", async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ state: 'idle' });
    await sim.record(stop(id, 'p1'), prompt(id, 'p2', null), prompt(id, 'p1', 'r'));
    expect(sim.agent(id).state).toBe('working');
  });
});
