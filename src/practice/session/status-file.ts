import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Status = 'idle' | 'busy' | 'waiting';

/**
 * Writes the current activity of this process to a file that is named after the pid. As in Claude Code, the file exists
 * while the process runs.
 */
export class StatusFile {
  private readonly path: string | undefined;
  private said: Status | undefined;

  constructor(folder: string | undefined) {
    this.path = folder === undefined ? undefined : join(folder, `${process.pid}.json`);
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  say(status: Status): void {
    if (this.path === undefined || status === this.said) return;
    this.said = status;
    const entry = { pid: process.pid, procStart: procStart(), status, updatedAt: Date.now() };
    writeFileSync(`${this.path}.new`, JSON.stringify(entry), { mode: 0o600 });
    renameSync(`${this.path}.new`, this.path);
  }

  remove(): void {
    if (this.path !== undefined) rmSync(this.path, { force: true });
  }
}

/**
 * The folder of the status files: the folder that Baton sets, or a folder beside the settings if an operator started
 * the agent directly.
 */
export function statusFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env.BATON_PRACTICE_SESSIONS) return env.BATON_PRACTICE_SESSIONS;
  const own = join(env.HOME || homedir(), '.practice');
  return existsSync(own) ? join(own, 'sessions') : undefined;
}

/** The start time of this process, in ticks since boot; empty if the system does not provide it. */
function procStart(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
