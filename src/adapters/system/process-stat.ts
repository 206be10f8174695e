import { readFileSync } from 'node:fs';

/** The number of fields to read. The last of them is the start time of the process. */
const FIELDS_COUNT = 20;
const START = 19;

/** The start time of each process that was read in this turn of the event loop. */
const startInThisTurn = new Map<number, string>();

/**
 * Returns the fields after the command name. The command name is in parentheses and may itself contain spaces and
 * parentheses.
 */
export const fieldsOf = (procStat: string): readonly string[] =>
  procStat.slice(procStat.lastIndexOf(')') + 2).split(' ', FIELDS_COUNT);

/**
 * Reads /proc/PID/stat in the server's own thread: the kernel answers from memory, and a thread of Node would cost more
 * than the reading. Throws if the process does not run. Linux only.
 */
export function processStat(pid: number): readonly string[] {
  const fields = fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const start = fields[START];
  if (startInThisTurn.size === 0) setImmediate(() => startInThisTurn.clear());
  if (start !== undefined) startInThisTurn.set(pid, start);
  return fields;
}

/**
 * Returns the start time of a process in ticks since boot; undefined if the process does not run. A start time never
 * changes, so a reading of the same turn is used again: reconcile reads two facts about each agent's process in one turn.
 * Linux only.
 */
export function processStart(pid: number): string | undefined {
  try {
    return startInThisTurn.get(pid) ?? processStat(pid)[START];
  } catch {
    return undefined;
  }
}
