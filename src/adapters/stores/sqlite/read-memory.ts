/**
 * Remembers the results of reads, because recording one fact reads the same agent, runs and inbox items several times,
 * and the next fact reads them again. A remembered row changes only by a statement of this connection, which is
 * reported to `wrote`, or by a commit of another connection, which changes SQLite's data version. So `begin` compares
 * the data version with the one at its last call. Between `end` and the next `begin`, nothing is remembered or answered
 * from memory.
 */
export interface ReadMemory {
  /** Begins to remember. Forgets everything if the data version has changed since the last call. */
  begin(dataVersion: number): void;
  end(): void;
  readonly isOn: boolean;
  /** Forgets everything. Must be called after a rollback to a savepoint, or after a write to unknown tables. */
  forget(): void;
  wrote(table: string): void;
  /**
   * Performs writes to this table and keeps the cached rows of the table. The caller updates the cached rows that the
   * writes change.
   */
  keeping(table: string, work: () => void): void;
  /** Returns a number that changes with every write of this connection to the table, and with every rollback. */
  versionOf(table: string): number;
  /** Returns a function that remembers the answers of `ask` until a row of `table` is written. */
  of<Key extends string | number, T>(table: string, ask: (key: Key) => T): Remembered<Key, T>;
}

export interface Remembered<Key, T> {
  (key: Key): T;
  /** Returns the remembered answer without asking; undefined if there is none. */
  known(key: Key): T | undefined;
  /** Sets the remembered answer for a key, after a write whose result is known. */
  put(key: Key, answer: T): void;
  forget(key: Key): void;
}

/** The number of answers that each function remembers. When there are more, the oldest answer is forgotten. */
const MAX_ANSWERS = 300;

export function createReadMemory(): ReadMemory {
  const answers = new Map<string, Map<string | number, unknown>[]>();
  let isOn = false;
  let version: number | undefined;
  let kept: string | undefined;
  const writes = new Map<string, number>();
  let rollbacks = 0;
  const clear = (): void => {
    for (const memories of answers.values()) for (const memory of memories) memory.clear();
  };
  return {
    begin: (dataVersion) => {
      if (dataVersion !== version) clear();
      version = dataVersion;
      isOn = true;
    },
    end: () => {
      isOn = false;
    },
    get isOn() {
      return isOn;
    },
    forget: () => {
      rollbacks += 1;
      clear();
    },
    versionOf: (table) => rollbacks + (writes.get(table) ?? 0),
    wrote: (table) => {
      writes.set(table, (writes.get(table) ?? 0) + 1);
      if (table !== kept) for (const memory of answers.get(table) ?? []) memory.clear();
    },
    keeping: (table, work) => {
      kept = table;
      try {
        work();
      } finally {
        kept = undefined;
      }
    },
    of: (table, ask) => {
      const memory = new Map<string | number, unknown>();
      answers.set(table, [...(answers.get(table) ?? []), memory]);
      const put = (key: string | number, answer: unknown): void => {
        if (!isOn) {
          memory.delete(key);
          return;
        }
        if (memory.size >= MAX_ANSWERS && !memory.has(key)) memory.delete(memory.keys().next().value ?? key);
        memory.set(key, answer);
      };
      type Key = Parameters<typeof ask>[0];
      type Answer = ReturnType<typeof ask>;
      return Object.assign(
        (key: Key) => {
          if (isOn && memory.has(key)) return memory.get(key) as Answer;
          const answer = ask(key);
          put(key, answer);
          return answer;
        },
        {
          known: (key: Key) => (isOn ? (memory.get(key) as Answer | undefined) : undefined),
          put,
          forget: (key: Key) => void memory.delete(key),
        },
      );
    },
  };
}
