import type { Instant } from '../../../domain/instant.ts';

/** The kinds of objects whose latest state a machine reports. */
export const FLEET_KINDS = ['agent', 'run', 'item', 'package', 'command'] as const;
export type FleetKind = (typeof FLEET_KINDS)[number];

/** The latest state of one object on another machine. */
export interface FleetObject {
  readonly machine: string;
  readonly kind: FleetKind;
  readonly id: string;
  /** The state includes all events of the machine's log up to the event with this number. */
  readonly position: number;
  /** The state as JSON, in the format of the API. */
  readonly body: string;
}

/** The last report of another machine about itself. */
export interface MachineReport {
  readonly machine: string;
  /** The time at which the machine reported, by the hub's time. Null if the machine did not know the hub's time. */
  readonly at: Instant | null;
  readonly position: number;
  readonly body: string;
}

/** A command from another machine that this machine has begun to perform. */
export interface LedgerRow {
  readonly id: string;
  readonly from: string;
  readonly route: string;
  readonly begunAt: Instant;
  /**
   * The answer as JSON. Null while the command is being performed, and also if Baton was killed before it recorded the
   * answer.
   */
  readonly answer: string | null;
}

/**
 * The keys of single values that a machine stores about its fleet. `membership`: this machine's own membership.
 * `roster`: the signed list of members. `founding`: what only the machine that founded the fleet has to remember.
 */
export type FleetNote = 'membership' | 'roster' | 'founding';

/** The part of the store that belongs to the fleet. Transactions of handoffs do not use it. */
export interface FleetTx {
  fleetNote(key: FleetNote): string | undefined;
  /** Saves a single value of the fleet; null deletes the value. */
  saveFleetNote(key: FleetNote, value: string | null): void;

  saveFleetObject(object: FleetObject): void;
  deleteFleetObject(object: Pick<FleetObject, 'machine' | 'kind' | 'id'>): void;
  /**
   * Returns the objects of this kind that belong to one machine or, without `machine`, to any machine. The objects are
   * sorted by machine and id.
   */
  fleetObjects(kind: FleetKind, machine?: string): readonly FleetObject[];
  fleetObject(object: Pick<FleetObject, 'machine' | 'kind' | 'id'>): FleetObject | undefined;
  saveMachineReport(report: MachineReport): void;
  machineReports(): readonly MachineReport[];
  /** Deletes everything that the store has about another machine. */
  forgetMachine(machine: string): void;

  /** Adds a row to the ledger of commands. Throws StoreConflict if the command is already in the ledger. */
  beginFleetCommand(row: Omit<LedgerRow, 'answer'>): void;
  answerFleetCommand(id: string, answer: string): void;
  fleetCommand(id: string): LedgerRow | undefined;
  /** Returns the newest rows of the ledger, newest first. */
  fleetCommands(limit: number): readonly LedgerRow[];
}
