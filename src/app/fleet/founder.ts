import { type Member, memberNamed, type Roster, withMember, withoutMember } from '../../domain/fleet/member.ts';
import { after } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import {
  type FounderLink,
  type FounderQuestion,
  HubStartFailure,
  type HubUser,
  type Sealed,
} from '../ports/fleet/fleet-link.ts';
import type { Tx } from '../ports/store.ts';
import { timeText } from './hub-clock.ts';
import { type FleetContext, type Founding, type OpenInvitation, purposes, readFounding } from './membership.ts';
import { machineNotFound } from './send-command.ts';

/** How long an invitation can be used. */
const INVITATION_MS = 24 * 3_600_000;

/**
 * How long the hub still accepts connections with an invitation after the invitation was used. If a joining machine
 * loses its connection before the answer arrives, the machine asks again with the same key and gets the same answer.
 */
const USED_INVITATION_MS = 120_000;

/** How often the founder checks that the hub's server runs. */
const CHECK_MS = 2_000;

/**
 * How long the founder waits before it tries again to start a server that did not start. Each attempt adds lines to the
 * server's log.
 */
const FAILED_CHECK_MS = 10_000;

const NOBODY = { agentId: null, runId: null };

export interface NewInvitation {
  readonly invitation: OpenInvitation;
  readonly seed: string;
}

/**
 * The duties of the machine that founded the fleet: it runs the hub's server, keeps the list of members and tells the
 * other machines the time.
 */
export interface Founder {
  invite(wanted: Pick<OpenInvitation, 'name' | 'role' | 'replace'>): Promise<NewInvitation | Refusal>;
  revoke(name: string): Promise<Member | Refusal>;
  /** Returns the reason why the server of the hub does not run. Returns undefined if the server runs. */
  problem(): HubProblem | undefined;
  stop(): Promise<void>;
}

/** The reason why the server of the hub does not run, and the step that the operator can take. */
export type HubProblem = Refusal & { readonly code: 'hub_unreachable'; readonly hint: string };

/** Describes a failed start of the hub's server. */
export const hubNotStarted = (error: unknown): HubProblem => ({
  code: 'hub_unreachable',
  sentence: errorMessage(error),
  hint: error instanceof HubStartFailure ? error.hint : 'Baton tries again by itself. See: baton logs',
});

/** The request of a machine that wants to join the fleet. */
export interface JoinRequest {
  readonly name: string;
  readonly key: string;
  /** The signature that proves that the machine has its secret key. */
  readonly proof: Sealed;
}

export async function startFounder(context: FleetContext, link: FounderLink, stopping: AbortSignal): Promise<Founder> {
  const { ports, transport, keys, membership } = context;
  const { store, clock } = ports;
  let cancelCheck: (() => void) | undefined;
  let stopped = false;
  /** The reason why the last attempt to start the server or to change its users failed. */
  let failure: HubProblem | undefined;

  const founding = (): Founding => store.read(readFounding);
  const sealRoster = (roster: Roster): Sealed => keys.sign(purposes.roster, JSON.stringify(roster));
  const save = (tx: Tx, changed: Founding): void => {
    tx.saveFleetNote('founding', JSON.stringify(changed));
    tx.saveFleetNote('roster', JSON.stringify(sealRoster(changed.roster)));
  };
  const tried = (work: Promise<void>): Promise<void> =>
    work.then(
      () => {
        failure = undefined;
      },
      (error: unknown) => {
        const last = failure;
        failure = hubNotStarted(error);
        // Log a failure only if it differs from the previous one, because Baton tries again every few seconds.
        if (last?.sentence !== failure.sentence) note(error);
        throw error;
      },
    );
  const applyUsers = (): Promise<void> => tried(transport.hub.apply(membership.hub, usersOf(context, founding())));

  /** Brings the hub up to date with the founder's store. A second call is safe. */
  const provision = async (): Promise<void> => {
    const { roster } = founding();
    for (const { name } of roster.members) await link.prepareMember(name, false);
    await link.publishRoster(sealRoster(roster));
  };

  const invite = async (
    wanted: Pick<OpenInvitation, 'name' | 'role' | 'replace'>,
  ): Promise<NewInvitation | Refusal> => {
    const known = memberNamed(founding().roster, wanted.name);
    if (known?.name === membership.machine)
      return {
        code: 'machine_exists',
        sentence: `${wanted.name} is the name of this machine, so no other machine can join with this name`,
        hint: 'Choose another name: baton fleet invite NAME',
      };
    if (known !== undefined && !wanted.replace)
      return {
        code: 'machine_exists',
        sentence: `The fleet already has a machine "${wanted.name}"`,
        hint: `To replace that machine: baton fleet invite ${wanted.name} --replace`,
      };
    const { publicKey, seed } = transport.createLooseKeys();
    const expiresAt = after(clock.now(), INVITATION_MS);
    const invitation = { id: ports.chance.token(16), key: publicKey, expiresAt, ...wanted };
    await store.write((tx) => {
      const before = readFounding(tx);
      const others = before.invitations.filter(({ name }) => name !== wanted.name);
      save(tx, { ...before, invitations: [...others.filter(isOpenAt(clock.now())), invitation] });
    });
    const refusal = await applyUsers().catch(hubNotStarted);
    if (refusal !== undefined) return refusal;
    // Wait until the hub accepts the invitation, because a joining machine gives up if the hub refuses it for some
    // seconds.
    if (link.isConnected()) await transport.awaitAccess(membership.hub, { id: invitation.id, seed }, stopping);
    return { invitation, seed };
  };

  const join = async (invitationId: string, text: string): Promise<string | undefined> => {
    const { name, key, proof } = JSON.parse(text) as JoinRequest;
    if (!transport.isPublicKey(key) || !transport.verify(key, purposes.join(invitationId), proof)) return undefined;
    const joined = await store.write((tx) => {
      const before = readFounding(tx);
      // The machine is already a member. It asks again because it did not get the answer to its first request.
      if (memberNamed(before.roster, name)?.key === key) return { roster: before.roster, isNew: false };
      const invitation = before.invitations
        .filter(isOpenAt(clock.now()))
        .find(({ id, isUsed }) => id === invitationId && isUsed !== true);
      // An invitation can be used once. Only the first machine that uses the invitation becomes a member, and any other
      // machine gets no answer.
      if (invitation === undefined || invitation.name !== name) return undefined;
      const { role, replace } = invitation;
      const isReplaced = memberNamed(before.roster, name) !== undefined;
      if (isReplaced && !replace) return undefined;
      const member: Member = { name, key, role, joinedAt: clock.now() };
      const roster = withMember(before.roster, member);
      const used = { ...invitation, isUsed: true, expiresAt: after(clock.now(), USED_INVITATION_MS) };
      const others = before.invitations.filter(({ id }) => id !== invitationId);
      save(tx, { roster, invitations: [...others.filter(isOpenAt(clock.now())), used] });
      // Forget the replaced machine and its states. The new machine begins a new log, so the states of the new machine
      // would look older than those of the replaced machine.
      if (isReplaced) tx.forgetMachine(name);
      appendNotice(tx, ports, { type: 'fleet_member_added', machine: name, role }, NOBODY);
      return { roster, isNew: true };
    });
    if (joined === undefined) return undefined;
    await link.prepareMember(name, joined.isNew);
    await link.publishRoster(sealRoster(joined.roster));
    // Apply the new list of users only after the joining machine has its answer, because the hub closes the machine's
    // connection when it reads the list.
    clock.after(50, () => void applyUsers().catch(() => undefined));
    return JSON.stringify(sealRoster(joined.roster));
  };

  const remove = async (name: string): Promise<Member | Refusal> => {
    const member = memberNamed(founding().roster, name);
    if (member === undefined) return machineNotFound(name);
    if (name === membership.machine)
      return {
        code: 'machine_exists',
        sentence: `${name} is this machine, which created the fleet and cannot be removed from the fleet`,
        hint: 'To end the fleet: baton fleet leave',
      };
    const roster = await store.write((tx) => {
      const before = readFounding(tx);
      const changed = withoutMember(before.roster, name);
      save(tx, { ...before, roster: changed });
      tx.forgetMachine(name);
      appendNotice(tx, ports, { type: 'fleet_member_revoked', machine: name, role: member.role }, NOBODY);
      return changed;
    });
    const refusal = await applyUsers().catch(hubNotStarted);
    if (refusal !== undefined)
      return {
        ...refusal,
        sentence: `${name} is removed from the list of members, but the hub does not run now: ${refusal.sentence}`,
      };
    await link.publishRoster(sealRoster(roster)).catch(note);
    await link.removeMember(name).catch(note);
    return member;
  };

  const answer = async (question: FounderQuestion, from: string, sealed: Sealed): Promise<Sealed | undefined> => {
    const { roster } = founding();
    const key = memberNamed(roster, from)?.key;
    if (key === undefined || !transport.verify(key, purposes.question(question, from), sealed)) return undefined;
    if (question === 'view') await link.restartView(from);
    if (question === 'history') await link.prepareMember(from, false);
    // Answer the leaving machine before it is removed from the list of members, because the removal closes the
    // machine's connection.
    if (question === 'leave') clock.after(50, () => void remove(from).catch(note));
    const said = question === 'time' ? timeText(sealed.text, clock.now(), roster.version) : sealed.text;
    return keys.sign(purposes.founder(question), said);
  };

  const note = (error: unknown): void => {
    if (!stopped) ports.log.warn(`could not update the hub of the fleet: ${errorMessage(error)}`);
  };
  const check = (): void => {
    cancelCheck = clock.after(failure === undefined ? CHECK_MS : FAILED_CHECK_MS, () => {
      void tried(transport.hub.ensureRunning())
        .catch(() => undefined)
        .finally(() => {
          if (!stopped) check();
        });
    });
  };

  // If the server cannot start now, for example because the network is not up yet, the next check tries again.
  await applyUsers().catch(() => undefined);
  link.answerFounder(answer);
  link.answerJoins(join);
  link.onChange(() => {
    if (link.isConnected()) void provision().catch(note);
  });
  if (link.isConnected()) void provision().catch(note);
  check();
  return {
    invite,
    revoke: remove,
    problem: () => failure,
    stop: async () => {
      stopped = true;
      cancelCheck?.();
    },
  };
}

const isOpenAt =
  (now: string) =>
  ({ expiresAt }: OpenInvitation): boolean =>
    now < expiresAt;

function usersOf({ ports, membership }: FleetContext, { roster, invitations }: Founding): readonly HubUser[] {
  return [
    ...roster.members.map(({ name, key, role }): HubUser => {
      const isFounder = name === membership.machine;
      return { key, as: isFounder ? { kind: 'founder', name } : { kind: 'member', name, role } };
    }),
    ...invitations
      .filter(isOpenAt(ports.clock.now()))
      .map(({ id, key }): HubUser => ({ key, as: { kind: 'invitation', id } })),
  ];
}
