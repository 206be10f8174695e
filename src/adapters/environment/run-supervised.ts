import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface KeptProgram {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly patienceMs: number;
  readonly mostBytes: number;
  /** Asked whenever more was printed: is all there that is waited for? Then it need not end by itself. */
  readonly isEnough?: (output: Buffer) => boolean;
}

export type KeptRun =
  | { readonly end: 'enough'; readonly stdout: Buffer }
  | { readonly end: 'exit'; readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }
  | { readonly end: 'patience' | 'size' }
  | { readonly end: 'not_run'; readonly why: string };

/**
 * Around the program, in a session of its own without a terminal: an interactive shell would take Baton's. Its standard
 * input is a pipe that ends when Baton does, whatever ended it; then everything that the program has begun ends as well.
 * Who waits for that hears a hang-up of Baton's own like all others, has nothing to do once the program has ended by itself,
 * and stands in no folder meanwhile: a worktree is not removed under a process.
 */
const KEEPER =
  'exec 3<&0; "$@" </dev/null 3<&- & main=$!; (cd /; cat <&3 >/dev/null; kill -0 $$ || exit 0; trap "" HUP; kill -HUP -$$; sleep 5; kill -9 -$$) >/dev/null 2>&1 & wait $main';

/**
 * What the operator's own files have begun may hold a lock, as pyenv does; killed at once it would stay, and every shell of
 * his would wait for it. It hears what it would hear if he closed its window (an interactive shell ignores SIGTERM).
 */
const GRACE_MS = 5_000;
const LOOK_MS = 20;
const MAX_COMPLAINT = 10_000;

/**
 * Runs somebody else's program with nothing to read, for a bounded time and output. What is left of it when this resolves
 * has been hung up on, and is gone soon after: nobody waits for that to get an environment.
 */
export function runKept(program: KeptProgram): Promise<KeptRun> {
  const { argv, env, cwd, patienceMs, mostBytes, isEnough = () => false } = program;
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', KEEPER, 'sh', ...argv], { env, cwd, detached: true, stdio: 'pipe' });
    // Baton can end while this runs; the end of the pipe ends it then.
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
    const end = (run: KeptRun): void => {
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
      // What it left running keeps its output open, which would never close.
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
