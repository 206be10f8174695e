import { type FleetRole, memberNamed } from '../../domain/fleet/member.ts';
import { type Presence, presenceOf } from '../../domain/fleet/presence.ts';
import { after, type Instant } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { FleetKind, FleetObject } from '../ports/fleet/fleet-store.ts';
import type { Ports } from '../ports/index.ts';
import { type FleetControl, notInFleet } from './fleet-control.ts';
import { ageOf } from './follow-fleet.ts';
import { readMembership, readRoster } from './membership.ts';
import type { Report } from './publish-state.ts';
import { isThisMachine, machineNotFound } from './send-command.ts';

/** A machine of the fleet, with the time and age of the last report from that machine. */
export interface HeardMachine {
  readonly name: string;
  readonly presence: Presence;
  readonly isLive: boolean;
  /** The time at which this machine last got a report of the other machine, by this machine's own clock. */
  readonly lastHeardAt: Instant | null;
  readonly ageMs: number | null;
  readonly position: number | null;
}

export interface ListedMachine extends HeardMachine {
  readonly role: FleetRole;
  readonly isSelf: boolean;
  readonly isHub: boolean;
  readonly report: Report | undefined;
}

type Listing = {
  readonly ports: Pick<Ports, 'store' | 'clock'>;
  readonly fleet: Pick<FleetControl, 'status' | 'heardAt' | 'isWhole'>;
};

/** Lists all machines of the fleet, this machine first. The list is empty if this Baton is in no fleet. */
export function listMachines({ ports, fleet }: Listing): readonly ListedMachine[] {
  const { membership, roster, reports } = ports.store.read((tx) => ({
    membership: readMembership(tx),
    roster: readRoster(tx),
    reports: new Map(tx.machineReports().map((each) => [each.machine, each])),
  }));
  if (membership === undefined) return [];
  return roster.members
    .map(({ name, role }): ListedMachine => {
      const isSelf = name === membership.machine;
      const report = reports.get(name);
      return {
        ...(isSelf
          ? ownState(ports, name)
          : hear({ ports, fleet }, name, report?.position ?? null, report?.at ?? null)),
        role,
        isSelf,
        isHub: name === membership.founder.name,
        report: report && (JSON.parse(report.body) as Report),
      };
    })
    .toSorted((one, other) => Number(other.isSelf) - Number(one.isSelf) || (one.name < other.name ? -1 : 1));
}

const ownState = ({ store, clock }: Pick<Ports, 'store' | 'clock'>, name: string): HeardMachine => ({
  name,
  presence: 'up',
  isLive: true,
  lastHeardAt: clock.now(),
  ageMs: 0,
  position: store.read((tx) => tx.lastSeq()),
});

function hear(
  { ports, fleet }: Listing,
  name: string,
  position: number | null,
  storedAt: Instant | null,
): HeardMachine {
  const { isConnected, offsetMs, heartbeatMs } = fleet.status();
  const now = ports.clock.now();
  const ageMs = ageOf(fleet.heardAt(name) ?? storedAt, now, offsetMs);
  const presence = presenceOf({ ageMs, isConnected, isWhole: fleet.isWhole(name) }, heartbeatMs);
  const lastHeardAt = ageMs === null ? null : after(now, -ageMs);
  return { name, presence, isLive: presence === 'up', lastHeardAt, ageMs, position };
}

export interface MachineObjects {
  readonly heard: HeardMachine;
  readonly objects: readonly FleetObject[];
}

/** Lists the last known objects of another machine. Refuses if the fleet has no such machine. */
export function listMachineObjects(listing: Listing, machine: string, kind: FleetKind): MachineObjects | Refusal {
  const { membership, roster } = listing.ports.store.read((tx) => ({
    membership: readMembership(tx),
    roster: readRoster(tx),
  }));
  if (membership === undefined) return notInFleet();
  if (memberNamed(roster, machine) === undefined) return machineNotFound(machine);
  if (machine === membership.machine) return isThisMachine(machine);
  return objectsOf(listing, machine, kind);
}

/** Lists the last known objects of this kind on all other machines. */
export function listFleetObjects(listing: Listing, kind: FleetKind): readonly MachineObjects[] {
  return listMachines(listing)
    .filter(({ isSelf }) => !isSelf)
    .map(({ name }) => objectsOf(listing, name, kind));
}

function objectsOf(listing: Listing, machine: string, kind: FleetKind): MachineObjects {
  const { objects, report } = listing.ports.store.read((tx) => ({
    objects: tx.fleetObjects(kind, machine),
    report: tx.machineReports().find((each) => each.machine === machine),
  }));
  return { heard: hear(listing, machine, report?.position ?? null, report?.at ?? null), objects };
}
