import type { Instant } from '../instant.ts';

/** The pattern of a machine's name. URLs contain the name, and so do the hub's subjects and stream names. */
export const MACHINE_SHAPE = '[a-z0-9][a-z0-9-]{0,30}';
const MACHINE_NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;

export const isMachineName = (text: string): boolean => MACHINE_NAME.test(text);

/** A viewer may read from the other machines; an operator may also send commands to them. */
export const FLEET_ROLES = ['viewer', 'operator'] as const;
export type FleetRole = (typeof FLEET_ROLES)[number];

/** A machine of the fleet, as the founding machine lists it. */
export interface Member {
  readonly name: string;
  /** The public key for checking the signatures of this machine. */
  readonly key: string;
  readonly role: FleetRole;
  readonly joinedAt: Instant;
}

/**
 * The list of members, signed by the machine that founded the fleet. A revoked machine is no longer in the list. The
 * version only grows, so that an old list cannot bring a revoked machine back.
 */
export interface Roster {
  readonly version: number;
  readonly members: readonly Member[];
}

export const memberNamed = ({ members }: Roster, name: string): Member | undefined =>
  members.find((member) => member.name === name);

/** Returns the list with this member added. The new member replaces a member with the same name. */
export const withMember = ({ version, members }: Roster, member: Member): Roster => ({
  version: version + 1,
  members: [...members.filter(({ name }) => name !== member.name), member],
});

export const withoutMember = ({ version, members }: Roster, name: string): Roster => ({
  version: version + 1,
  members: members.filter((member) => member.name !== name),
});
