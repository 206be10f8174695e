import { appendFileSync } from 'node:fs';

/**
 * The agent's own record of what it received. Tests rely on this record, so an entry is on disk before the agent acts
 * on it. If the log cannot be written, the process ends, because a silent gap would be a false record.
 */
export class EvidenceLog {
  private readonly path: string | undefined;

  constructor(path: string | undefined) {
    this.path = path;
  }

  write(type: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.path === undefined) return;
    // The pid distinguishes two agents that write to the same log.
    const entry = { at: new Date().toISOString(), type, pid: process.pid, ...fields };
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}
