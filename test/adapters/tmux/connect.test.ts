import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSupported } from '../../../src/adapters/tmux/connection/probe-version.ts';
import { TerminalFault } from '../../../src/adapters/tmux/connection/terminal-fault.ts';
import { createRig, type Rig, until } from './rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = createRig();
});
afterEach(() => rig.stop());

const faultOf = async (work: Promise<unknown>): Promise<TerminalFault> => {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(TerminalFault);
  return fault as TerminalFault;
};

function fakeTmux(script: string): string {
  const path = join(rig.dir, 'fake-tmux');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('[F9] the connection to tmux', () => {
  it('a missing tmux is reported with the install command', async () => {
    const fault = await faultOf(rig.makeTerminal({ tmuxBinary: join(rig.dir, 'none') }).connect());
    expect(fault).toMatchObject({ kind: 'unavailable', operation: 'connect' });
    expect(fault.message).toMatch(/tmux was not found .*install/);
  });

  it('a tmux that is too old is reported', async () => {
    const fault = await faultOf(rig.makeTerminal({ tmuxBinary: fakeTmux('echo tmux 2.9') }).connect());
    expect(fault.message).toBe('tmux 2.9 is too old: Baton needs tmux 3.2 or newer');
    const versions = ['tmux 3.1c', 'tmux 3.2', 'tmux 3.3a', 'tmux next-3.7', 'tmux master', 'tmux openbsd-7.5'];
    expect(versions.map(isSupported)).toEqual([false, true, true, true, true, true]);
  });

  it('a tmux that does not answer is killed', async () => {
    const tmuxBinary = fakeTmux('exec sleep 60');
    const fault = await faultOf(rig.makeTerminal({ tmuxBinary, commandTimeoutMs: 200 }).connect());
    expect(fault).toMatchObject({ kind: 'timeout', outcomeUnknown: true });
  });

  it('Baton retries the start of tmux while an old tmux server is still shutting down', async () => {
    const count = join(rig.dir, 'refusals');
    const tmuxBinary = fakeTmux(`
case "$*" in *new-session*)
  echo x >> '${count}'
  [ "$(wc -l < '${count}')" -gt 12 ] || { echo 'server exited unexpectedly' >&2; exit 1; }
esac
exec tmux "$@"`);
    await rig.makeTerminal({ tmuxBinary }).connect();
    expect(readFileSync(count, 'utf8').trim().split('\n')).toHaveLength(13);
  });

  it('a socket path that tmux cannot use is refused', async () => {
    for (const socketPath of [`/tmp/${'x'.repeat(96)}`, '/tmp/a#(touch x)', '/tmp/a\nb']) {
      expect(await faultOf(rig.makeTerminal({ socketPath }).connect())).toMatchObject({ kind: 'invalid' });
    }
  });

  it('a call times out if the tmux server is paused (SIGSTOP)', async () => {
    await rig.terminal.connect();
    const hasty = rig.makeTerminal({ commandTimeoutMs: 3000 });
    await hasty.connect();
    const server = Number(rig.tmux('display-message', '-p', '#{pid}'));
    process.kill(server, 'SIGSTOP');
    try {
      const faults = await Promise.all([hasty.list(), hasty.list()].map(faultOf));
      for (const fault of faults) {
        expect(fault).toMatchObject({ kind: 'timeout', outcomeUnknown: true });
        expect(fault.message).toContain('unknown');
      }
      expect((await faultOf(hasty.list())).kind).toBe('timeout');
    } finally {
      process.kill(server, 'SIGCONT');
    }
    expect((await hasty.list()).panes).toEqual([]);
    expect(Number(rig.tmux('display-message', '-p', '#{pid}'))).toBe(server);
  });
});

describe("the connection to Baton's own tmux server", () => {
  it("Baton's tmux server does not read the operator's own tmux configuration", async () => {
    const home = join(rig.dir, 'home');
    const canary = join(rig.dir, 'leaked');
    mkdirSync(home);
    writeFileSync(
      join(home, '.tmux.conf'),
      `set -g remain-on-exit on\nset -g @leak yes\nrun-shell "touch ${canary}"\n`,
    );
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, TMUX: '/tmp/elsewhere,1,0', TMUX_PANE: '%7' };
    await rig.makeTerminal({ env }).connect();
    expect(rig.tmux('show-options', '-gqv', '@leak')).toBe('');
    expect(rig.tmux('show-options', '-gv', 'remain-on-exit')).toBe('off');
    expect(rig.tmux('show-options', '-sv', 'exit-empty')).toBe('off');
    expect(rig.tmux('show-environment', '-g')).not.toMatch(/^TMUX/m);
    expect(existsSync(canary)).toBe(false);
    expect(statSync(rig.configPath).mode & 0o777).toBe(0o600);
    expect(readFileSync(rig.configPath, 'utf8')).not.toContain('#(');
  });

  it("Baton's tmux server loads the operator's extra options, except those that Baton depends on", async () => {
    const own = createRig();
    const ownConfigPath = join(own.dir, "own 'options'.conf");
    writeFileSync(
      ownConfigPath,
      'set -g mouse on\nset -s focus-events on\nset -g remain-on-exit on\nset -s exit-empty on\n',
    );
    try {
      await own.makeTerminal({ ownConfigPath }).connect();
      expect(own.tmux('show-options', '-gv', 'mouse')).toBe('on');
      expect(own.tmux('show-options', '-sv', 'focus-events')).toBe('on');
      expect(own.tmux('show-options', '-gv', 'remain-on-exit')).toBe('off');
      expect(own.tmux('show-options', '-sv', 'exit-empty')).toBe('off');
      // An earlier Baton, and not the operator, wrote this file. Baton must delete the file.
      writeFileSync(ownConfigPath, '# Written by Baton at every start. Changes are lost.\nset -g mouse off\n');
      await own.makeTerminal({ ownConfigPath }).connect();
      expect(existsSync(ownConfigPath)).toBe(false);
    } finally {
      await own.stop();
    }
  });

  it("tmux accepts every line of Baton's configuration", async () => {
    await rig.terminal.connect();
    const source = spawnSync('tmux', ['-S', rig.socketPath, 'source-file', rig.configPath], { encoding: 'utf8' });
    expect(source).toMatchObject({ status: 0, stderr: '' });
  });

  it('Baton starts only one tmux server if several connections are opened at once', async () => {
    await Promise.all([rig.terminal.connect(), rig.terminal.connect(), rig.makeTerminal().connect()]);
    expect(rig.tmux('list-sessions', '-F', '#{session_name}')).toBe('_baton');
    await until('two clients', () => rig.tmux('list-clients').split('\n').length === 2);
  });

  it('[F3] Baton kills the tmux control client that an earlier, killed Baton left behind', async () => {
    await rig.makeTerminal().connect();
    const dead = spawnSync('true').pid;
    const orphan = spawn('tmux', ['-S', rig.socketPath, '-C', 'attach-session', '-t', '=_baton'], {
      env: { ...process.env, TERM: `baton-${dead}` },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise((resolve) => orphan.once('exit', (_code, signal) => resolve(signal)));
    await until('two clients', () => rig.tmux('list-clients').split('\n').length === 2);
    await rig.makeTerminal().connect();
    expect(await ended).toBe('SIGKILL');
    await until('both terminals', () => rig.tmux('list-clients').split('\n').length === 2);
  });

  it('Baton starts a new tmux server right after kill-server', async () => {
    for (let round = 0; round < 8; round++) {
      const terminal = rig.makeTerminal();
      await terminal.connect();
      rig.tmux('kill-server');
    }
    await rig.terminal.connect();
    expect((await rig.terminal.list()).panes).toEqual([]);
  });

  it('[F10] Baton lists no panes after the tmux server has exited', async () => {
    const agent = await rig.startAgent();
    const { serverPid, serverStartedAt } = agent.pane;
    expect((await rig.terminal.list()).server).toEqual({ serverPid, serverStartedAt });
    expect((await rig.terminal.list()).panes).toHaveLength(1);
    rig.tmux('kill-server');
    await rig.terminal.end(agent.pane);
    expect(await rig.terminal.list()).toEqual({ server: undefined, panes: [] });
    expect(await rig.terminal.capture(agent.pane)).toBeUndefined();
    expect(() => rig.tmux('list-sessions')).toThrow();
    const next = await rig.startAgent();
    expect(next.pane.serverPid).not.toBe(agent.pane.serverPid);
    expect(await rig.terminal.capture(agent.pane)).toBeUndefined();
  });

  it("if Baton's own tmux session is killed, Baton opens a new one", async () => {
    const agent = await rig.startAgent();
    rig.tmux('kill-session', '-t', '=_baton');
    expect((await rig.terminal.list()).panes[0]?.identity).toEqual(agent.pane);
  });

  it('agents keep running when Baton closes its connection to tmux', async () => {
    const held = () => process.getActiveResourcesInfo().filter((name) => /^(Process|Pipe)/.test(name)).length;
    const agent = await rig.startAgent();
    const during = held();
    await rig.terminal.close();
    await until('the handles to go', () => held() <= during - 3);
    expect(rig.tmux('list-panes', '-t', agent.pane.paneId, '-F', '#{pane_pid}')).toBe(String(agent.pane.panePid));
    expect((await faultOf(rig.terminal.list())).message).toContain('closed');
  });
});

describe('changes that tmux reports', () => {
  it('Baton calls onChange when a tmux session starts or ends', async () => {
    await rig.terminal.connect();
    let fired = 0;
    rig.terminal.onChange(() => fired++);
    const causes = async (what: string, act: () => unknown) => {
      const before = fired;
      await act();
      await until(what, () => fired > before);
    };
    await causes('a new session', () => rig.tmux('new-session', '-d', '-s', 'other', 'cat', '-'));
    await causes('its end', () => rig.tmux('send-keys', '-t', '=other:', 'C-d'));
    const agent = await rig.startAgent();
    await causes('a killed session', () => rig.tmux('kill-session', '-t', `=${agent.name}`));
    const client = Number(rig.tmux('list-clients', '-F', '#{client_pid}'));
    await causes('the death of the connection', () => process.kill(client, 'SIGKILL'));
    expect((await rig.terminal.list()).panes).toEqual([]);
    await causes('the death of the server', () => rig.tmux('kill-server'));
  });
});

it('the attach command is quoted for a shell', () => {
  expect(rig.terminal.attachCommand('a-1')).toBe(`tmux -S ${rig.socketPath} attach -t '=a-1'`);
  const odd = rig.makeTerminal({ socketPath: "/tmp/it's here/s" });
  expect(odd.attachCommand('a-1')).toBe(`tmux -S '/tmp/it'\\''s here/s' attach -t '=a-1'`);
  expect(() => rig.terminal.attachCommand("x'; rm")).toThrow(TerminalFault);
});
