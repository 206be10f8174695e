/**
 * Remembers the results of reads, because recording one fact reads the same agent, runs and inbox items several times,
 * and so does the next fact. A remembered row can change in two ways. A statement of this connection is reported to
 * `wrote`. A commit of another connection changes SQLite's data version, which `begin` compares with the version at its
 * last call. Between `end` and the next `begin`, the memory is off: nothing is remembered or answered from it.
 */
export interface ReadMemory {
  /** Switches the memory on. Forgets everything if the data version has changed since the last call. */
  begin(dataVersion: number): void;
  end(): void;
  readonly isOn: boolean;
  /** Forgets everything. Must be called after a rollback to a savepoint, or after a write to unknown tables. */
  forget(): void;
  wrote(table: string): void;
  /**
   * Runs writes to this table without forgetting the remembered rows of the table. The caller must update the
   * remembered rows that the writes change.
   */
  keeping(table: string, work: () => void): void;
  /** Returns a number that changes with every write of this connection to the table, and with every rollback. */
  versionOf(table: string): number;
  /** Returns a function that calls `ask` and remembers its answers until a row of `table` is written. */
  of<Key extends string | number, T>(table: string, ask: (key: Key) => T): Remembered<Key, T>;
}

export interface Remembered<Key, T> {
  (key: Key): T;
  /** Returns the remembered answer without reading the database; undefined if no answer is remembered. */
  known(key: Key): T | undefined;
  /** Sets the remembered answer for a key. Used after a write, when the caller already knows the new answer. */
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
