/** Tables in memory with rollback, so that a failed transaction leaves no trace. */
export interface Journal {
  table<Row>(): Table<Row>;
  /** Runs `work`. If `work` throws, undoes every change that it made. */
  isolated(work: () => unknown): unknown;
}

export interface Table<Row> {
  get(id: number): Row | undefined;
  set(id: number, row: Row): void;
  delete(id: number): void;
  all(): readonly Row[];
  nextId(): number;
}

export function createJournal(): Journal {
  let undo: (() => void)[] = [];

  const table = <Row>(): Table<Row> => {
    const rows = new Map<number, Row>();
    let given = 0;
    const restore = (id: number, before: Row | undefined) => () =>
      before === undefined ? rows.delete(id) : rows.set(id, before);
    return {
      get: (id) => rows.get(id),
      set: (id, row) => {
        undo.push(restore(id, rows.get(id)));
        rows.set(id, row);
      },
      delete: (id) => {
        undo.push(restore(id, rows.get(id)));
        rows.delete(id);
      },
      all: () => [...rows.values()],
      // Returns a new id. As with AUTOINCREMENT, an id is never reused, even after its row is deleted.
      nextId: () => ++given,
    };
  };

  const isolated = (work: () => unknown): unknown => {
    undo = [];
    try {
      return work();
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    }
  };
  return { table, isolated };
}
