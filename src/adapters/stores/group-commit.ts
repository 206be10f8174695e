/** Collects all writes of one turn of the event loop, so that they share one commit to disk. */
export interface GroupCommit {
  add<T>(work: () => T): Promise<T>;
}

interface Waiting {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface Transaction {
  begin?(): void;
  /** Runs one write. If the write fails, only the changes of this write are rolled back. */
  isolated(work: () => unknown): unknown;
  /** Called as the last write of each commit. If this write fails, only its own changes are rolled back. */
  last?(): void;
  commit?(): void;
  rollback?(): void;
  /** Called after a commit, before the callers' promises resolve. */
  committed(): void;
}

export function createGroupCommit(transaction: Transaction): GroupCommit {
  let queue: Waiting[] = [];

  const flush = (): void => {
    const group = queue;
    queue = [];
    const settled: (() => void)[] = [];
    try {
      transaction.begin?.();
      for (const waiting of group) settled.push(attempt(transaction, waiting));
      attempt(transaction, { run: () => transaction.last?.(), resolve: () => undefined, reject: () => undefined });
      transaction.commit?.();
    } catch (error) {
      transaction.rollback?.();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    transaction.committed();
    for (const settle of settled) settle();
  };

  return {
    add: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (queue.length === 0) setImmediate(flush);
        queue.push({ run: work, resolve: resolve as (value: unknown) => void, reject });
      }),
  };
}

function attempt(transaction: Transaction, { run, resolve, reject }: Waiting): () => void {
  try {
    const value = transaction.isolated(run);
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}
