import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentWhy, Event, Run } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Tests that Baton itself notices whether its agents are alive, with the real server, tmux and practice agents. */

let baton: BatonProcess;
beforeEach(async () => {
  clientPids.clear();
  baton = new BatonProcess();
  await baton.start();
});
afterEach(() => baton.cleanUp());

const tmux = async (...args: string[]): Promise<string> =>
  (await run('tmux', ['-S', join(baton.home, 'tmux.sock'), ...args])).stdout.trim();
const look = (id: number) => baton.get<Agent>(`/api/agents/${id}`);
const send = (id: number, text: string) =>
  baton.call<{ verdict?: string; reason?: string }>('POST', `/api/agents/${id}/messages`, { text });
const became = (id: number, state: string, after = 0) =>
  baton.event(
    (event) => event.agent_id === id && event.type === 'agent_state_changed' && event.data.to === state,
    after,
  );
const lastSeq = async () => (await baton.get<{ last_seq: number }>('/api/health')).last_seq;
const eventsAfter = async (seq: number) => (await baton.get<{ events: Event[] }>(`/api/events?after=${seq}`)).events;
const panePid = async (agent: Agent) =>
  Number(await tmux('display-message', '-p', '-t', agent.tmux.pane ?? '', '#{pane_pid}'));

async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const found = await look();
    if (found) return found as NonNullable<T>;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come true');
}

const spoolFolder = () => join(baton.home, 'spool');
const spooled = () => readdirSync(spoolFolder()).filter((name) => /^\d+-\d+-\d+$/.test(name));
/** Waits until each spooled hook is in the log or was rejected. */
const drained = () => until(() => spooled().length === 0);

const tokenOf = (agent: Agent): string => baton.tokenOf(agent);
const clientPids = new Map<number, number>();
let fired = 1_999_000_000;

/**
 * Writes a spool file like the hook of the agent. The real hook script refuses to run here, because its parent process
 * is not the agent.
 */
async function fire(
  agent: Agent,
  event: string,
  payload: object,
  { id = agent.id, token = tokenOf(agent), by }: { id?: number; token?: string; by?: number } = {},
) {
  const own = clientPids.get(agent.id) ?? (await panePid(agent));
  clientPids.set(agent.id, own);
  const pid = by ?? own;
  const name = `${id}-${++fired}-1`;
  const body = JSON.stringify({ session_id: agent.session_uuid, ...payload });
  writeFileSync(join(spoolFolder(), `.${name}`), `baton1 ${token} ${event} ${pid} -\n${body}`);
  renameSync(join(spoolFolder(), `.${name}`), join(spoolFolder(), name));
  await drained();
}

describe('an agent that is gone', () => {
  it('[F31] an agent that was killed with kill -9 is shown as ended', async () => {
    const agent = await baton.agent({ persona: false });
    process.kill(await panePid(agent), 'SIGKILL');
    await became(agent.id, 'ended');
    expect(await look(agent.id)).toMatchObject({ state: 'ended', state_reason: 'its process has ended' });

    const why = await baton.get<AgentWhy>(`/api/agents/${agent.id}/why`);
    expect(why).toMatchObject({ state: 'ended', state_reason: 'its process has ended', since: expect.any(String) });
    // The session start hook may arrive before or after the launch report, so the two facts in the middle of the list
    // may have either order.
    const types = why.facts.map(({ type }) => type);
    expect([...types].sort()).toEqual(['agent_created', 'agent_launched', 'agent_process_gone', 'session_started']);
    expect([types[0], types[3]]).toEqual(['agent_created', 'agent_process_gone']);
    const told = await run(process.execPath, [PROGRAM, 'agent', 'why', String(agent.id)], {
      ...process.env,
      BATON_HOME: baton.home,
    });
    expect(told.stdout).toContain('is ended: its process has ended');
    expect(told.stdout).toMatch(/session_started +Agent \d+ started a session$/m);
    expect((await baton.call('GET', '/api/agents/99/why')).status).toBe(404);
  });

  it('[F10] [F46] an agent whose tmux server was killed is shown as lost', async () => {
    const inHandoff = await baton.agent({ behaviour: { handoff: 'slow' } });
    const idle = await baton.agent({ persona: false });
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${inHandoff.id}/handoff`, {});
    await baton.step(body.run_id, 'awaiting_document');
    await tmux('kill-server');
    for (const { id } of [inHandoff, idle]) {
      await became(id, 'lost');
      expect(await look(id)).toMatchObject({
        state: 'lost',
        state_reason: "the tmux server that held the agent's pane is gone",
      });
    }
    const halted = await baton.over(body.run_id);
    expect(halted).toMatchObject({ step: 'failed', successor_agent_id: null });
    expect(halted.failure?.sentence).toContain(`(agent ${inHandoff.id})`);
    expect(halted.failure?.hint).not.toBe('');
    expect((await baton.get<{ agents: Agent[] }>('/api/agents')).agents).toHaveLength(2);
    expect(await send(idle.id, 'hello')).toMatchObject({ status: 400, body: { error: 'Agent is not active' } });

    // Restart Baton, which then starts a new tmux server. The agents must still be lost.
    await baton.kill();
    await baton.start();
    expect((await look(idle.id)).state).toBe('lost');
    expect(await tmux('list-panes', '-a', '-F', '#{@baton_tag}')).not.toContain('agent');
  });

  it.each(['down', 'up'])(
    '[F10] if tmux restarts while Baton is %s, a new program with the old pane id is not taken for the lost agent',
    async (was) => {
      const agent = await baton.agent({ persona: false });
      const log = join(baton.home, 'stranger.log');
      if (was === 'down') await baton.kill();
      await tmux('kill-server');
      writeFileSync(log, '');
      // In the new tmux server, another program has the lost agent's pane id, and the test gives this pane the agent's
      // tag. Baton must still not take the program for the agent.
      const stranger = `stty raw -echo; cat >'${log}'`;
      while ((await tmux('list-panes', '-a', '-F', '#{pane_id}')).split('\n').includes(agent.tmux.pane ?? '') === false)
        await tmux('-f', '/dev/null', 'new-session', '-d', stranger);
      await tmux('set-option', '-p', '-t', agent.tmux.pane ?? '', '@baton_tag', agent.tmux.session);
      if (was === 'down') await baton.start();
      else await became(agent.id, 'lost');
      expect(await look(agent.id)).toMatchObject({ state: 'lost' });
      expect((await send(agent.id, 'touch canary')).status).toBe(400);
      expect((await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true })).status).toBe(400);
      expect(await tmux('list-panes', '-a', '-F', '#{pane_id}')).toContain(agent.tmux.pane);
      expect(readFileSync(log, 'utf8')).toBe('');
    },
  );

  it("[F14] if a shell keeps running in the pane after the agent's client has exited, a handoff fails and Baton types nothing", async () => {
    await baton.restart({ deadlines_seconds: { waiting_safe_point: 2 } });
    const agent = await baton.agent({ behaviour: { exit: 'shell' } });
    await baton.call('POST', `/api/agents/${agent.id}/stop`, {});
    await became(agent.id, 'awaiting_input');
    expect(await look(agent.id)).toMatchObject({ state_reason: 'another program has its terminal', ended_at: null });

    const canary = join(agent.projectPath, 'canary');
    expect(await send(agent.id, `touch ${canary}`)).toMatchObject({
      body: { verdict: 'refused', reason: 'agent_gone' },
    });
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const halted = await baton.over(body.run_id);
    expect(halted.failure).toMatchObject({
      code: 'no_safe_point',
      sentence: expect.stringContaining('another program has its terminal'),
    });
    expect(existsSync(canary)).toBe(false);
    expect(await tmux('capture-pane', '-p', '-t', agent.tmux.pane ?? '')).not.toContain('canary');

    // Exit the shell, which closes the pane of the agent.
    await tmux('send-keys', '-t', agent.tmux.pane ?? '', 'exit', 'Enter');
    await became(agent.id, 'ended');
  });

  it("[F14] an agent that exits during a handoff gets no successor while a shell keeps running in the agent's pane", async () => {
    await baton.restart({ deadlines_seconds: { shutting_down: 3 } });
    const agent = await baton.agent({ behaviour: { exit: 'shell' } });
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const halted = await baton.over(body.run_id);
    expect(halted).toMatchObject({ failure: { code: 'did_not_exit' }, successor_agent_id: null });
    await expect.poll(async () => (await look(agent.id)).state_reason).toBe('another program has its terminal');
  });

  it('[F23] a late hook, even a SessionStart hook, does not make an ended agent live again', async () => {
    const agent = await baton.agent({ persona: false });
    const pid = await panePid(agent);
    clientPids.set(agent.id, pid);
    process.kill(pid, 'SIGKILL');
    const { seq } = await became(agent.id, 'ended');
    await fire(agent, 'UserPromptSubmit', { prompt_id: 'late', prompt: 'late' });
    await fire(agent, 'PreToolUse', { prompt_id: 'late', tool_name: 'Read' });
    await fire(agent, 'Stop', { prompt_id: 'late' });
    await fire(agent, 'SessionStart', { source: 'startup' });
    await fire(agent, 'SessionStart', { source: 'resume' });
    expect((await eventsAfter(seq)).filter(({ type }) => type === 'agent_state_changed')).toEqual([]);
    expect((await look(agent.id)).state).toBe('ended');
  });
});

describe('Baton after a restart', () => {
  it('[F1] [F36] after a restart, Baton knows the current state of every agent', async () => {
    const [idle, working, dead] = [
      await baton.agent({ persona: false }),
      await baton.agent({ persona: false }),
      await baton.agent({ persona: false }),
    ] as const;
    await send(working.id, 'Think. [[practice:slow 60000]]');
    await became(working.id, 'working');
    const deadPid = await panePid(dead);
    const before = await Promise.all([idle, working].map(panePid));
    await baton.kill();
    process.kill(deadPid, 'SIGKILL');
    await until(
      async () => (await tmux('list-panes', '-a', '-F', '#{pane_pid} #{pane_dead}')).includes(`${deadPid} 0`) === false,
    );
    await baton.start();
    const states = await Promise.all([idle, working, dead].map(async ({ id }) => (await look(id)).state));
    expect(states).toEqual(['idle', 'working', 'ended']);
    expect(await Promise.all([idle, working].map(panePid))).toEqual(before);
    expect((await send(idle.id, '[[practice:say still here]]')).body.verdict).toBe('accepted');
  });

  it('[F36] if the spool was full while Baton was down, Baton reports the full spool once after its restart', async () => {
    await baton.kill();
    writeFileSync(join(spoolFolder(), 'full'), '');
    writeFileSync(join(spoolFolder(), 'overflow'), '.'.repeat(7));
    await baton.start();
    const told = await baton.event(({ type }) => type === 'spool_overflowed');
    expect(told.data).toEqual({ count: 7 });
    expect(readFileSync(join(baton.home, 'baton.log'), 'utf8')).toContain('the spool was full');
    await until(() => !readdirSync(spoolFolder()).some((name) => /^(full|overflow)/.test(name)));
    await baton.kill();
    await baton.start();
    const all = (await eventsAfter(0)).filter(({ type }) => type === 'spool_overflowed');
    expect(all).toHaveLength(1);
  });
});

describe('the hooks of an agent', () => {
  it('[F23] [T16] if a hook arrives twice, the second arrival changes nothing', async () => {
    const agent = await baton.agent({ persona: false });
    await baton.kill();
    // Play a whole turn while Baton is down. The hooks of this turn then wait in the spool.
    await tmux('send-keys', '-t', agent.tmux.pane ?? '', '[[practice:say hi]]', 'Enter');
    const isStop = (name: string) =>
      / Stop /.test(readFileSync(join(spoolFolder(), name), 'utf8').split('\n', 1)[0] ?? '');
    await until(() => spooled().some(isStop));
    const kept = join(baton.home, 'kept');
    mkdirSync(kept);
    const names = spooled();
    for (const name of names) copyFileSync(join(spoolFolder(), name), join(kept, name));
    const playAgain = (last: string) => {
      for (const name of names) {
        copyFileSync(join(kept, name), join(spoolFolder(), `.${name}${last}`));
        renameSync(join(spoolFolder(), `.${name}${last}`), join(spoolFolder(), `${name}${last}`));
      }
    };
    playAgain('0');
    await baton.start();
    await drained();
    const prompts = async () => (await eventsAfter(0)).filter(({ type }) => type === 'prompt_submitted').length;
    expect([await prompts(), (await look(agent.id)).state]).toEqual([1, 'idle']);

    // Replay the old hooks in the middle of another turn, as if they arrived a day late.
    await send(agent.id, 'Think. [[practice:slow 60000]]');
    await until(async () => (await look(agent.id)).state === 'working');
    const seq = await lastSeq();
    playAgain('1');
    await fire(agent, 'SessionStart', { source: 'startup' });
    expect((await look(agent.id)).state).toBe('working');
    expect((await eventsAfter(seq)).filter(({ type }) => type === 'agent_state_changed')).toEqual([]);
    expect(await prompts()).toBe(2);
  });

  it("[T16] [T17] hooks with another agent's token are ignored", async () => {
    const [agent, other] = [await baton.agent({ persona: false }), await baton.agent({ persona: false })];
    const seq = await lastSeq();
    await fire(agent, 'UserPromptSubmit', { prompt_id: 'x', prompt: 'x' }, { token: 'f'.repeat(64) });
    await fire(agent, 'SessionEnd', { reason: 'other' }, { id: other.id });
    // [T17] Act as a nested agent, that is, an agent that another agent has started. The nested agent inherits the
    // outer agent's environment, including the token.
    const nested = { by: process.pid };
    await fire(agent, 'SessionStart', { session_id: 'nested', source: 'startup' }, nested);
    await fire(agent, 'UserPromptSubmit', { session_id: 'nested', prompt_id: 'n', prompt: 'n' }, nested);
    await fire(agent, 'Stop', { session_id: 'nested', prompt_id: 'n' }, nested);
    // Ignore measurements of the context use, because they come from status lines, which may still arrive.
    const heard = (await eventsAfter(seq)).filter(({ agent_id, type }) => agent_id && type !== 'context_measured');
    expect(heard).toEqual([]);
    expect([(await look(agent.id)).state, (await look(other.id)).state]).toEqual(['idle', 'idle']);
  });

  it('[T17] the hooks of an agent that runs inside another agent are ignored', async () => {
    const agent = await baton.agent({ persona: false });
    const folder = join(baton.home, 'agents', String(agent.id));
    const [program] = /'[^']*practice\/main\.js'/.exec(readFileSync(join(folder, 'launch.sh'), 'utf8')) ?? [];
    const nested = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const [log, socket] = [join(folder, 'nested.jsonl'), join(folder, 'n.sock')];
    const settings = join(folder, 'settings.json');
    const inside = `env BATON_PRACTICE_LOG=${log} ${process.execPath} ${program} --session-id ${nested} --settings ${settings}`;
    const script = join(folder, 'nested.sh');
    writeFileSync(script, `tmux -S ${socket} -f /dev/null new-session -d -x 80 -y 24 "${inside}"\n`);
    const seq = await lastSeq();
    try {
      await send(agent.id, `[[practice:bash sh ${script}]]`);
      await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('"start"'));
      // Let the nested agent clear its session and take a turn in another terminal, with the environment of the outer
      // agent.
      const type = (text: string) => run('tmux', ['-S', socket, 'send-keys', text, 'Enter']);
      const screen = async () => (await run('tmux', ['-S', socket, 'capture-pane', '-p'])).stdout;
      await until(async () => /^❯\u00a0/m.test(await screen()));
      await type('/clear');
      await type('[[practice:say nested]]');
      await until(async () => /nested/.test(await screen()));
      await until(() => readFileSync(log, 'utf8').includes('"submitted"'));
    } finally {
      await run('tmux', ['-S', socket, 'kill-server']);
    }
    await drained();
    const heard = (await eventsAfter(seq)).filter(({ agent_id }) => agent_id === agent.id);
    expect(heard.filter(({ type }) => type === 'session_started' || type === 'session_ended')).toEqual([]);
    expect(heard.filter(({ type }) => type === 'prompt_submitted')).toHaveLength(1);
    const before = await lastSeq();
    await send(agent.id, '[[practice:say still itself]]');
    await baton.event(({ type, agent_id }) => type === 'turn_ended' && agent_id === agent.id, before);
    expect(baton.accepted(agent.id, 'still itself')).toBe(1);
  });

  it('[F40] hooks that arrive after /clear still belong to the same agent', async () => {
    const agent = await baton.agent();
    const seq = await lastSeq();
    await tmux('send-keys', '-t', agent.tmux.pane ?? '', '/clear', 'Enter');
    const cleared = await baton.event(
      ({ type, agent_id, data }) => type === 'session_started' && agent_id === agent.id && data.source === 'clear',
      seq,
    );
    expect(cleared.data.runtimeSessionId).not.toBe(agent.session_uuid);
    expect(await look(agent.id)).toMatchObject({ state: 'idle', skill_injected_at: agent.skill_injected_at });
    await send(agent.id, '[[practice:say after clear]]');
    await baton.event(({ type, agent_id }) => type === 'turn_ended' && agent_id === agent.id, cleared.seq);
    expect(baton.accepted(agent.id, '-skill]')).toBe(1);
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    expect(await baton.over(body.run_id)).toMatchObject({ step: 'completed' } satisfies Partial<Run>);
  });
});
