import type { FleetHalt } from '../../domain/fleet/compare-logs.ts';
import { type FleetRole, isMachineName, type Member, memberNamed } from '../../domain/fleet/member.ts';
import { HEARTBEAT_MS } from '../../domain/fleet/presence.ts';
import { utcTime } from '../../domain/instant.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import {
  type FleetTransport,
  type FounderLink,
  type HubAddress,
  InvitationDamaged,
  isPrivate,
  type Sealed,
} from '../ports/fleet/fleet-link.ts';
import type { Ports } from '../ports/index.ts';
import { type Founder, hubNotStarted, type NewInvitation, startFounder } from './founder.ts';
import { type InvitationCode, invitationDamaged, readCode, writeCode } from './invitation-code.ts';
import { closeHalt, type FleetMember, startMember } from './member.ts';
import { type FleetContext, isFounder, type Membership, purposes, readMembership, readRoster } from './membership.ts';
import { type IdentityWatch, watchIdentity } from './own-identity.ts';
import type { FleetViews } from './publish-state.ts';
import { awaitConnection, sayGoodbye } from './say-goodbye.ts';
import type { RemoteRequest } from './send-command.ts';
import type { CommandAnswer, RemoteCalls } from './take-commands.ts';

/** The API of this machine calls these functions to use the fleet. */
export interface FleetControl {
  /** Connects this Baton to its fleet, if it is a member of one. */
  start(): Promise<void>;
  stop(): Promise<void>;
  status(): FleetStanding;
  found(wanted: {
    readonly name: string;
    readonly address: string;
    readonly plain: boolean;
  }): Promise<FleetStanding | Refusal>;
  invite(wanted: {
    readonly name: string;
    readonly role: FleetRole;
    readonly replace: boolean;
  }): Promise<FleetInvitation | Refusal>;
  join(code: string): Promise<FleetStanding | Refusal>;
  leave(): Promise<FleetStanding | Refusal>;
  revoke(name: string): Promise<Member | Refusal>;
  send(machine: string, request: RemoteRequest): Promise<CommandAnswer | Refusal>;
  /** Returns the time of the machine's last report, by the hub's time. */
  heardAt(machine: string): ReturnType<FleetMember['follower']['heardAt']>;
  /** Returns true if the states that this Baton received from the machine match the machine's last report. */
  isWhole(machine: string): boolean;
}

export interface FleetInvitation {
  readonly name: string;
  readonly role: FleetRole;
  readonly code: string;
  readonly expiresAt: string;
}

export interface FleetStanding {
  readonly membership: Membership | undefined;
  readonly role: FleetRole | undefined;
  readonly isConnected: boolean;
  readonly takesCommands: boolean;
  readonly forwarded: number | undefined;
  readonly offsetMs: number | undefined;
  readonly heartbeatMs: number;
  readonly problem: (Pick<FleetHalt, 'sentence' | 'hint'> & { readonly code: string }) | undefined;
}

export interface FleetDeps {
  readonly ports: Ports;
  /** Loads the transport. Called only if this Baton is in a fleet, or if it creates or joins one. */
  readonly loadTransport: () => Promise<FleetTransport>;
  readonly views: FleetViews;
  readonly calls: RemoteCalls;
  readonly takesCommands: () => boolean;
  readonly heartbeatMs?: number;
}

interface Running {
  readonly context: FleetContext;
  readonly member: FleetMember;
  readonly founder: Founder | undefined;
}

const NOBODY = { agentId: null, runId: null };

/** How long a machine that has joined waits until the hub accepts its key. */
const ACCESS_MS = 15_000;

/** How long a stopping Baton waits for the tasks of the fleet that still run. */
const STOP_MS = 5_000;

export function createFleetControl(deps: FleetDeps): FleetControl {
  const { ports, takesCommands, heartbeatMs = HEARTBEAT_MS } = deps;
  const { store } = ports;
  let running: Running | undefined;
  /**
   * Set while another Baton uses the identity of this machine. The object waits until the other Baton stops using the
   * identity.
   */
  let watch: IdentityWatch | undefined;
  let startProblem: FleetStanding['problem'];
  let transport: FleetTransport | undefined;
  /**
   * This controller is aborted when Baton stops. The abort ends every wait for the hub, so that an invitation or a join
   * in progress does not delay the stop.
   */
  let stopping = new AbortController();
  /**
   * The most recent task that changes this machine's membership in a fleet, such as a join. These tasks run one after
   * another, so a new task waits for this one.
   */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  };

  const load = async (): Promise<FleetTransport> => {
    transport ??= await deps.loadTransport();
    return transport;
  };

  const run = async (membership: Membership): Promise<void> => {
    const loaded = await load();
    const keys = loaded.readKeys();
    if (keys === undefined) {
      startProblem = keysMissing(membership.machine);
      return;
    }
    startProblem = undefined;
    const context = { ports, transport: loaded, keys, membership, heartbeatMs, takesCommands };
    const { views, calls } = deps;
    const onHalt = ({ code }: FleetHalt): void => {
      if (code === 'identity_in_use') waitForIdentity(context);
    };
    if (!isFounder(membership)) {
      const link = loaded.connect(membership.hub, membership.machine);
      running = { context, founder: undefined, member: startMember(context, link, { views, calls, onHalt }) };
      return;
    }
    const link: FounderLink = loaded.connectAsFounder(membership.hub, membership.machine);
    const { signal } = stopping;
    const founder = await startFounder(context, link, signal);
    if (signal.aborted) {
      await founder.stop();
      await link.close();
      return;
    }
    const onGone = (topic: Parameters<FounderLink['dropState']>[0]): void =>
      void link.dropState(topic).catch(() => undefined);
    running = { context, founder, member: startMember(context, link, { views, calls, onGone, onHalt }) };
  };
  const waitForIdentity = (context: FleetContext): void => {
    const { hub, machine } = context.membership;
    if (running?.context !== context || stopping.signal.aborted) return;
    const again = async (): Promise<void> => {
      if (running?.context !== context || stopping.signal.aborted) return;
      await end();
      await begin(context.membership);
    };
    watch = watchIdentity(context, context.transport.connect(hub, machine), heartbeatMs, () => void inTurn(again));
  };
  const end = async (): Promise<void> => {
    const before = running;
    const watching = watch;
    running = undefined;
    watch = undefined;
    await watching?.stop();
    await before?.founder?.stop();
    await before?.member.stop();
  };

  const status = (): FleetStanding => {
    const membership = store.read(readMembership);
    const link = running?.member.link;
    const why = link?.isConnected() === false ? link.whyNotConnected() : undefined;
    const unreachable = why && {
      code: 'hub_unreachable',
      sentence: `Baton is not connected to the hub: ${why}`,
      hint: 'Baton tries again by itself. Check on the hub that Baton runs there: baton fleet status. If the fleet has ended: baton fleet leave',
    };
    const { member, founder } = running ?? {};
    return {
      membership,
      role: membership && memberNamed(store.read(readRoster), membership.machine)?.role,
      isConnected: link?.isConnected() ?? false,
      takesCommands: takesCommands(),
      forwarded: running?.member.forwarded(),
      offsetMs: running?.member.clock.offsetMs(),
      heartbeatMs,
      problem:
        startProblem ??
        member?.halted() ??
        founder?.problem() ??
        member?.refused() ??
        (unreachable || member?.withheld()),
    };
  };

  const refuseMember = (): Refusal | undefined => {
    const membership = store.read(readMembership);
    return membership === undefined
      ? undefined
      : {
          code: 'already_in_fleet',
          sentence: `This Baton is already in a fleet, as ${membership.machine}`,
          hint: 'To leave the fleet: baton fleet leave',
        };
  };

  const found = async (wanted: { name: string; address: string; plain: boolean }): Promise<FleetStanding | Refusal> => {
    const { name } = wanted;
    const hostPort = readAddress(wanted.address);
    const refusal = refuseMember() ?? refuseName(name) ?? (isRefusal(hostPort) ? hostPort : undefined);
    if (refusal !== undefined || isRefusal(hostPort)) return refusal ?? badAddress(wanted.address);
    const loaded = await load();
    const why = await loaded.hub.whyNot();
    if (why !== undefined)
      return {
        code: 'nats_server_missing',
        sentence: why,
        hint: 'Debian: apt-get install nats-server. macOS: brew install nats-server',
      };
    if (!(await loaded.hub.isOwnAddress(hostPort.host)))
      return {
        code: 'bad_request',
        sentence: `${hostPort.host} is not an address of this machine, so the hub cannot listen there`,
        hint: 'Give the address at which the other machines reach this machine, such as 192.168.1.20:7422.',
      };
    const needsTls = !wanted.plain && !isPrivate(hostPort);
    const certificate = needsTls ? await loaded.hub.certificate(hostPort.host) : null;
    const keys = loaded.createKeys();
    const hub: HubAddress = { ...hostPort, certificate, ...(wanted.plain ? { isPlain: true } : {}) };
    const failure = await loaded.hub
      .apply(hub, [{ key: keys.publicKey, as: { kind: 'founder', name } }])
      .catch(hubNotStarted);
    if (isRefusal(failure)) {
      loaded.removeKeys();
      return failure;
    }
    const membership: Membership = { machine: name, hub, founder: { name, key: keys.publicKey } };
    const member: Member = { name, key: keys.publicKey, role: 'operator', joinedAt: ports.clock.now() };
    const roster = { version: 1, members: [member] };
    await enter(
      membership,
      keys.sign(purposes.roster, JSON.stringify(roster)),
      JSON.stringify({ roster, invitations: [] }),
    );
    return begin(membership);
  };

  const enter = (membership: Membership, roster: Sealed, founding: string | null): Promise<void> =>
    store.write((tx) => {
      tx.saveFleetNote('membership', JSON.stringify(membership));
      tx.saveFleetNote('roster', JSON.stringify(roster));
      tx.saveFleetNote('founding', founding);
      const { machine, founder } = membership;
      appendNotice(tx, ports, { type: 'fleet_joined', machine, founder: founder.name }, NOBODY);
    });

  const begin = async (membership: Membership): Promise<FleetStanding> => {
    await run(membership).catch((error: unknown) => {
      startProblem = { code: 'hub_unreachable', sentence: errorMessage(error), hint: 'See: baton fleet status' };
    });
    return status();
  };

  const join = async (text: string): Promise<FleetStanding | Refusal> => {
    const code = readCode(text);
    const refusal = refuseMember() ?? (isRefusal(code) ? code : refuseInvitation(code, ports.clock.now()));
    if (refusal !== undefined || isRefusal(code)) return refusal ?? invitationRefused();
    const loaded = await load();
    const { id, seed, name, hub, founder } = code;
    if (!loaded.isPublicKey(founder.key)) return invitationDamaged(name);
    const keys = loaded.createKeys();
    const proof = keys.sign(purposes.join(id), keys.publicKey);
    const answer = await loaded
      .requestJoin(hub, { id, seed }, JSON.stringify({ name, key: keys.publicKey, proof }), stopping.signal)
      .catch(
        (error: unknown): Refusal =>
          stopping.signal.aborted
            ? joinStopped(hub)
            : error instanceof InvitationDamaged
              ? invitationDamaged(name)
              : {
                  code: 'hub_unreachable',
                  sentence: `The hub at ${hub.host}:${hub.port} did not let this machine join: ${errorMessage(error)}`,
                  hint: 'Check on the hub that Baton runs there: baton fleet status. If the invitation was used or has expired, ask for a new invitation on the hub: baton fleet invite NAME',
                },
      );
    const roster = isRefusal(answer) ? answer : readRosterAnswer(loaded, code, answer);
    if (isRefusal(roster)) {
      loaded.removeKeys();
      return roster;
    }
    const membership: Membership = { machine: name, hub, founder };
    await enter(membership, roster, null);
    await begin(membership);
    // Wait until this machine is connected to the hub. The hub accepts this machine's new key only after the hub has
    // read its new list of users.
    if (running !== undefined) await awaitConnection(running.member.link, ports.clock, ACCESS_MS, stopping.signal);
    return status();
  };

  const leave = async (): Promise<FleetStanding | Refusal> => {
    const membership = store.read(readMembership);
    if (membership === undefined) return notInFleet();
    const loaded = await load();
    const keys = loaded.readKeys();
    await end();
    const farewell = isFounder(membership)
      ? 'removed'
      : keys === undefined
        ? 'not_told'
        : await sayGoodbye({ ports, transport: loaded, keys, membership }, stopping.signal);
    if (isFounder(membership)) await loaded.hub.remove();
    loaded.removeKeys();
    startProblem = undefined;
    await store.write((tx) => {
      for (const key of ['membership', 'roster', 'founding'] as const) tx.saveFleetNote(key, null);
      for (const { machine } of tx.machineReports()) tx.forgetMachine(machine);
      const { machine, founder } = membership;
      appendNotice(tx, ports, { type: 'fleet_left', machine, founder: founder.name }, NOBODY);
    });
    await closeHalt(ports);
    return { ...status(), problem: stillListed(farewell, membership) };
  };

  const asFounder = <T>(work: (founder: Founder) => Promise<T | Refusal>): Promise<T | Refusal> => {
    const membership = store.read(readMembership);
    if (membership === undefined) return Promise.resolve(notInFleet());
    const founder = running?.founder;
    if (founder !== undefined) return work(founder);
    if (isFounder(membership)) return Promise.resolve(halted(startProblem));
    return Promise.resolve({
      code: 'not_the_hub',
      sentence: `Only ${membership.founder.name}, the machine that created the fleet, can invite or remove machines`,
      hint: `Run this command on ${membership.founder.name}.`,
    });
  };

  const invite = async (wanted: {
    name: string;
    role: FleetRole;
    replace: boolean;
  }): Promise<FleetInvitation | Refusal> => {
    const refusal = refuseName(wanted.name);
    if (refusal !== undefined) return refusal;
    return asFounder(async (founder) => {
      const made: NewInvitation | Refusal = await founder.invite(wanted);
      const membership = running?.context.membership;
      if (isRefusal(made) || membership === undefined) return isRefusal(made) ? made : notInFleet();
      const { id, name, role, expiresAt } = made.invitation;
      const { hub, founder: pinned } = membership;
      return {
        name,
        role,
        expiresAt,
        code: writeCode({ id, name, role, expiresAt, seed: made.seed, hub, founder: pinned }),
      };
    });
  };

  return {
    start: () =>
      inTurn(async () => {
        stopping = new AbortController();
        const membership = store.read(readMembership);
        if (membership !== undefined) await begin(membership);
      }),
    stop: () => {
      stopping.abort();
      const ended = inTurn(end);
      return new Promise((resolve, reject) => {
        const cancel = ports.clock.after(STOP_MS, () => {
          ports.log.warn(`the fleet did not stop within ${STOP_MS / 1_000} s`);
          resolve();
        });
        void ended.then(resolve, reject).finally(cancel);
      });
    },
    status,
    found: (wanted) => inTurn(() => found(wanted)),
    invite: (wanted) => inTurn(() => invite(wanted)),
    join: (code) => inTurn(() => join(code)),
    leave: () => inTurn(leave),
    revoke: (name) => inTurn(() => asFounder((founder) => founder.revoke(name))),
    send: async (machine, request) => {
      if (store.read(readMembership) === undefined) return notInFleet();
      const halt = running === undefined ? startProblem : running.member.halted();
      if (running === undefined || halt !== undefined) return halted(halt);
      return running.member.send(machine, request);
    },
    heardAt: (machine) => running?.member.follower.heardAt(machine) ?? null,
    isWhole: (machine) => running?.member.follower.isWhole(machine) ?? true,
  };
}

export const notInFleet = (): Refusal => ({
  code: 'not_in_fleet',
  sentence: 'This Baton is in no fleet',
  hint: 'To create a fleet: baton fleet hub NAME. To join a fleet: baton fleet join CODE',
});

const joinStopped = ({ host, port }: { readonly host: string; readonly port: number }): Refusal => ({
  code: 'hub_unreachable',
  sentence: `Baton was stopped before the hub at ${host}:${port} answered, so it is not known whether the hub let this machine join`,
  hint: 'Ask on the hub for a new invitation: baton fleet invite NAME --replace',
});

/**
 * Called after this machine has left its fleet. Returns the reason why the hub still lists the machine; undefined if
 * the hub has removed the machine from its list.
 */
function stillListed(
  farewell: Awaited<ReturnType<typeof sayGoodbye>>,
  { machine, hub }: Membership,
): FleetStanding['problem'] {
  if (farewell === 'removed') return undefined;
  if (farewell === 'in_use')
    return {
      code: 'identity_in_use',
      sentence: `The hub still lists ${machine}, because another Baton has the same identity: one of the two homes is a copy of the other`,
      hint: `If no machine should stay in the fleet under the name ${machine}, run on the hub: baton fleet revoke ${machine}`,
    };
  return {
    code: 'hub_unreachable',
    sentence: `Baton could not tell the hub at ${hub.host}:${hub.port} that this machine leaves the fleet, so the hub still lists ${machine}`,
    hint: `To remove ${machine} from the list, run on the hub: baton fleet revoke ${machine}`,
  };
}

const halted = (halt: Pick<FleetHalt, 'sentence' | 'hint'> | undefined): Refusal => ({
  code: 'fleet_halted',
  sentence: halt?.sentence ?? 'This Baton does not take part in its fleet now',
  hint: halt?.hint ?? 'See: baton fleet status',
});

const keysMissing = (machine: string): FleetHalt | NonNullable<FleetStanding['problem']> => ({
  code: 'not_a_member',
  sentence: `This Baton does not report to the fleet: the key of ${machine} is missing, probably because its home was restored without secrets`,
  hint: `To join again, run on ${machine}: baton fleet leave; then on the hub: baton fleet invite ${machine} --replace; then on ${machine}: baton fleet join CODE`,
});

const refuseName = (name: string): Refusal | undefined =>
  isMachineName(name)
    ? undefined
    : {
        code: 'bad_machine_name',
        sentence: `"${name}" cannot be the name of a machine`,
        hint: 'Use lower-case letters, digits and hyphens, at most 31 characters, such as workstation-2.',
      };

function readAddress(text: string): { readonly host: string; readonly port: number } | Refusal {
  const [, host = '', port = ''] = /^([A-Za-z0-9.-]{1,253}):(\d{1,5})$/.exec(text.trim()) ?? [];
  const number = Number(port);
  return host === '' || number < 1 || number > 65_535 ? badAddress(text) : { host, port: number };
}

const badAddress = (text: string): Refusal => ({
  code: 'bad_request',
  sentence: `"${text}" is not an address for a hub`,
  hint: 'Give a host name or an IPv4 address and a port, such as 192.168.1.20:7422.',
});

const invitationRefused = (): Refusal => ({
  code: 'bad_invitation',
  sentence: 'The hub did not accept the invitation: it was used already, has expired, or is for another machine',
  hint: 'Ask for a new invitation on the hub: baton fleet invite NAME',
});

const refuseInvitation = ({ name, expiresAt }: InvitationCode, now: string): Refusal | undefined =>
  refuseName(name) ??
  (now < expiresAt
    ? undefined
    : {
        code: 'bad_invitation',
        sentence: `The invitation expired at ${utcTime(expiresAt)}`,
        hint: `Ask for a new invitation on the hub: baton fleet invite ${name}`,
      });

/**
 * Reads the founder's answer to a joining machine. Accepts only an answer that was signed with the founder's key from
 * the invitation code.
 */
function readRosterAnswer(
  transport: FleetTransport,
  { name, founder }: InvitationCode,
  answer: string,
): Sealed | Refusal {
  const sealed = answer === '' ? undefined : (JSON.parse(answer) as Sealed);
  if (sealed === undefined) return invitationRefused();
  return transport.verify(founder.key, purposes.roster, sealed)
    ? sealed
    : {
        code: 'bad_signature',
        sentence:
          'This machine did not join, because the answer of the hub is not signed by the machine that made the invitation. The code was damaged or altered, or another server answers in place of the hub',
        hint: `Perhaps the hub already lists ${name} as a machine of the fleet. Ask for a new invitation on the hub: baton fleet invite ${name} --replace`,
      };
}
