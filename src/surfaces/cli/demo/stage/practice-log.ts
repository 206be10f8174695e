import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line of a practice agent's own log. */
export type LogEntry = Readonly<Record<string, unknown>> & { readonly type: string };

export function readPracticeLog(home: string, agentId: number): LogEntry[] {
  const path = join(home, 'agents', String(agentId), 'practice.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LogEntry);
}
