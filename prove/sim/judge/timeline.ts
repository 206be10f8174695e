interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly work: () => void;
  off: boolean;
}

/**
 * The virtual time of a simulated world. The simulation never sleeps. When all work of one event is done, the time
 * jumps to the next event.
 */
export class Timeline {
  nowMs = 0;
  /**
   * The number of store transactions that are not yet committed. A commit waits for Node's real event loop, not for the
   * virtual time.
   */
  committing = 0;
  private order = 0;
  private readonly heap: Entry[] = [];

  /** Schedules work. Returns a function that cancels the work. */
  in(ms: number, work: () => void): () => void {
    const entry: Entry = { atMs: this.nowMs + ms, order: this.order++, work, off: false };
    this.push(entry);
    return () => {
      entry.off = true;
    };
  }

  /**
   * Plays events until `done()` returns true. Returns false if `done()` is still false after this much virtual time.
   */
  async play(done: () => boolean, limitMs: number): Promise<boolean> {
    const until = this.nowMs + limitMs;
    for (;;) {
      do await new Promise<void>((resolve) => setImmediate(resolve));
      while (this.committing > 0);
      if (done()) return true;
      const next = this.heap[0];
      if (next === undefined || next.atMs > until) {
        this.nowMs = until;
        return false;
      }
      this.pop();
      if (next.off) continue;
      this.nowMs = next.atMs;
      next.work();
    }
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isBefore(entry, heap[up])) break;
      heap[at] = heap[up] as Entry;
      at = up;
    }
    heap[at] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Entry, heap[down])) down++;
      if (!isBefore(heap[down] as Entry, last)) break;
      heap[at] = heap[down] as Entry;
      at = down;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Entry, other: Entry | undefined): boolean =>
  other !== undefined && (one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order));
