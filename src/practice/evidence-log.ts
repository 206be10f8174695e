import { appendFileSync } from 'node:fs';

/**
 * The agent's own record of what it received. Tests rely on it, so an entry is on disk before the agent acts on it. A
 * log that cannot be written ends the process, because a silent gap would be a false record.
 */
export class EvidenceLog {
  private readonly path: string | undefined;

  constructor(path: string | undefined) {
    this.path = path;
  }

  write(type: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.path === undefined) return;
    // The pid distinguishes two agents that share a log.
    const entry = { at: new Date().toISOString(), type, pid: process.pid, ...fields };
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}
