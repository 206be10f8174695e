import { appendFileSync } from 'node:fs';

/**
 * Our own account of what reached us. Other tests are judged by it, so an entry is on disk before anything is done
 * about what it tells, and a log that cannot be written ends the process rather than lying by silence.
 */
export class EvidenceLog {
  private readonly path: string | undefined;

  constructor(path: string | undefined) {
    this.path = path;
  }

  write(type: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.path === undefined) return;
    // The pid tells two agents apart that were given the same log.
    const entry = { at: new Date().toISOString(), type, pid: process.pid, ...fields };
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}
