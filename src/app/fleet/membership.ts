import type { Member, Roster } from '../../domain/fleet/member.ts';
import type { Instant } from '../../domain/instant.ts';
import type { FleetTransport, HubAddress, MachineKeys, Sealed } from '../ports/fleet/fleet-link.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/** This machine's membership in its fleet, as stored. */
export interface Membership {
  readonly machine: string;
  readonly hub: HubAddress;
  /**
   * The machine that founded the fleet, with the founder's public key. This machine stored the key when it joined the
   * fleet, and accepts no other key for the founder.
   */
  readonly founder: { readonly name: string; readonly key: string };
}

/** An invitation as the founder stores it. */
export interface OpenInvitation {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly role: Member['role'];
  readonly replace: boolean;
  readonly expiresAt: Instant;
  /** True if a machine has already joined with this invitation. No second machine can use the same invitation. */
  readonly isUsed?: boolean;
}

/** The state of the fleet that only its founder has. */
export interface Founding {
  readonly roster: Roster;
  readonly invitations: readonly OpenInvitation[];
}

/** The data that all parts of a fleet member share. */
export interface FleetContext {
  readonly ports: Ports;
  readonly transport: FleetTransport;
  readonly keys: MachineKeys;
  readonly membership: Membership;
  readonly heartbeatMs: number;
  /** Whether this machine accepts commands from other machines. */
  readonly takesCommands: () => boolean;
}

export const isFounder = ({ machine, founder }: Membership): boolean => machine === founder.name;

export const readMembership = (tx: Tx): Membership | undefined => parsed<Membership>(tx.fleetNote('membership'));

export const readFounding = (tx: Tx): Founding => {
  const founding = parsed<Founding>(tx.fleetNote('founding'));
  if (founding === undefined) throw new Error('this machine did not create its fleet');
  return founding;
};

/** Returns the latest list of members that this machine has accepted. */
export const readRoster = (tx: Tx): Roster => {
  const sealed = parsed<Sealed>(tx.fleetNote('roster'));
  return sealed === undefined ? { version: 0, members: [] } : (JSON.parse(sealed.text) as Roster);
};

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** The purposes of signatures. A signature that was made for one purpose is refused for every other purpose. */
export const purposes = {
  event: (machine: string, seq: number) => `event ${machine} ${seq}`,
  state: (machine: string, kind: string, id: string) => `state ${machine} ${kind} ${id}`,
  command: (machine: string) => `command ${machine}`,
  reply: (commandId: string) => `reply ${commandId}`,
  question: (question: string, machine: string) => `question ${question} ${machine}`,
  founder: (question: string) => `founder ${question}`,
  roster: 'roster',
  join: (invitationId: string) => `join ${invitationId}`,
} as const;
