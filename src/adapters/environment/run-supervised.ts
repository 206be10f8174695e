import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface SupervisedProgram {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly patienceMs: number;
  readonly mostBytes: number;
  /**
   * Called on every new output. Returns true if the program has printed all needed output. Baton then ends the program
   * without waiting for its exit.
   */
  readonly isEnough?: (output: Buffer) => boolean;
}

export type SupervisedRun =
  | { readonly end: 'enough'; readonly stdout: Buffer }
  | { readonly end: 'exit'; readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }
  | { readonly end: 'patience' | 'size' }
  | { readonly end: 'not_run'; readonly why: string };

/**
 * Runs a program without a terminal, because an interactive shell would take over Baton's terminal. Standard input is a
 * pipe that closes when Baton ends for any reason. A watchdog then ends everything that the program has started.
 */
// The watchdog runs in `/`, so that it does not keep a worktree busy.
const SUPERVISOR_SCRIPT =
  'exec 3<&0; "$@" </dev/null 3<&- & main=$!; (cd /; cat <&3 >/dev/null; kill -0 $$ || exit 0; trap "" HUP; kill -HUP -$$; sleep 5; kill -9 -$$) >/dev/null 2>&1 & wait $main';

/**
 * The time between SIGHUP and SIGKILL. Programs in the operator's startup files, such as pyenv, may hold a lock. After
 * SIGKILL the lock would stay in place, and every new shell of the operator would wait for it. Baton does not send
 * SIGTERM, because an interactive shell ignores it.
 */
const GRACE_MS = 5_000;
const LOOK_MS = 20;
const MAX_COMPLAINT = 10_000;

/**
 * Runs a program without input, and limits its time and its output. Sends SIGHUP to the processes that the program left
 * behind, but some of these processes may still run when the promise resolves.
 */
export function runSupervised(program: SupervisedProgram): Promise<SupervisedRun> {
  const { argv, env, cwd, patienceMs, mostBytes, isEnough = () => false } = program;
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', SUPERVISOR_SCRIPT, 'sh', ...argv], {
      env,
      cwd,
      detached: true,
      stdio: 'pipe',
    });
    // The child process must not keep Baton running. If Baton ends, the pipe closes and the watchdog ends the program.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref();
    let isHungUp = false;
    let isOver = false;
    let stdout = Buffer.alloc(0);
    let stderr = '';
    let code: number | null = null;
    const endGroup = (): void => {
      if (!isHungUp && child.pid !== undefined) void hangUp(child.pid);
      isHungUp = true;
    };
    const end = (run: SupervisedRun): void => {
      isOver = true;
      clearTimeout(patience);
      endGroup();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve(run);
    };
    const patience = setTimeout(() => end({ end: 'patience' }), patienceMs).unref();
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < MAX_COMPLAINT) stderr += chunk.toString('utf8');
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (isOver) return;
      stdout = Buffer.concat([stdout, chunk]);
      if (isEnough(stdout)) end({ end: 'enough', stdout });
      else if (stdout.length > mostBytes) end({ end: 'size' });
    });
    child.on('error', (error) => end({ end: 'not_run', why: error.message }));
    child.on('exit', (exit) => {
      code = exit;
      // End the processes that the program left in the background, because such processes keep the program's output
      // open, and Node would never emit `close`.
      endGroup();
    });
    child.on('close', () => end({ end: 'exit', code, stdout, stderr }));
  });
}

async function hangUp(leader: number): Promise<void> {
  const tell = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-leader, signal);
    } catch {
      return false;
    }
  };
  let isThere = tell('SIGHUP');
  for (let waited = 0; isThere && waited < GRACE_MS; waited += LOOK_MS) {
    await pause(LOOK_MS, undefined, { ref: false });
    isThere = tell(0);
  }
  if (isThere) tell('SIGKILL');
}
