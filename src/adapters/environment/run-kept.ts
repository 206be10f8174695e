import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

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
 */
const KEEPER =
  'exec 3<&0; "$@" </dev/null 3<&- & main=$!; (cat <&3 >/dev/null; kill -9 -$$) >/dev/null 2>&1 & wait $main';

const LONGEST_COMPLAINT = 10_000;

/** Runs somebody else's program with nothing to read, for a bounded time and output. Nothing of it is left when this resolves. */
export function runKept(program: KeptProgram): Promise<KeptRun> {
  const { argv, env, cwd, patienceMs, mostBytes, isEnough = () => false } = program;
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', KEEPER, 'sh', ...argv], { env, cwd, detached: true, stdio: 'pipe' });
    // Baton can end while this runs; the end of the pipe ends it then.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref();
    let group = child.pid;
    let stdout = Buffer.alloc(0);
    let stderr = '';
    let code: number | null = null;
    const endGroup = (): void => {
      if (group === undefined) return;
      const leader = group;
      group = undefined;
      try {
        process.kill(-leader, 'SIGKILL');
      } catch {
        // All of it has ended by itself.
      }
    };
    const end = (run: KeptRun): void => {
      clearTimeout(patience);
      endGroup();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve(run);
    };
    const patience = setTimeout(() => end({ end: 'patience' }), patienceMs).unref();
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < LONGEST_COMPLAINT) stderr += chunk.toString('utf8');
    });
    child.stdout.on('data', (chunk: Buffer) => {
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
