import { spawn } from 'node:child_process';
import type { Report } from './reporter.ts';

/** The longest time that a hook may take. Baton's own hook script needs only a few milliseconds. */
const PATIENCE_MS = 20_000;

export interface HookRunner {
  /** Runs the hook command of an event after all earlier hook commands have ended. Never rejects. */
  run(report: Report, env?: NodeJS.ProcessEnv): Promise<void>;
  /** Resolves when the commands of all earlier calls of `run` have ended. */
  settled(): Promise<void>;
}

/**
 * Runs Baton's hook commands one after the other, because Baton processes events in the order in which they were
 * written. The shell replaces itself with the command (`exec`), so that the command's parent is the host process.
 */
export function createHookRunner(commands: ReadonlyMap<string, string>): HookRunner {
  let last: Promise<void> = Promise.resolve();
  return {
    run: (report, env = process.env) => {
      const command = commands.get(report.hook);
      if (command === undefined) return last;
      last = last.then(() => runOne(command, JSON.stringify(report.payload), env));
      return last;
    },
    settled: () => last,
  };
}

function runOne(command: string, input: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
    // Ignore a failed write: the command may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
