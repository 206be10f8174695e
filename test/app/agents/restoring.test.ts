import { beforeEach, describe, expect, it } from 'vitest';
import { continueAgent } from '../../../src/app/agents/resume/continue-agent.ts';
import { restoreAgents, restoreProgress, tendRestoring } from '../../../src/app/agents/resume/restore-agents.ts';
import { resumeAgent } from '../../../src/app/agents/resume/resume-agent.ts';
import { showEnvironment } from '../../../src/app/agents/show-environment.ts';
import { launchAgent } from '../../../src/app/engine/effects/launch-agent.ts';
import { dismissInboxItem } from '../../../src/app/inbox/dismiss-inbox-item.ts';
import { removeWorktree } from '../../../src/app/worktrees/worktrees.ts';
import type { Agent, Pane } from '../../../src/domain/agents/agent.ts';
import type { Refusal } from '../../../src/domain/refusals.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import type { Loss, Worktree } from '../../../src/domain/worktrees/worktree.ts';
import { SimWorld } from '../engine/sim-world.ts';

/**
 * Tests how Baton restores agents after an outage. Baton restores one agent at a time, and each agent only once. Baton
 * does not restore an agent whose work another agent has taken over.
 */

let sim: SimWorld;
beforeEach(() => {
  sim = new SimWorld();
  sim.prompts = ['hello'];
});

const lose = async (count: number): Promise<readonly Agent[]> => {
  const agents: Agent[] = [];
  for (let n = 0; n < count; n++) agents.push(await sim.addAgent());
  for (const { id } of agents) await sim.record({ type: 'agent_pane_lost', agentId: id, detail: 'gone' });
  await tendRestoring(sim.ports);
  return agents;
};
const successorsOf = (agents: readonly Agent[]) =>
  agents.map(({ id }) => sim.ports.store.read((tx) => tx.successorsOf(id)).map((heir) => heir.id));
const statuses = () => restoreProgress(sim.ports).map(({ status }) => status);
const began = (agentId: number) =>
  sim.record({ type: 'session_started', agentId, runtimeSessionId: 's', source: 'resume', transcriptPath: '/t' });
const code = (answer: object) => (isRefusal(answer) ? answer.code : undefined);

describe('[D18] an agent that was lost while it worked', () => {
  const cutOff = async ({ saysGoodbye = false } = {}): Promise<void> => {
    await sim.addAgent();
    await sim.record({ type: 'context_measured', agentId: 1, usedPercent: 62, usedTokens: 100, windowTokens: 200 });
    await sim.record({ type: 'prompt_submitted', agentId: 1, promptId: 'p', ref: null, textHash: '', excerpt: 'go' });
    await sim.record({ type: 'tool_used', agentId: 1, promptId: 'p', tool: 'Bash', phase: 'began' });
    if (saysGoodbye) await sim.record({ type: 'session_ended', agentId: 1, reason: 'other' });
    await sim.record({ type: 'agent_pane_lost', agentId: 1, detail: 'gone' });
    await restoreAgents(sim.ports);
    await tendRestoring(sim.ports);
    await began(2);
    await sim.record({ type: 'agent_launched', agentId: 2, pane: sim.agent(1).pane ?? ({} as Pane) });
  };
  const items = () => sim.inbox().filter(({ cause }) => cause.of === 'agent' && cause.what === 'cut-off');

  // Test both cases, because a client that is killed together with its terminal may still report the end of its
  // session.
  it.each([false, true])(
    'the restore report says what a lost agent was doing, whether or not its client reported the end of the session (%s)',
    async (saysGoodbye) => {
      await cutOff({ saysGoodbye });
      const doing = 'uses Bash, for the prompt "go"';
      expect(restoreProgress(sim.ports)[0]?.agent.cutOff).toMatchObject({ state: 'working', doing });
      expect(sim.agent(2)).toMatchObject({ cutOff: { state: 'working' }, context: { usedPercent: 62 } });
      expect(items()).toMatchObject([
        { sentence: `Con (agent 2), which was agent 1, was cut off while it was working: ${doing}.` },
      ]);
    },
  );

  it("if the operator quit an agent's client, Baton does not report the agent's work as cut off", async () => {
    await sim.addAgent();
    await sim.record({ type: 'prompt_submitted', agentId: 1, promptId: 'p', ref: null, textHash: '', excerpt: 'go' });
    await sim.record({ type: 'session_ended', agentId: 1, reason: 'prompt_input_exit' });
    await sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
    expect(sim.agent(1).cutOff ?? null).toBeNull();
  });

  it('the operator can send a resumed agent a prompt to continue its work', async () => {
    await cutOff();
    expect(await continueAgent(sim.ports, 2)).toMatchObject({ ref: expect.stringContaining('message-') });
    expect(sim.typed.map(({ text }) => text)).toEqual([expect.stringContaining('while you were working')]);
    await sim.record({ type: 'prompt_submitted', agentId: 2, promptId: 'q', ref: null, textHash: '', excerpt: 'x' });
    expect(items()).toEqual([]);
    expect(code(await continueAgent(sim.ports, 2))).toBe('action_not_possible');
    expect(sim.typed).toHaveLength(1);
  });

  it('if an ended agent was resumed as a new agent, the refusal to continue the ended agent names the new agent', async () => {
    await cutOff();
    expect(await continueAgent(sim.ports, 1)).toMatchObject({ hint: expect.stringContaining('baton agent send 2 ') });
    await sim.record({ type: 'agent_process_gone', agentId: 2, detail: 'gone' });
    const { hint } = (await continueAgent(sim.ports, 1)) as Refusal;
    expect(hint).toContain('baton agent list');
    expect(hint).not.toContain('baton agent send');
  });

  it("if an agent was idle when it was lost, Baton does not report the agent's work as cut off", async () => {
    await lose(1);
    await restoreAgents(sim.ports);
    await tendRestoring(sim.ports);
    await began(2);
    expect([items(), sim.agent(2).cutOff ?? null]).toEqual([[], null]);
  });
});

describe('restoring lost agents', () => {
  it('each lost agent is resumed only once, however often the operator requests a restore', async () => {
    const lost = await lose(2);
    await Promise.all([restoreAgents(sim.ports), restoreAgents(sim.ports)]);
    for (let looks = 0; looks < 3; looks++) await tendRestoring(sim.ports);
    expect([successorsOf(lost), statuses()]).toEqual([
      [[3], []],
      ['starting', 'waiting'],
    ]);
    await began(3);
    for (let looks = 0; looks < 3; looks++) await tendRestoring(sim.ports);
    await restoreAgents(sim.ports);
    await tendRestoring(sim.ports);
    expect(successorsOf(lost)).toEqual([[3], [4]]);
  });

  it.each<[string, (lost: readonly Agent[]) => Promise<unknown>, string]>([
    [
      'once the operator dismissed the offer',
      async () => dismissInboxItem(sim.ports, sim.inbox()[0]?.id ?? 0),
      'the operator dismissed the offer',
    ],
    ['after 30 days', async () => sim.pass(31 * 24 * 3_600_000), 'it was lost more than 30 days ago'],
    [
      'an hour after another agent continued it',
      async () => {
        await restoreAgents(sim.ports);
        await tendRestoring(sim.ports);
        await began(2);
        await tendRestoring(sim.ports);
        expect(statuses()).toEqual(['back']);
        sim.pass(3_700_000);
      },
      'agent 2 continues its work',
    ],
  ])('[P10] Baton stops its repeated checks of a lost agent %s', async (_when, happen, detail) => {
    const [lost] = await lose(1);
    await happen([]);
    await tendRestoring(sim.ports);
    await tendRestoring(sim.ports);
    expect(sim.agent(lost?.id ?? 0).restore).toEqual({ status: 'closed', detail });
    expect([sim.ports.store.read((tx) => tx.agentsToRestore()), statuses(), sim.inbox()]).toEqual([[], [], []]);
    const resumed = await resumeAgent(sim.ports, lost?.id ?? 0, { anyway: false });
    expect(code(resumed)).toBe(detail.startsWith('agent 2') ? 'already_resumed' : undefined);
  });

  it('if a restore fails to start an agent, Baton tries to start that agent again only when the operator requests another restore', async () => {
    const lost = await lose(1);
    await restoreAgents(sim.ports);
    await tendRestoring(sim.ports);
    await sim.record({ type: 'agent_launch_failed', agentId: 2, detail: 'no program' });
    for (let looks = 0; looks < 3; looks++) await tendRestoring(sim.ports);
    expect([successorsOf(lost), statuses()]).toEqual([[[2]], ['failed']]);
    sim.pass(1_000);
    await restoreAgents(sim.ports);
    await tendRestoring(sim.ports);
    expect(successorsOf(lost)).toEqual([[2, 3]]);
  });

  it('a restore skips an agent if the operator has dismissed the offer to resume the agent', async () => {
    const lost = await lose(1);
    const [offer] = sim.ports.store.read((tx) => tx.openInboxItems());
    await dismissInboxItem(sim.ports, offer?.id ?? 0);
    expect(await restoreAgents(sim.ports)).toEqual([]);
    await tendRestoring(sim.ports);
    expect(successorsOf(lost)).toEqual([[]]);
  });
});

describe('refused resumes of an agent', () => {
  it('a resume is refused while the agent has a halted handoff run', async () => {
    const agent = await sim.addAgent();
    const run = await sim.handOver(agent.id);
    await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
    const halted = { ...sim.run(run.id), step: 'failed' as const, handoffId: 1 };
    await sim.ports.store.write((tx) => tx.saveRun(halted));
    expect(code(await resumeAgent(sim.ports, agent.id, { anyway: true }))).toBe('handoff_in_progress');
    await sim.ports.store.write((tx) => tx.saveRun({ ...halted, step: 'completed' }));
    await sim.addAgent({ previousAgentId: agent.id });
    expect(code(await resumeAgent(sim.ports, agent.id, { anyway: false }))).toBe('successor_took_over');
    expect(code(await resumeAgent(sim.ports, agent.id, { anyway: true }))).toBeUndefined();
  });

  it.each(['removed', 'its folder is gone'])(
    "if the agent's worktree no longer exists (%s), a resume of the agent is refused",
    async (how) => {
      const worktree = await addWorktree();
      const agent = await sim.addAgent({ worktreeId: worktree.id });
      await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'gone' });
      if (how === 'removed') await sim.ports.store.write((tx) => tx.saveWorktree({ ...worktree, state: 'removed' }));
      else Object.assign(sim.ports.worktrees, { isThere: async () => false });
      expect(code(await resumeAgent(sim.ports, agent.id, { anyway: false }))).toBe('worktree_gone');
    },
  );
});

const addWorktree = (): Promise<Worktree> =>
  sim.ports.store.write((tx) => {
    const at = sim.ports.clock.now();
    const { id: projectId } = tx.projectByPath('/p') ?? tx.insertProject({ name: 'p', path: '/p', createdAt: at });
    const place = { name: 'x', branch: 'baton/x', path: '/w/x', folder: '/w/x', base: 'b', baseBranch: 'main' };
    return tx.insertWorktree({ projectId, ...place, state: 'ready', createdAt: at, removedAt: null });
  });

describe('the removal of a worktree', () => {
  let removed: boolean;
  beforeEach(() => {
    removed = false;
    Object.assign(sim.ports.worktrees, {
      remove: async () => {
        removed = true;
      },
    });
  });
  const remove = async (id: number, force: readonly Loss[] = [], branch = false) => [
    code(await removeWorktree(sim.ports, id, { dryRun: false, force, branch })),
    removed,
  ];
  const REFUSED = ['worktree_has_work', false];
  const CLEAN = { uncommitted: { count: 0, untracked: 0, unsure: 0 }, unmerged: 0, unreachable: 0 };

  it.each([
    ['uncommitted', { uncommitted: { count: 1, untracked: 1, unsure: 0 } }, 'uncommitted', 'unmerged'],
    ['files that may have changed', { uncommitted: { count: 0, untracked: 0, unsure: 1 } }, 'uncommitted', 'unmerged'],
    ['files that git cannot read', { uncommitted: null }, 'uncommitted', 'unmerged'],
    ['commits on no branch', { unreachable: 2 }, 'unmerged', 'uncommitted'],
    ['an unknown number of commits', { unreachable: null }, 'unmerged', 'uncommitted'],
  ] as const)(
    'a worktree with unsaved work is removed only if the operator accepts the loss of this work: %s',
    async (_what, facts, named, other) => {
      sim.worktreeFacts = { ...sim.worktreeFacts, ...CLEAN, ...facts };
      const { id } = await addWorktree();
      expect(await remove(id)).toEqual(REFUSED);
      expect(await remove(id, [other])).toEqual(REFUSED);
      expect(await remove(id, [named])).toEqual([undefined, true]);
    },
  );

  it('a second request to remove a worktree finishes an interrupted removal', async () => {
    const worktree = await addWorktree();
    const { id } = worktree;
    const unread = { uncommitted: null, unmerged: null, unreachable: null, problem: 'not a git repository' };
    sim.worktreeFacts = { ...sim.worktreeFacts, ...unread };
    expect(await remove(id, ['uncommitted'])).toEqual(REFUSED);
    await sim.ports.store.write((tx) => tx.saveWorktree({ ...worktree, state: 'removing' }));
    expect(await remove(id, ['uncommitted'])).toEqual([undefined, true]);
  });

  it("a worktree's branch is removed only if no commit is lost", async () => {
    sim.worktreeFacts = { ...sim.worktreeFacts, ...CLEAN, unmerged: 3 };
    const { id } = await addWorktree();
    expect(await remove(id, [], true)).toEqual(REFUSED);
    expect(await remove(id)).toEqual([undefined, true]);
  });

  it('a worktree is kept if its agent is resumed before Baton records the removal', async () => {
    const { id } = await addWorktree();
    const agent = await sim.addAgent({ worktreeId: id, state: 'ended' });
    const { write } = sim.ports.store;
    const inLastMoment: typeof write = async (work) => {
      await write((tx) => tx.saveAgent({ ...agent, state: 'idle' }));
      return write(work);
    };
    Object.assign(sim.ports.store, { write: inLastMoment });
    expect(await remove(id)).toEqual(['worktree_in_use', false]);
    expect(sim.ports.store.read((tx) => tx.worktreeById(id))?.state).toBe('ready');
  });

  it('a worktree is not removed while its agent is in a handoff', async () => {
    const { id } = await addWorktree();
    const agent = await sim.addAgent({ worktreeId: id });
    await sim.handOver(agent.id);
    await sim.ports.store.write((tx) => tx.saveAgent({ ...sim.agent(agent.id), state: 'ended' }));
    expect(await remove(id, ['uncommitted', 'unmerged'])).toEqual(['worktree_in_use', false]);
  });
});

describe('the environment variables of an agent', () => {
  const variables = [
    { name: 'DATABASE', value: 'postgres://u:hunter2secret@db/x', origin: 'login_shell' },
    { name: 'UPLOAD_TOKEN', value: 'abc', origin: 'config' },
    { name: 'EDITOR', value: 'vi', origin: 'server' },
    { name: 'BATON_AGENT_TOKEN', value: 'of another agent', origin: 'project' },
  ] as const;
  beforeEach(() => {
    const forProject = async () => ({ variables, removed: [], problems: [] });
    Object.assign(sim.ports.environment, { forProject });
  });

  it("[T20] the list of an agent's variables hides secret values", async () => {
    const shown = await showEnvironment(sim.ports, { agentId: undefined, projectId: undefined });
    const values = isRefusal(shown) ? [] : shown.variables.map(({ name, value }) => [name, value]);
    expect(values.slice(0, 3)).toEqual([
      ['DATABASE', null],
      ['UPLOAD_TOKEN', null],
      ['EDITOR', 'vi'],
    ]);
  });

  it("if the runtime sets a token of its own, the agent still gets Baton's token", async () => {
    const given: Record<string, string>[] = [];
    const writeLaunch = async (_id: number, { env }: { env: Record<string, string> }) => {
      given.push(env);
      return ['agent'];
    };
    Object.assign(sim.ports.files, { writeLaunch });
    const planLaunch = () => ({ argv: ['x'], env: { BATON_AGENT_TOKEN: 'of a runtime' }, unsetEnv: [], files: {} });
    Object.assign(sim.ports.runtimes.get('sim') ?? {}, { planLaunch });
    const agent = await sim.addAgent({ registeredAt: null });
    await launchAgent(sim.ports, { kind: 'launch_agent', agentId: agent.id });
    expect(given).toMatchObject([{ BATON_AGENT_TOKEN: sim.ports.agentToken(agent.sessionUuid), EDITOR: 'vi' }]);
  });
});
