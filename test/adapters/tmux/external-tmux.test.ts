import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasTerminal, processMark } from '../../../src/adapters/tmux/foreground.ts';
import type { Inspection, PaneIdentity } from '../../../src/app/ports/terminal.ts';
import { shellQuote } from '../../../src/domain/shell-quote.ts';
import { createRig, type RawAgentOptions, type Rig, until } from './rig.ts';

const AGENT = fileURLToPath(new URL('raw-agent.mjs', import.meta.url));

/** The prompt that the shell shows while it waits for a command. */
const PROMPT = 'shell>';

/**
 * The tests use a second tmux server, which plays the role of the operator's own tmux server. A shell starts each agent
 * in this server and keeps running after the agent has ended.
 */
let rig: Rig;
let socket = '';
beforeEach(() => {
  rig = createRig();
  socket = join(rig.dir, 'own');
});
afterEach(async () => {
  try {
    own('kill-server');
  } catch {
    // Ignore the error: some tests have already stopped this tmux server themselves.
  }
  await rig.stop();
});

const own = (...words: string[]): string =>
  execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trimEnd();

interface Outside {
  readonly paneId: string;
  readonly pid: number;
  received(): string;
}

let serial = 0;
async function startOutside(options: RawAgentOptions = {}, wrap = (line: string) => line): Promise<Outside> {
  const log = join(rig.dir, `outside-${++serial}.log`);
  const pidFile = `${log}.pid`;
  const size = ['-x', '120', '-y', '40'];
  const shell = ['env', '-u', 'PROMPT_COMMAND', `PS1=${PROMPT} `, 'bash', '--norc', '-i'];
  const paneId = own('new-session', '-d', ...size, '-P', '-F', '#{pane_id}', ...shell);
  const agent = `exec '${process.execPath}' '${AGENT}' '${JSON.stringify({ ...options, log })}'`;
  own('send-keys', '-l', '-t', paneId, '--', wrap(`sh -c ${shellQuote(`echo $$ >${pidFile}; ${agent}`)}`));
  own('send-keys', '-t', paneId, 'Enter');
  await until('its first screen', () => own('capture-pane', '-p', '-t', paneId).includes('raw agent'));
  const text = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  return { paneId, pid: Number(text(pidFile)), received: () => text(log) };
}

const inspect = ({ paneId, pid }: Outside): Promise<Inspection> => rig.terminal.inspect({ socket, paneId, pid });

async function adopted(agent: Outside, tag = 'agent-1-x'): Promise<PaneIdentity> {
  const seen = await inspect(agent);
  if (seen.found !== 'pane') throw new Error(seen.detail);
  const pane = { ...seen.pane, tag };
  expect(await rig.terminal.claim(pane)).toBe(true);
  return pane;
}

const marks = (paneId: string): string => own('show-options', '-p', '-t', paneId);

describe("a pane of the operator's own tmux", () => {
  it("an agent in the operator's tmux receives text byte for byte", async () => {
    const agent = await startOutside();
    const everything = () =>
      [
        ['show-options', '-s'],
        ['show-options', '-g'],
        ['show-options', '-gw'],
        ['list-sessions', '-F', '#{session_id} #{session_name} #{session_attached}'],
        ['list-buffers'],
        ['list-clients'],
      ].map((words) => own(...words));
    const before = everything();
    const pane = await adopted(agent);
    expect(pane.panePid).not.toBe(agent.pid);
    const text = `one; two #{pane_id} $(touch ${rig.dir}/no) "q" \\ ' é✓\nlast;`;
    expect(await rig.terminal.deliver(pane, rig.prompt(text))).toMatchObject({ verdict: 'typed' });
    expect(agent.received()).toContain(text);
    expect(await rig.terminal.picture(pane)).toMatchObject({ columns: 120, rows: 40 });
    expect((await rig.terminal.list(socket)).panes).toMatchObject([
      { identity: { paneId: pane.paneId, tag: pane.tag } },
    ]);
    expect(existsSync(join(rig.dir, 'no'))).toBe(false);
    expect(everything()).toEqual(before);
    await rig.terminal.release(pane);
    expect(marks(pane.paneId)).toBe('');
  });

  it('[F13] Baton does not confuse two panes with the same number on two tmux servers', async () => {
    const ours = await rig.startAgent();
    await ours.drawn();
    const agent = await startOutside();
    // Both tmux servers have just been started, so the first pane of each server has the same number.
    const twin = { ...ours.pane, paneId: agent.paneId };
    const pane = await adopted(agent, ours.pane.tag);
    expect(await rig.terminal.deliver(pane, rig.prompt('for him'))).toMatchObject({ verdict: 'typed' });
    expect(ours.received().toString()).toBe('');
    // Two panes on different servers may have the same number. The identity of one pane must not give access to the
    // other.
    const { outside: _, ...inside } = pane;
    expect(await rig.terminal.deliver(inside, rig.prompt('x'))).toMatchObject({ reason: 'wrong_server' });
    const misled = { ...twin, outside: pane.outside } as PaneIdentity;
    expect(await rig.terminal.deliver(misled, rig.prompt('x'))).toMatchObject({ reason: 'wrong_server' });
    expect(agent.received()).not.toContain('x\r');
  });

  it("[F14] Baton types nothing into the operator's pane after the agent has ended", async () => {
    const agent = await startOutside();
    const pane = await adopted(agent);
    process.kill(agent.pid, 'SIGKILL');
    const screen = () => own('capture-pane', '-p', '-t', pane.paneId);
    await until("the shell's prompt", () => screen().split('\n').at(-1) === PROMPT);
    const shown = screen();
    expect(await rig.terminal.deliver(pane, rig.prompt('touch hacked', { waitReadyMs: 200 }))).toMatchObject({
      verdict: 'refused',
      reason: 'agent_gone',
    });
    expect(screen()).toBe(shown);
  });

  it("Baton types nothing into the operator's pane if another process now has the agent's process id", async () => {
    const agent = await startOutside();
    const pane = await adopted(agent);
    const other = { ...pane, outside: { ...pane.outside, mark: '1' } } as PaneIdentity;
    expect(await rig.terminal.deliver(other, rig.prompt('x', { waitReadyMs: 200 }))).toMatchObject({
      reason: 'agent_gone',
    });
    await rig.terminal.end(other);
    expect(await processMark(agent.pid)).toBe(pane.outside?.mark);
  });

  it("the operator's pane and its shell stay open when Baton ends the agent", async () => {
    const agent = await startOutside();
    const pane = await adopted(agent);
    await rig.terminal.end(pane);
    await until('it has ended', async () => (await processMark(agent.pid)) === undefined);
    expect(own('list-panes', '-a', '-F', '#{pane_id} #{pane_dead}')).toBe(`${pane.paneId} 0`);
  });

  it('a pane can be claimed by only one of several Batons', async () => {
    const agent = await startOutside();
    const seen = await inspect(agent);
    if (seen.found !== 'pane') throw new Error(seen.detail);
    const tags = Array.from({ length: 8 }, (_, n) => `agent-${n}-race`);
    const won = await Promise.all(tags.map((tag) => rig.makeTerminal().claim({ ...seen.pane, tag })));
    expect(won.filter(Boolean)).toHaveLength(1);
    const mine = { ...seen.pane, tag: tags[won.indexOf(true)] ?? '' };
    expect(await rig.terminal.claim(mine)).toBe(true);
    await rig.terminal.release({ ...mine, tag: 'agent-9-race' });
    expect(marks(mine.paneId)).toContain(mine.tag);
  });

  it('Baton notices that a pane is gone, was respawned or is on a restarted server', async () => {
    const agent = await startOutside();
    const pane = await adopted(agent);
    own('respawn-pane', '-k', '-t', pane.paneId, 'cat');
    expect(await rig.terminal.deliver(pane, rig.prompt('x'))).toMatchObject({ reason: 'agent_gone' });
    expect(await rig.terminal.claim(pane)).toBe(false);
    own('kill-server');
    expect(await rig.terminal.list(socket)).toEqual({ server: undefined, panes: [] });
    expect(await rig.terminal.deliver(pane, rig.prompt('x'))).toMatchObject({ reason: 'wrong_server' });
    // Baton must not start a tmux server at the operator's socket.
    expect(existsSync(socket) && processesOf(socket)).toBeFalsy();
    const next = await startOutside();
    expect(next.paneId).toBe(pane.paneId);
    expect(await rig.terminal.deliver(pane, rig.prompt('x'))).toMatchObject({ reason: 'wrong_server' });
    expect(await rig.terminal.claim(pane)).toBe(false);
    expect(next.received()).toBe('');
  });
});

const processesOf = (path: string): boolean => {
  try {
    execFileSync('tmux', ['-S', path, '-N', 'list-sessions'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};

describe('inspecting an external session', () => {
  it('the inspection of an external session says which one is wrong: the pane, the process or the tmux server', async () => {
    const agent = await startOutside();
    const other = await startOutside();
    expect(await rig.terminal.inspect({ socket, paneId: other.paneId, pid: agent.pid })).toMatchObject({
      found: 'other_terminal',
    });
    expect(await inspect({ ...agent, paneId: '%99' })).toMatchObject({ found: 'no_pane' });
    expect(await inspect({ ...agent, pid: 2 ** 22 + 1 })).toMatchObject({ found: 'no_process' });
    expect(await rig.terminal.inspect({ ...agent, socket: join(rig.dir, 'none') })).toMatchObject({
      found: 'no_server',
    });
    await rig.terminal.connect();
    const link = join(rig.dir, 'link');
    symlinkSync(rig.socketPath, link);
    for (const path of [rig.socketPath, link])
      expect(await rig.terminal.inspect({ ...agent, socket: path })).toMatchObject({ found: 'own_server' });
    const shell = Number(own('display-message', '-p', '-t', agent.paneId, '#{pane_pid}'));
    expect(await inspect({ ...agent, pid: shell })).toMatchObject({ found: 'not_in_front' });
    for (const path of [`${rig.dir}/#(touch ${rig.dir}/no)`, `/${'x'.repeat(200)}`])
      await expect(rig.terminal.inspect({ ...agent, socket: path })).rejects.toThrow(/socket path/);
    expect(existsSync(join(rig.dir, 'no'))).toBe(false);
  });

  it('hasTerminal returns false for a process that does not run in the given terminal', async () => {
    const child = spawn('sleep', ['60']);
    try {
      expect(await hasTerminal(child.pid ?? 0, '/dev/null')).toBe(false);
      expect(await hasTerminal(child.pid ?? 0, '/dev/pts/nothing')).toBe(false);
      expect(await processMark(child.pid ?? 0)).toMatch(/^\d+$/);
    } finally {
      child.kill();
    }
  });
});
