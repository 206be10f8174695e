import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, Event, InboxItem } from '../../../src/contract/resources.ts';
import type { Restore } from '../../../src/contract/restore.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { isRunning } from '../../support/is-running.ts';

/** Tests resumed agents with the real server, real tmux and practice agents. */

let baton: BatonProcess;
beforeEach(async () => {
  baton = new BatonProcess();
  await baton.start({ BATON_FAKE_BOOT_ID: 'boot-1' });
});
afterEach(() => baton.cleanUp());

const tmux = async (...args: string[]) =>
  (await run('tmux', ['-S', join(baton.home, 'tmux.sock'), ...args])).stdout.trim();
const look = (id: number) => baton.get<Agent>(`/api/agents/${id}`);
const inbox = async () => (await baton.get<{ items: InboxItem[] }>('/api/inbox')).items;
const say = (id: number, text: string) => baton.call('POST', `/api/agents/${id}/messages`, { text });
const resume = (id: number, body: object = {}) =>
  baton.call<Agent & { code: string; error: string }>('POST', `/api/agents/${id}/resume`, body);
const panePid = async ({ tmux: { pane } }: Agent) =>
  Number(await tmux('display-message', '-p', '-t', pane ?? '', '#{pane_pid}'));
const became = (id: number, to: string) =>
  baton.event((event) => event.agent_id === id && event.type === 'agent_state_changed' && event.data.to === to);
const starts = (id: number) => baton.evidence(id).filter(({ type }) => type === 'start').length;
const cli = (...args: string[]) =>
  run(process.execPath, [PROGRAM, ...args], { ...process.env, BATON_HOME: baton.home, BATON_AGENT_TOKEN: '' });

async function turnOf(id: number, text: string): Promise<void> {
  const { last_seq } = await baton.get<{ last_seq: number }>('/api/health');
  await say(id, text);
  await baton.event((event) => event.agent_id === id && event.type === 'turn_ended', last_seq);
}

async function killAgent(agent: Agent): Promise<void> {
  process.kill(await panePid(agent), 'SIGKILL');
  await became(agent.id, 'ended');
}

describe('an agent that died outside of a run', () => {
  it('the conversation of a dead agent can be resumed by a new agent in the same folder', async () => {
    const agent = await baton.agent();
    await turnOf(agent.id, 'Remember the word heliotrope.');
    expect((await resume(agent.id)).body).toMatchObject({ code: 'agent_still_active' });
    await killAgent(agent);
    const [item] = await inbox();
    expect(item).toMatchObject({
      kind: 'notice',
      agent_id: agent.id,
      sentence: expect.stringContaining('ended unexpectedly'),
      offers: ['resume', 'succeed'],
    });

    const { stdout } = await cli('agent', 'resume', String(agent.id), '--json');
    const back = JSON.parse(stdout) as Agent;
    expect(back).toMatchObject({
      resumed_from: agent.id,
      state: 'idle',
      folder: agent.folder,
      persona: { slug: agent.persona?.slug },
    });
    const remembered = baton.evidence(back.id).find(({ type }) => type === 'resumed')?.prompts;
    expect(JSON.stringify(remembered)).toContain('heliotrope');
    expect([baton.accepted(agent.id, '-skill]'), baton.accepted(back.id, '-skill]')]).toEqual([1, 0]);
    expect(await inbox()).toEqual([]);
    expect(await look(agent.id)).toMatchObject({ state: 'ended', resumed_as: back.id });
    expect((await resume(agent.id)).body).toMatchObject({ code: 'already_resumed' });

    // The document of the resumed agent must mention the conversation before the crash. Then the agent still remembers
    // that conversation.
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${back.id}/handoff`, {});
    const over = await baton.over(body.run_id);
    expect(over).toMatchObject({ step: 'completed', acknowledged: true });
    expect(readFileSync(over.document?.absolute_path ?? '', 'utf8')).toContain('heliotrope');

    expect((await resume(back.id)).body).toMatchObject({ code: 'successor_took_over' });
    const beside = await resume(back.id, { anyway: true });
    expect(beside.status).toBe(201);
    await baton.ready(beside.body.id, true);
  });

  it('the end of an agent that was asked to exit causes no inbox item', async () => {
    const [stopped, left] = [await baton.agent({ persona: false }), await baton.agent({ persona: false })] as const;
    await baton.call('POST', `/api/agents/${stopped.id}/stop`, {});
    await became(stopped.id, 'ended');
    await tmux('send-keys', '-t', left.tmux.pane ?? '', '/exit', 'Enter');
    await became(left.id, 'ended');
    expect(await inbox()).toEqual([]);
  });

  it('a dead agent cannot be resumed without its transcript', async () => {
    const agent = await baton.agent();
    await killAgent(agent);
    rmSync(join(baton.home, 'agents', String(agent.id), 'practice.transcript.jsonl'));
    const { status, body } = await resume(agent.id);
    expect([status, body.code]).toEqual([409, 'conversation_gone']);
    expect((await baton.get<{ agents: Agent[] }>('/api/agents')).agents).toHaveLength(1);
  });

  it("[H35] a halted run offers no actions after the conversation of the run's agent was resumed", async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'crash' } });
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const halted = await baton.over(body.run_id);
    expect(halted.step).toBe('failed');
    // The inbox must have only the item about the run. The end of the agent must not add an item.
    expect((await inbox()).map(({ run_id }) => run_id)).toEqual([body.run_id]);
    expect(halted.actions.length).toBeGreaterThan(0);
    const { body: back } = await resume(agent.id);
    await baton.ready(back.id, true);
    const after = await baton.get<typeof halted>(`/api/runs/${body.run_id}`);
    const ofTheRun = (await inbox()).filter(({ run_id }) => run_id === body.run_id);
    expect([after.step, after.actions, ofTheRun]).toEqual(['failed', [], []]);
    expect((await baton.call('POST', `/api/runs/${body.run_id}/cancel`, {})).status).toBe(409);
  });
});

describe('agents after a reboot', () => {
  /** Kills Baton and tmux together, so the agents lose their terminals and end. */
  async function outage(): Promise<void> {
    await baton.kill();
    const pids = (await tmux('list-panes', '-a', '-F', '#{pane_pid}')).split('\n').map(Number);
    process.kill(Number(await tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  }
  const restored = async (): Promise<Restore> => {
    await expect.poll(async () => (await baton.get<Restore>('/api/agents/restore')).over).toBe(true);
    return baton.get<Restore>('/api/agents/restore');
  };
  const resumedEvents = async () =>
    (await baton.get<{ events: Event[] }>('/api/events?type=agent_resumed&limit=100')).events.map(
      ({ agent_id }) => agent_id,
    );

  it('after a reboot, `baton agent restore` restores each agent that was running, and no agent twice', async () => {
    const [one, two, stopped] = [
      await baton.agent(),
      await baton.agent(),
      await baton.agent({ persona: false }),
    ] as const;
    await turnOf(one.id, 'Remember the word heliotrope.');
    await baton.call('POST', `/api/agents/${stopped.id}/stop`, { force: true });
    await became(stopped.id, 'ended');
    await outage();
    await baton.start({ BATON_FAKE_BOOT_ID: 'boot-2' });
    const [item, ...more] = await inbox();
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      kind: 'decision',
      sentence: expect.stringMatching(/^2 agents were running before the machine restarted/),
      offers: ['restore'],
    });
    const dry = await cli('agent', 'restore', '--dry-run');
    expect(dry.stdout).toContain(`agent ${one.id}`);
    expect((await baton.get<{ agents: Agent[] }>('/api/agents?live=1')).agents).toEqual([]);

    const { code, stdout } = await cli('agent', 'restore');
    expect([code, stdout.match(/continues as agent/g)?.length]).toEqual([0, 2]);
    const live = (await baton.get<{ agents: Agent[] }>('/api/agents?live=1')).agents;
    expect(live.map(({ resumed_from }) => resumed_from)).toEqual([one.id, two.id]);
    const first = live[0]?.id ?? 0;
    expect(JSON.stringify(baton.evidence(first).find(({ type }) => type === 'resumed')?.prompts)).toContain(
      'heliotrope',
    );
    await expect.poll(inbox).toEqual([]);

    await cli('agent', 'restore', '--json');
    expect(await resumedEvents()).toEqual([one.id, two.id]);
    expect(live.map(({ id }) => starts(id))).toEqual([1, 1]);
  });

  it.each(['restore:next#2', 'restore:resumed#1', 'launch_agent:claimed#1', 'launch_agent:performed#2'])(
    'if Baton is killed at %s during a restore, the next Baton finishes the restore and starts no agent twice',
    async (point) => {
      const agents = [await baton.agent(), await baton.agent()];
      await outage();
      await baton.start({ BATON_FAKE_BOOT_ID: 'boot-2', BATON_CRASH_AT: point });
      await baton.call('POST', '/api/agents/restore', {});
      expect(await baton.ended()).toBe('SIGKILL');
      await baton.start({ BATON_FAKE_BOOT_ID: 'boot-2' });
      const { agents: back } = await restored();
      expect(back.map(({ agent_id, status }) => [agent_id, status])).toEqual(agents.map(({ id }) => [id, 'back']));
      expect(await resumedEvents()).toEqual(agents.map(({ id }) => id));
      expect((await baton.get<{ agents: Agent[] }>('/api/agents')).agents).toHaveLength(4);
      expect(back.map(({ resumed_as }) => starts(resumed_as ?? 0))).toEqual([1, 1]);
    },
  );

  it('`baton agent restore` names each agent that cannot be resumed', async () => {
    const [broken, whole] = [await baton.agent(), await baton.agent()] as const;
    await outage();
    rmSync(join(baton.home, 'agents', String(broken.id), 'practice.transcript.jsonl'));
    await baton.start({ BATON_FAKE_BOOT_ID: 'boot-2' });
    const { code, stdout } = await cli('agent', 'restore');
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`(agent ${broken.id}) was not restored: The conversation of agent ${broken.id} is gone`),
    ]);
    expect(await look(whole.id)).toMatchObject({ resumed_as: expect.any(Number) });
    expect((await inbox()).map(({ sentence }) => sentence).join('\n')).toContain(`Agent ${broken.id} was not resumed`);
  });

  it('[H35] a handoff that a reboot interrupted offers no actions after its agent was restored', async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'ignore' } });
    const other = await baton.agent();
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    await baton.step(body.run_id, 'awaiting_document');
    await outage();
    await baton.start({ BATON_FAKE_BOOT_ID: 'boot-2' });
    const whole = await baton.over(body.run_id);
    expect(whole.step).toBe('failed');
    await baton.call('POST', '/api/agents/restore', {});
    const { agents } = await restored();
    expect(agents.find(({ agent_id }) => agent_id === other.id)).toMatchObject({ status: 'back' });
    // Baton must have resumed the agent of the failed run, because this run has no record. After the resume, the run
    // must offer no actions.
    const back = agents.find(({ agent_id }) => agent_id === agent.id);
    expect(back).toMatchObject({ status: 'back' });
    expect((await baton.get<typeof whole>(`/api/runs/${body.run_id}`)).actions).toEqual([]);
  });
});

it('after a crash of the tmux server, `baton agent restore` brings its agents back', async () => {
  const agent = await baton.agent();
  process.kill(Number(await tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
  await became(agent.id, 'lost');
  await expect
    .poll(async () => (await inbox()).map(({ sentence }) => sentence))
    .toEqual([expect.stringMatching(/^1 agent was running before the tmux server ended/)]);
  const { code } = await cli('agent', 'restore');
  expect(code).toBe(0);
  expect((await look(agent.id)).resumed_as).toEqual(expect.any(Number));
});
