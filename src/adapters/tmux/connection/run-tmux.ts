import { execFile } from 'node:child_process';
import { TerminalFault } from './terminal-fault.ts';

export interface TmuxProgram {
  readonly binary: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

export interface TmuxRun {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Removes TMUX and TMUX_PANE from the environment. If Baton was started inside another tmux, these variables name the
 * operator's server.
 */
export function environmentOutsideTmux(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = env;
  return rest;
}

export function missingTmux(binary: string, cause?: unknown): TerminalFault {
  const advice = 'install it with "apt install tmux", "dnf install tmux" or "brew install tmux"';
  return new TerminalFault('unavailable', 'connect', binary, `tmux was not found as "${binary}": ${advice}`, cause);
}

/** Maximum size of an answer, in bytes: enough for the screen of the largest pane with all its styles. */
const MAX_ANSWER = 32 * 1024 * 1024;

/** Runs one command in a separate tmux process. Used if there is no control client. */
export function runTmux(program: TmuxProgram, args: readonly string[], input?: string): Promise<TmuxRun> {
  const { binary, env, timeoutMs } = program;
  const options = {
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    maxBuffer: MAX_ANSWER,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(binary, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ ok: true, stdout, stderr });
      if (error.code === 'ENOENT' || error.code === 'EACCES') return reject(missingTmux(binary, error));
      if (error.killed) {
        const message = `tmux did not answer within ${timeoutMs} ms; the result of "${args.at(-1)}" is unknown`;
        return reject(new TerminalFault('timeout', 'connect', binary, message, error));
      }
      resolve({ ok: false, stdout, stderr: stderr.trim() });
    });
    if (input === undefined) return;
    // If tmux finds no server, it exits before it reads its input. Ignore the write error, because the exit code
    // already reports the missing server.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
