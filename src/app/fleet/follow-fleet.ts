import type { Roster } from '../../domain/fleet/member.ts';
import { type Instant, msBetween } from '../../domain/instant.ts';
import { errorMessage } from '../error-message.ts';
import type { Sealed, StateTopic } from '../ports/fleet/fleet-link.ts';
import { FLEET_KINDS, type FleetKind, type FleetObject } from '../ports/fleet/fleet-store.ts';
import type { Tx } from '../ports/store.ts';
import { type FleetContext, purposes, readRoster } from './membership.ts';
import { digestText, type Report, type StateText } from './publish-state.ts';

/** How often the states that arrived are written to the store. */
const WRITE_MS = 200;

/** The minimum time between two writes of a machine's report to the store, for reports without changes. */
const REPORT_WRITE_MS = 60_000;

export interface Follower {
  receive(topic: StateTopic, sealed: Sealed): void;
  /** Returns the time of the machine's last report, by the hub's time. */
  heardAt(machine: string): Instant | null;
  /** Returns true if the states that this Baton received from the machine match the machine's last report. */
  isWhole(machine: string): boolean;
  /** Writes the states that have arrived, and resolves when they are stored. */
  settle(): Promise<void>;
  /** Calls the listener after states were stored. Returns a function that removes the listener. */
  onStored(listener: () => void): () => void;
  stop(): Promise<void>;
}

interface Arrived {
  readonly topic: StateTopic;
  readonly text: StateText;
  /** The key that signed the state. */
  readonly key: string;
}

/**
 * Keeps the latest states of the other machines in the store. A state is accepted only with the signature of the
 * machine that it describes. A state never replaces a state from a later position in the same machine's log.
 */
export function createFollower(
  context: FleetContext,
  events: {
    /**
     * Called when a newer list of members was stored. `hasMissed` is true if Baton has dropped a state of a machine on
     * this list, because the earlier list lacked that machine or its new key.
     */
    readonly onRoster: (roster: Roster, hasMissed: boolean) => void;
    /**
     * Called when a report arrives that names this machine as its sender. Such a report may come from another Baton.
     */
    readonly onOwnReport: (report: Report) => void;
    readonly onOutdated: (topic: StateTopic) => void;
    /** Called when a machine's report contradicts the states already received from that machine. */
    readonly onIncomplete: (machine: string) => void;
  },
): Follower {
  const { ports, transport, membership } = context;
  const { store, clock } = ports;
  const listeners = new Set<() => void>();
  const heard = new Map<string, Instant | null>(
    store.read((tx) => tx.machineReports()).map(({ machine, at }) => [machine, at]),
  );
  const writtenAt = new Map<string, number>();
  /**
   * The machines whose last report does not match the states that this Baton received from them. The hub has lost a
   * state of such a machine or holds it back.
   */
  const incomplete = new Set<string>();
  /**
   * The machines from which Baton dropped a state, because the list of members did not contain the machine or its new
   * key yet.
   */
  const missed = new Set<string>();
  let waiting: Arrived[] = [];
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  const receiveRoster = (sealed: Sealed): void => {
    if (!transport.verify(membership.founder.key, purposes.roster, sealed)) {
      refuse('the list of members');
      return;
    }
    const roster = JSON.parse(sealed.text) as Roster;
    if (roster.version <= store.read(readRoster).version) return;
    void store
      .write((tx) => {
        if (roster.version <= readRoster(tx).version) return;
        for (const machine of goneOrReplaced(readRoster(tx), roster)) forget(tx, machine);
        tx.saveFleetNote('roster', JSON.stringify(sealed));
      })
      .then(() => {
        const hasMissed = roster.members.some(({ name }) => missed.has(name));
        missed.clear();
        events.onRoster(roster, hasMissed);
      })
      .catch(report);
  };
  const forget = (tx: Tx, machine: string): void => {
    tx.forgetMachine(machine);
    heard.delete(machine);
    writtenAt.delete(machine);
    incomplete.delete(machine);
  };

  const refuse = (what: string): void => ports.log.warn(`refused ${what} of the fleet: its signature is not valid`);
  const report = (error: unknown): void =>
    ports.log.error(`could not store states of the fleet: ${errorMessage(error)}`);

  const receive = (topic: StateTopic, sealed: Sealed): void => {
    if (topic.kind === 'roster') receiveRoster(sealed);
    else receiveState(topic, sealed);
  };
  const receiveState = (topic: StateTopic, sealed: Sealed): void => {
    const { machine, kind, id } = topic;
    const key = store.read(readRoster).members.find(({ name }) => name === machine)?.key;
    // If a machine or its new key is not in the list of members, drop the states of this machine. After a change of the
    // list, the hub delivers all states again.
    if (key === undefined) return void missed.add(machine);
    if (!transport.verify(key, purposes.state(machine, kind, id), sealed)) {
      missed.add(machine);
      refuse(`a state of ${machine}`);
      return;
    }
    const text = JSON.parse(sealed.text) as StateText;
    if (kind === 'report') {
      const said = text.body as Report;
      if (machine === membership.machine) events.onOwnReport(said);
    }
    if (machine === membership.machine || (kind !== 'report' && !isKind(kind))) return;
    waiting.push({ topic, text, key });
    cancel ??= clock.after(WRITE_MS, write);
  };

  const write = (): void => {
    cancel?.();
    cancel = undefined;
    const arrived = waiting;
    waiting = [];
    if (arrived.length === 0) return;
    writing = writing
      .then(() =>
        store.write((tx) => {
          // Ignore the states of a machine that was removed from the fleet or replaced after these states arrived.
          const { members } = readRoster(tx);
          const valid = arrived.filter(({ topic, key }) =>
            members.some((member) => member.name === topic.machine && member.key === key),
          );
          return { valid, outdated: valid.flatMap((each) => apply(tx, each)) };
        }),
      )
      .then(({ valid, outdated }) => {
        for (const { topic, text } of valid)
          if (topic.kind === 'report') heard.set(topic.machine, (text.body as Report).at);
        for (const topic of outdated) events.onOutdated(topic);
        for (const listener of listeners) listener();
      })
      .catch(report);
  };

  /**
   * Stores a state or report that has arrived. For a report, returns the topics of the stored objects that the report
   * no longer lists.
   */
  const apply = (tx: Tx, { topic, text: { position, body } }: Arrived): readonly StateTopic[] => {
    const { machine, kind, id } = topic;
    if (kind === 'report') return applyReport(tx, machine, position, body as Report);
    const object = { machine, kind: kind as FleetKind, id };
    // Ignore a state that is older than the stored state. If the hub was restored from an older copy, older states
    // arrive after newer ones.
    if ((tx.fleetObject(object)?.position ?? -1) > position) return [];
    tx.saveFleetObject({ ...object, position, body: JSON.stringify(body) });
    return [];
  };

  const applyReport = (tx: Tx, machine: string, position: number, said: Report): readonly StateTopic[] => {
    const known = tx.machineReports().find((each) => each.machine === machine);
    if (known !== undefined && known.position > position) return [];
    const outdated = FLEET_KINDS.flatMap((kind) => outdatedOf(tx, machine, kind, position, said));
    for (const object of outdated) tx.deleteFleetObject(object);
    compareDigest(tx, machine, position, said);
    const isUnchanged = known?.position === position && outdated.length === 0;
    const lastWrite = writtenAt.get(machine);
    if (isUnchanged && lastWrite !== undefined && clock.monotonicMs() - lastWrite < REPORT_WRITE_MS) return [];
    writtenAt.set(machine, clock.monotonicMs());
    tx.saveMachineReport({ machine, at: said.at, position, body: JSON.stringify(said) });
    return outdated.map(({ kind, id }) => ({ machine, kind, id }));
  };

  const compareDigest = (tx: Tx, machine: string, position: number, { digest }: Report): void => {
    const known = FLEET_KINDS.flatMap((kind) => tx.fleetObjects(kind, machine));
    // A state that is newer than the report has already arrived. The report does not cover that state, so Baton does
    // not compare the report with the states. The next report will cover it.
    if (known.some((object) => object.position > position)) return;
    if (ports.chance.sha256(digestText(known)) === digest) incomplete.delete(machine);
    else {
      incomplete.add(machine);
      events.onIncomplete(machine);
    }
  };

  return {
    receive,
    isWhole: (machine) => !incomplete.has(machine),
    heardAt: (machine) => heard.get(machine) ?? null,
    settle: async () => {
      write();
      await writing;
    },
    onStored: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: async () => {
      write();
      await writing;
    },
  };
}

/**
 * Returns the machines that the new list of members lacks or contains with a new key. The stored states of such a
 * machine must be deleted. With a new key, the machine begins a new log, so its new states would look older than the
 * stored ones.
 */
const goneOrReplaced = (before: Roster, after: Roster): readonly string[] =>
  before.members
    .filter(({ name, key }) => after.members.find((member) => member.name === name)?.key !== key)
    .map(({ name }) => name);

const isKind = (kind: string): kind is FleetKind => FLEET_KINDS.some((each) => each === kind);

/**
 * Returns the stored objects that their machine's report no longer lists. An object whose stored state is newer than
 * the report is not returned.
 */
function outdatedOf(
  tx: Tx,
  machine: string,
  kind: FleetKind,
  position: number,
  { present }: Report,
): readonly FleetObject[] {
  const ids = new Set(present[kind]);
  return tx.fleetObjects(kind, machine).filter((object) => !ids.has(object.id) && object.position <= position);
}

/** Returns the age of a report in milliseconds, by the hub's time; null if the age is unknown. */
export const ageOf = (heardAt: Instant | null, localNow: Instant, offsetMs: number | undefined): number | null =>
  heardAt === null || offsetMs === undefined ? null : Math.max(0, Math.round(msBetween(heardAt, localNow) + offsetMs));
