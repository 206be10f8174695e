/**
 * A cache of reads, needed because recording a fact reads the same agent, runs and inbox items several times. A cached
 * row becomes outdated if this connection writes the row, or if another connection commits. Between `end` and the next
 * `begin` the cache is off.
 */
export interface ReadMemory {
  /** Switches the cache on. Empties the cache if the data version has changed since the last call of `begin`. */
  begin(dataVersion: number): void;
  end(): void;
  readonly isOn: boolean;
  /** Empties the cache. Must be called after a rollback to a savepoint, or after a write to unknown tables. */
  forget(): void;
  wrote(table: string): void;
  /**
   * Runs writes to this table without dropping the table's cached rows. The caller must update the cached rows that the
   * writes change.
   */
  keeping(table: string, work: () => void): void;
  /** Returns a number that changes with every write of this connection to the table, and with every rollback. */
  versionOf(table: string): number;
  /** Returns a function that calls `ask` and caches its answers until a row of `table` is written. */
  of<Key extends string | number, T>(table: string, ask: (key: Key) => T): Remembered<Key, T>;
}

export interface Remembered<Key, T> {
  (key: Key): T;
  /** Returns the cached answer without reading the database; undefined if no answer is cached. */
  known(key: Key): T | undefined;
  /** Puts the answer for a key into the cache. Used after a write, when the caller already knows the new answer. */
  put(key: Key, answer: T): void;
  forget(key: Key): void;
}

/** The number of answers that each cached function keeps. When there are more, the oldest answer is dropped. */
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
