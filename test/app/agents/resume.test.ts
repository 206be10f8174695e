import { beforeEach, describe, expect, it } from 'vitest';
import { resumeAgent } from '../../../src/app/agents/resume/resume-agent.ts';
import { showEnvironment } from '../../../src/app/agents/show-environment.ts';
import { launchAgent } from '../../../src/app/engine/effects/launch-agent.ts';
import { succeedAgent } from '../../../src/app/handoffs/replace-agent.ts';
import { namesOf } from '../../../src/app/packages/package-caller.ts';
import { removeWorktree } from '../../../src/app/worktrees/worktrees.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { NO_AUTO } from '../../../src/domain/handoffs/policy/auto-handoff.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { SimWorld } from '../engine/sim-world.ts';

/** Tests how Baton resumes agents and removes worktrees. The tests run in a simulated world with faults. */

let sim: SimWorld;
beforeEach(() => {
  sim = new SimWorld();
  sim.prompts = ['hello'];
});
const resume = (id: number, anyway = false) => resumeAgent(sim.ports, id, { anyway });
const gone = async () => {
  const agent = await sim.addAgent();
  await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
  return sim.agent(agent.id);
};

describe('resuming an agent', () => {
  it('only one of several simultaneous requests to resume the same agent succeeds', async () => {
    const { id } = await gone();
    const answers = await Promise.all([resume(id), resume(id), resume(id)]);
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1);
    expect(answers.filter(isRefusal).map(({ code }) => code)).toEqual(['already_resumed', 'already_resumed']);
  });

  it('[H44] an emergency handoff is refused if the agent has already been resumed', async () => {
    const { id } = await gone();
    const back = await resume(id);
    const wish = { reason: undefined, note: undefined };
    expect(await succeedAgent(sim.ports, id, wish)).toMatchObject({
      code: 'already_resumed',
      sentence: 'The conversation of agent 1 was already resumed as agent 2',
      hint: expect.stringContaining('baton handoff 2'),
    });
    if (isRefusal(back)) throw new Error(back.sentence);
    const begun = { registeredAt: back.startedAt };
    await sim.ports.store.write((tx) => tx.saveAgent({ ...sim.agent(back.id), ...begun }));
    await sim.record({ type: 'agent_process_gone', agentId: back.id, detail: 'gone' });
    expect(await succeedAgent(sim.ports, id, wish)).toMatchObject({
      hint: expect.stringContaining('baton handoff 2 --emergency'),
    });
    expect(await succeedAgent(sim.ports, back.id, wish)).toMatchObject({ emergency: true });
  });

  it('[H60] a resume of an agent undoes neither a cancel nor a snooze of its automatic handoff', async () => {
    const agent = await gone();
    const snoozedUntil = sim.ports.clock.now();
    const auto = { ...NO_AUTO, isCancelled: true, snoozedUntil, ended: 'A person cancelled the countdown' };
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, auto }));
    const back = await resume(agent.id);
    expect(isRefusal(back) ? back : back.auto).toEqual({ ...NO_AUTO, isCancelled: true, snoozedUntil });
  });

  it('if an agent never got its skill, the resumed agent gets the skill', async () => {
    const agent = await gone();
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, priming: { status: 'failed', detail: 'x' } }));
    const back = await resume(agent.id);
    expect(isRefusal(back) ? back : back.priming).toEqual({ status: 'none' });
  });

  it.each([
    ['it outlived its terminal', -60_000, 'boot-1', 'process_still_runs'],
    ['another process has its number now', 60_000, 'boot-1', undefined],
    ['a process has its number after a reboot', -60_000, 'boot-0', undefined],
  ])(
    "a resume is refused only if the agent's old process still runs: %s",
    async (_what, startedBefore, bootId, code) => {
      const agent = await sim.addAgent();
      await sim.record({ type: 'agent_pane_lost', agentId: agent.id, detail: 'gone' });
      await sim.ports.store.write((tx) => tx.saveAgent({ ...sim.agent(agent.id), bootId }));
      sim.processes.set(agent.pane?.panePid ?? 0, sim.nowMs + startedBefore);
      const answer = await resume(agent.id);
      expect(isRefusal(answer) ? answer.code : undefined).toBe(code);
    },
  );

  it("an adopted agent can be resumed after its client has ended, although the operator's shell in the pane is still running", async () => {
    const agent = await sim.addAgent({ adoption: 'adopted', clientPid: 42 });
    const outside = { socket: '/tmp/own', session: 'work', pid: 42, mark: 'm' };
    const pane = { serverPid: 7, serverStartedAt: 9, paneId: '%3', panePid: 41, tag: 't', outside };
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, pane }));
    await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
    sim.processes.set(41, sim.nowMs - 60_000).set(42, sim.nowMs - 60_000);
    const refused = await resume(agent.id);
    expect(isRefusal(refused) && [refused.code, refused.hint]).toEqual([
      'process_still_runs',
      'End the process first: kill 42',
    ]);
    sim.processes.delete(42);
    expect(await resume(agent.id)).toMatchObject({ state: 'starting', resumesSession: expect.any(String) });
  });

  it('if a released session is still running, the refusal of a resume suggests adopting the session', async () => {
    const agent = await sim.addAgent({ adoption: 'adopted', clientPid: 42, runtimeSessionId: 's-1' });
    await sim.record({ type: 'agent_released', agentId: agent.id });
    sim.processes.set(42, sim.nowMs - 60_000);
    const refused = await resume(agent.id);
    expect(isRefusal(refused) && refused.hint).toBe('Adopt the session in your terminal: baton agent adopt s-1');
  });

  it('a resume is refused while the operator continues the conversation in another terminal', async () => {
    const agent = await sim.addAgent({ runtimeSessionId: 's-9' });
    await sim.record({ type: 'agent_pane_lost', agentId: agent.id, detail: 'gone' });
    const at = sim.ports.clock.now();
    const seen = {
      runtime: 'sim',
      sessionId: 's-9',
      folder: '/p',
      transcriptPath: '/t',
      pid: 77,
      tmux: null,
      hooks: 2,
    };
    await sim.ports.store.write((tx) =>
      tx.saveExternalSessionRow({ ...seen, firstSeenAt: at, lastSeenAt: at, endedAt: null }),
    );
    sim.processes.set(77, sim.nowMs);
    const refused = await resume(agent.id);
    expect(isRefusal(refused) && refused.hint).toBe('Adopt the session in your terminal: baton agent adopt s-9');
    sim.processes.clear();
    expect(await resume(agent.id)).toMatchObject({ state: 'starting' });
  });

  it('if an agent was muted when it ended, the resumed agent is muted, too', async () => {
    const agent = await sim.addAgent();
    await sim.record({ type: 'agent_muted', agentId: agent.id, muted: true, until: null });
    await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
    expect(await resume(agent.id)).toMatchObject({ muted: { until: null } });
  });

  it('a resumed agent keeps the number of its predecessor as an additional name', async () => {
    const { id } = await gone();
    const back = (await resume(id)) as Agent;
    expect(sim.ports.store.read((tx) => namesOf(tx, back))).toEqual([
      'developer-con-1',
      'developer',
      `agent-${back.id}`,
      `agent-${id}`,
    ]);
  });

  it('before Baton refuses a resume because of a missing program, Baton reads the operator’s PATH again', async () => {
    const { id } = await gone();
    sim.unavailable = 'no such program';
    Object.assign(sim.ports.environment, {
      ready: async () => {
        sim.unavailable = undefined;
      },
    });
    expect(await resume(id)).toMatchObject({ state: 'starting' });
  });

  it('a resume is refused while the agent is in a handoff run', async () => {
    const agent = await sim.addAgent();
    await sim.handOver(agent.id);
    await sim.ports.store.write((tx) => tx.saveAgent({ ...sim.agent(agent.id), state: 'lost' }));
    const answer = await resume(agent.id);
    expect(isRefusal(answer) && answer.code).toBe('agent_in_handoff');
  });
});

it("an agent with a worktree gets the environment variables for the worktree's folder, not for the project's folder", async () => {
  const worktree = await sim.ports.store.write((tx) => {
    const at = sim.ports.clock.now();
    const { id: projectId } = tx.projectByPath('/p') ?? tx.insertProject({ name: 'p', path: '/p', createdAt: at });
    const place = { name: 'x', branch: 'baton/x', path: '/w/x', folder: '/w/x', base: 'b', baseBranch: 'main' };
    return tx.insertWorktree({ projectId, ...place, state: 'ready', createdAt: at, removedAt: null });
  });
  const asked: (string | undefined)[] = [];
  Object.assign(sim.ports.environment, {
    forProject: async ({ folder }: { folder?: string }) => {
      asked.push(folder);
      return { variables: [], removed: [], problems: ['direnv is not allowed there.'] };
    },
  });
  const { id: agentId } = await sim.addAgent({ worktreeId: worktree.id, registeredAt: null });
  await showEnvironment(sim.ports, { agentId, projectId: undefined });
  for (const _ of ['first', 'again after a crash']) await launchAgent(sim.ports, { kind: 'launch_agent', agentId });
  expect(asked).toEqual(['/w/x', '/w/x', '/w/x']);
  expect(sim.notices('agent_warning')).toEqual([
    {
      sentence: `Agent ${agentId} was started without some of its environment variables: direnv is not allowed there.`,
    },
  ]);
});

it('if an agent is resumed while git checks its worktree, the worktree is not removed', async () => {
  const worktree = await sim.ports.store.write((tx) => {
    const at = sim.ports.clock.now();
    const { id: projectId } = tx.projectByPath('/p') ?? tx.insertProject({ name: 'p', path: '/p', createdAt: at });
    const made = {
      projectId,
      name: 'x',
      branch: 'baton/x',
      path: '/w/x',
      folder: '/w/x',
      base: 'b',
      baseBranch: 'main',
    };
    return tx.insertWorktree({ ...made, state: 'ready', createdAt: at, removedAt: null });
  });
  const agent = await sim.addAgent({ worktreeId: worktree.id });
  await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
  const wanted = { dryRun: false, force: [], branch: false };
  const { look } = sim.ports.worktrees;
  Object.assign(sim.ports.worktrees, {
    look: async (...args: Parameters<typeof look>) => {
      await resume(agent.id);
      return look(...args);
    },
  });
  const answer = await removeWorktree(sim.ports, worktree.id, wanted);
  expect(isRefusal(answer) && answer.code).toBe('worktree_in_use');
  expect(sim.ports.store.read((tx) => tx.worktreeById(worktree.id))?.state).toBe('ready');
});
