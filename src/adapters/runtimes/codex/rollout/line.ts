/**
 * One line of a rollout. `kind` is the type of the event in the line, or the type of the line if the line contains no
 * event.
 */
export interface Line {
  readonly at: string;
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Parses one line of the rollout file; undefined if the line is not valid. */
export function lineOf(row: string): Line | undefined {
  try {
    const { timestamp, type, payload } = JSON.parse(row) as { timestamp?: unknown; type?: unknown; payload?: unknown };
    if (typeof payload !== 'object' || payload === null || typeof type !== 'string') return undefined;
    const own = payload as Readonly<Record<string, unknown>>;
    const kind = type === 'event_msg' && typeof own.type === 'string' ? own.type : type;
    return { at: typeof timestamp === 'string' ? timestamp : '', kind, payload: own };
  } catch {
    // Ignore a line that is not JSON: the first line that was read may lack its beginning, and the last line may be
    // half-written.
    return undefined;
  }
}
