import { type ChildProcess, spawn } from 'node:child_process';

export interface ShellCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface ShellResult {
  /** The exit code; null if the command was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUT_COUNT = 256 * 1024;

/** Runs the command. Never rejects: a command that cannot be started gets code 127, as in a shell. */
export function runShellCommand(request: ShellCommand): Promise<ShellResult> {
  return new Promise((resolve) => {
    // Start the command in its own process group and without a terminal (setsid). A hook then has no terminal to read
    // from, and the timeout can kill the whole group.
    const child = spawn('sh', ['-c', request.command], { cwd: request.cwd, env: request.env, detached: true });
    const stdout = gather(child.stdout);
    const stderr = gather(child.stderr);
    const kill = () => killGroup(child);
    const timer = setTimeout(kill, request.timeoutMs);
    request.signal?.addEventListener('abort', kill, { once: true });
    const finish = (code: number | null) => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', kill);
      resolve({ code, stdout: stdout(), stderr: stderr() });
    };
    child.on('error', () => finish(127));
    child.on('close', finish);
    // Ignore the broken pipe, because a command may close its input without reading it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.input);
  });
}

function gather(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < MAX_OUTPUT_COUNT) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Ignore the error: the process group has already ended.
  }
}
