import type {
  FleetNote,
  FleetObject,
  FleetTx,
  LedgerRow,
  MachineReport,
} from '../../src/app/ports/fleet/fleet-store.ts';
import { StoreConflict } from '../../src/app/ports/store.ts';
import type { Journal, Table } from './journal.ts';

/** Implements the store's functions for the fleet in memory, without a disk. */
export function fleetQueries(journal: Journal): FleetTx {
  const notes = journal.table<{ readonly key: FleetNote; readonly value: string }>();
  const objects = journal.table<FleetObject>();
  const reports = journal.table<MachineReport>();
  const ledger = journal.table<LedgerRow>();
  const byId = (one: FleetObject, other: FleetObject): number =>
    compare(one.machine, other.machine) || compare(one.id, other.id);
  return {
    fleetNote: (key) => notes.all().find((note) => note.key === key)?.value,
    saveFleetNote: (key, value) => {
      deleteWhere(notes, (note) => note.key === key);
      if (value !== null) notes.set(notes.nextId(), { key, value });
    },
    saveFleetObject: (object) => {
      deleteWhere(objects, same(object));
      objects.set(objects.nextId(), object);
    },
    deleteFleetObject: (object) => deleteWhere(objects, same(object)),
    fleetObjects: (kind, machine) =>
      objects
        .all()
        .filter((object) => object.kind === kind && (machine === undefined || object.machine === machine))
        .toSorted(byId),
    fleetObject: (wanted) => objects.all().find(same(wanted)),
    saveMachineReport: (report) => {
      deleteWhere(reports, ({ machine }) => machine === report.machine);
      reports.set(reports.nextId(), report);
    },
    machineReports: () => reports.all().toSorted((one, other) => compare(one.machine, other.machine)),
    forgetMachine: (machine) => {
      deleteWhere(objects, (object) => object.machine === machine);
      deleteWhere(reports, (report) => report.machine === machine);
    },
    beginFleetCommand: (row) => {
      if (ledger.all().some(({ id }) => id === row.id))
        throw new StoreConflict(`the command ${row.id} is already in the ledger`);
      ledger.set(ledger.nextId(), { ...row, answer: null });
    },
    answerFleetCommand: (id, answer) => {
      const number = numberOf(ledger, (row) => row.id === id);
      const row = number === undefined ? undefined : ledger.get(number);
      if (number !== undefined && row !== undefined) ledger.set(number, { ...row, answer });
    },
    fleetCommand: (id) => ledger.all().find((row) => row.id === id),
    fleetCommands: (limit) => ledger.all().toReversed().slice(0, limit),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const same =
  (wanted: Pick<FleetObject, 'machine' | 'kind' | 'id'>) =>
  ({ machine, kind, id }: FleetObject): boolean =>
    machine === wanted.machine && kind === wanted.kind && id === wanted.id;

/**
 * Returns the number of the first matching row. Tries one number after another, because a table cannot list the numbers
 * of its rows.
 */
function numberOf<Row>(table: Table<Row>, wanted: (row: Row) => boolean): number | undefined {
  const rows = table.all();
  for (let number = 1, seen = 0; seen < rows.length; number++) {
    const row = table.get(number);
    if (row === undefined) continue;
    seen += 1;
    if (wanted(row)) return number;
  }
  return undefined;
}

function deleteWhere<Row>(table: Table<Row>, wanted: (row: Row) => boolean): void {
  for (;;) {
    const number = numberOf(table, wanted);
    if (number === undefined) return;
    table.delete(number);
  }
}
