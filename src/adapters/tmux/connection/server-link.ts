import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOrphans, ownTerm } from '../end-orphans.ts';
import { checkSocketPath } from '../typing/checks.ts';
import { type ControlClient, spawnControlClient } from './control-client.ts';
import { probeVersion } from './probe-version.ts';
import { runTmux, type TmuxProgram } from './run-tmux.ts';
import { TerminalFault } from './terminal-fault.ts';
import { PANE_COLUMNS, PANE_ROWS, writeTmuxConfig } from './tmux-config.ts';

export interface ServerLink {
  /**
   * Connects to the tmux server. Returns `undefined` if there is no server and `mode` does not ask to start a server.
   */
  open(mode: 'start' | 'existing'): Promise<ControlClient | undefined>;
  close(): Promise<void>;
}

export interface ServerLinkOptions {
  readonly socketPath: string;
  readonly configPath: string;
  readonly ownConfigPath?: string | undefined;
  readonly program: TmuxProgram;
  onNotice(line: string): void;
  onExit(): void;
}

/**
 * The name of the session that the control client attaches to. The command of this session has two words, because tmux
 * would run a single word in a shell.
 */
const HOLDER = '_baton';
const HOLDER_ARGV = ['cat', '-'];
/** How long Baton waits for an old tmux server to shut down. On a busy machine a shutdown took longer than 0.7 s. */
const SHUTDOWN_MS = 10_000;
const ABSENT = /^(no server running on|error connecting to .*\((No such file or directory|Connection refused)\)$)/;
/**
 * Matches the messages of a server that is shutting down. They appeared in 4 of 30 starts right after kill-server on
 * the same socket (tmux 3.3a).
 */
const DYING =
  /^(server exited|lost server|no server running on|error connecting to .*\((No such file or directory|Connection refused)\)$)/;

export function createServerLink(options: ServerLinkOptions): ServerLink {
  const { socketPath, configPath, program } = options;
  // `-u` is needed, because under LANG=C tmux 3.3a replaces every non-ASCII character in an answer by `_`, except in
  // `capture-pane`.
  const base = ['-u', '-S', socketPath, '-f', configPath];
  let client: ControlClient | undefined;
  let opening: Promise<ControlClient | undefined> | undefined;
  let openingMode: 'start' | 'existing' = 'existing';
  let prepared: Promise<string> | undefined;
  let closed = false;

  const fault = (message: string): TerminalFault => new TerminalFault('unavailable', 'connect', socketPath, message);

  function prepare(): Promise<string> {
    prepared ??= probeVersion(program).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  }

  async function ensureHolder(mode: 'start' | 'existing'): Promise<boolean> {
    const size = ['-x', String(PANE_COLUMNS), '-y', String(PANE_ROWS)];
    const command = ['new-session', '-d', '-s', HOLDER, ...size, '--', ...HOLDER_ARGV];
    const args = mode === 'start' ? [...base, ...command] : [...base, '-N', ...command];
    const giveUpAt = performance.now() + SHUTDOWN_MS;
    for (let attempt = 1; ; attempt++) {
      const run = await runTmux(program, args);
      if (run.ok || run.stderr.startsWith('duplicate session')) return true;
      if (mode === 'existing' && ABSENT.test(run.stderr)) return false;
      if (!DYING.test(run.stderr) || performance.now() > giveUpAt) {
        throw fault(
          `tmux could not be ${mode === 'start' ? 'started' : 'reached'}: ${run.stderr || 'no reason given'}`,
        );
      }
      await sleep(Math.min(25 * attempt, 250));
    }
  }

  async function attach(): Promise<ControlClient> {
    const target = ['attach-session', '-t', `=${HOLDER}`, '-f', 'no-output,ignore-size'];
    const { onNotice, onExit } = options;
    const named = { ...program, env: { ...program.env, TERM: ownTerm() } };
    const fresh = spawnControlClient({ program: named, args: [...base, '-N', '-C', ...target], onNotice, onExit });
    await fresh.request({ operation: 'connect', target: socketPath, line: 'display-message -p ready' });
    await endOrphans(fresh, HOLDER);
    return fresh;
  }

  async function establish(mode: 'start' | 'existing'): Promise<ControlClient | undefined> {
    checkSocketPath(socketPath);
    await prepare();
    if (mode === 'start') {
      await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 });
      await writeTmuxConfig(configPath, options.ownConfigPath);
    }
    if (!(await ensureHolder(mode))) return undefined;
    const fresh = await attach();
    if (closed) await fresh.close();
    return fresh;
  }

  async function open(mode: 'start' | 'existing'): Promise<ControlClient | undefined> {
    for (;;) {
      if (closed) throw fault('Baton has closed its connection to tmux');
      if (client?.alive) return client;
      if (opening === undefined) {
        openingMode = mode;
        opening = establish(mode).finally(() => {
          opening = undefined;
        });
      }
      const mayStart = openingMode === 'start';
      client = await opening;
      if (client !== undefined || mode === 'existing' || mayStart) return client;
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await opening?.catch(() => undefined);
    await client?.close();
  }

  return { open, close };
}
