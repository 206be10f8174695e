import type {
  FleetKind,
  FleetObject,
  FleetTx,
  LedgerRow,
  MachineReport,
} from '../../../app/ports/fleet/fleet-store.ts';
import { StoreConflict } from '../../../app/ports/store.ts';
import type { Instant } from '../../../domain/instant.ts';
import { type Connection, prepared, preparedRow, sql } from './connection.ts';

/** The SQL implementation of the store's functions for the fleet. */
export function fleetQueries(db: Connection): FleetTx {
  const ledger = sql.selectFrom('fleet_commands').select(['id', 'sender', 'route', 'begun_at', 'answer']);
  const saveObject = preparedRow((row: FleetObject) =>
    sql
      .insertInto('fleet_objects')
      .values(row)
      .onConflict((same) =>
        same.columns(['kind', 'machine', 'id']).doUpdateSet((eb) => ({
          position: eb.ref('excluded.position'),
          body: eb.ref('excluded.body'),
        })),
      ),
  );
  const objectsOf = prepared((kind: FleetKind, machine: string) =>
    sql.selectFrom('fleet_objects').selectAll().where('kind', '=', kind).where('machine', '=', machine).orderBy('id'),
  );
  const object = prepared((kind: FleetKind, machine: string, id: string) =>
    sql
      .selectFrom('fleet_objects')
      .selectAll()
      .where('kind', '=', kind)
      .where('machine', '=', machine)
      .where('id', '=', id),
  );
  return {
    fleetNote: (key) => db.first(sql.selectFrom('fleet_notes').select('value').where('key', '=', key))?.value,
    saveFleetNote: (key, value) => {
      db.run(sql.deleteFrom('fleet_notes').where('key', '=', key));
      if (value !== null) db.run(sql.insertInto('fleet_notes').values({ key, value }));
    },
    saveFleetObject: ({ machine, kind, id, position, body }) =>
      void db.run(saveObject({ machine, kind, id, position, body })),
    deleteFleetObject: ({ machine, kind, id }) =>
      void db.run(
        sql.deleteFrom('fleet_objects').where('kind', '=', kind).where('machine', '=', machine).where('id', '=', id),
      ),
    fleetObjects: (kind, machine) =>
      (machine === undefined
        ? db.all(sql.selectFrom('fleet_objects').selectAll().where('kind', '=', kind).orderBy('machine').orderBy('id'))
        : db.all(objectsOf(kind, machine))
      ).map(toObject),
    fleetObject: ({ kind, machine, id }) => {
      const row = db.first(object(kind, machine, id));
      return row && toObject(row);
    },
    saveMachineReport: ({ machine, at, position, body }) => {
      db.run(
        sql
          .insertInto('fleet_reports')
          .values({ machine, at, position, body })
          .onConflict((same) => same.column('machine').doUpdateSet({ at, position, body })),
      );
    },
    machineReports: () => db.all(sql.selectFrom('fleet_reports').selectAll().orderBy('machine')).map(toReport),
    forgetMachine: (machine) => {
      db.run(sql.deleteFrom('fleet_objects').where('machine', '=', machine));
      db.run(sql.deleteFrom('fleet_reports').where('machine', '=', machine));
    },
    beginFleetCommand: ({ id, from, route, begunAt }) => {
      const row = { id, sender: from, route, begun_at: begunAt, answer: null };
      const { changes } = db.run(
        sql
          .insertInto('fleet_commands')
          .values(row)
          .onConflict((same) => same.column('id').doNothing()),
      );
      if (changes === 0) throw new StoreConflict(`the command ${id} is already in the ledger`);
    },
    answerFleetCommand: (id, answer) =>
      void db.run(sql.updateTable('fleet_commands').set({ answer }).where('id', '=', id)),
    fleetCommand: (id) => {
      const row = db.first(ledger.where('id', '=', id));
      return row && toLedgerRow(row);
    },
    fleetCommands: (limit) => db.all(ledger.orderBy('number', 'desc').limit(limit)).map(toLedgerRow),
  };
}

const toObject = (row: { kind: string; machine: string; id: string; position: number; body: string }): FleetObject => ({
  machine: row.machine,
  kind: row.kind as FleetKind,
  id: row.id,
  position: row.position,
  body: row.body,
});

const toReport = (row: { machine: string; at: string | null; position: number; body: string }): MachineReport => ({
  machine: row.machine,
  at: row.at as Instant | null,
  position: row.position,
  body: row.body,
});

const toLedgerRow = (row: {
  id: string;
  sender: string;
  route: string;
  begun_at: string;
  answer: string | null;
}): LedgerRow => ({
  id: row.id,
  from: row.sender,
  route: row.route,
  begunAt: row.begun_at as Instant,
  answer: row.answer,
});
