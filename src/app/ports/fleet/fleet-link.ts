import type { LogMark } from '../../../domain/fleet/compare-logs.ts';
import type { FleetRole } from '../../../domain/fleet/member.ts';

/** A text with the signature of the machine that wrote it. The signature also covers the purpose of the text. */
export interface Sealed {
  readonly text: string;
  readonly signature: string;
}

/** An event of this machine's log, ready to be sent. */
export interface SealedEvent extends Sealed {
  readonly mark: LogMark;
}

/** Identifies an object whose latest state the hub keeps. The id of a machine's report about itself is `self`. */
export interface StateTopic {
  readonly machine: string;
  readonly kind: string;
  readonly id: string;
}

/** The topic of the list of members. */
export const ROSTER_TOPIC: StateTopic = { machine: '_fleet', kind: 'roster', id: 'members' };

/** The questions that machines ask the founder of the fleet. */
export type FounderQuestion = 'time' | 'view' | 'history' | 'leave';

/** Thrown if the hub answered that it did not store a message, for example because its disk is full. */
export class HubRefusal extends Error {
  override readonly name = 'HubRefusal';
}

/** Thrown if the server of the hub does not start. The hint says what the operator can do next. */
export class HubStartFailure extends Error {
  override readonly name = 'HubStartFailure';
  readonly hint: string;

  constructor(sentence: string, hint: string) {
    super(sentence);
    this.hint = hint;
  }
}

/**
 * Thrown if the data of an invitation contradict each other, which means that the invitation code was damaged or
 * altered.
 */
export class InvitationDamaged extends Error {
  override readonly name = 'InvitationDamaged';
}

/**
 * The connection of one machine to the hub of its fleet. Every call rejects while there is no connection. After a lost
 * connection, this object reconnects by itself until it is closed.
 */
export interface FleetLink {
  isConnected(): boolean;
  /**
   * Returns the reason why there is no connection, in a sentence. Returns undefined if there is a connection, or if the
   * reason is not known yet.
   */
  whyNotConnected(): string | undefined;
  /**
   * Returns why the last attempt to connect was refused. `key`: the hub refuses this machine's key. `certificate`: this
   * machine refuses the hub, because the hub's certificate is not the one from the invitation.
   */
  refusal(): 'key' | 'certificate' | undefined;
  /** Calls the listener whenever the connection is made or lost. */
  onChange(listener: () => void): void;
  /**
   * Returns the newest event of this machine's log that the hub has stored. Returns undefined if the hub no longer has
   * a history of this machine.
   */
  lastEvent(): Promise<LogMark | undefined>;
  /**
   * Appends events to the hub's history of this machine, directly after the event `after`. The hub accepts an event
   * only after its predecessor in this machine's log. Returns false if `after` is not the hub's last event; the hub has
   * then stored nothing.
   */
  append(after: LogMark, events: readonly SealedEvent[]): Promise<boolean>;
  /** Replaces the latest state of an object of this machine. */
  publish(topic: StateTopic, sealed: Sealed): Promise<void>;
  /**
   * Delivers the latest state of every object, and afterwards each change. If this function is called again, the
   * earlier delivery ends.
   */
  follow(delivery: StateDelivery): Promise<void>;
  /** Resolves when the hub has stored the command for the other machine. */
  sendCommand(machine: string, sealed: Sealed): Promise<void>;
  /**
   * Delivers the commands for this machine, one at a time. When the listener's promise resolves, the hub removes the
   * command. If the promise rejects, or if the connection is lost first, the hub delivers the command again.
   */
  takeCommands(perform: (sealed: Sealed) => Promise<void>): Promise<void>;
  /** Asks another machine and returns its answer. Rejects if the machine does not answer in time. */
  ask(machine: string, sealed: Sealed): Promise<Sealed>;
  answerAsks(answer: (sealed: Sealed) => Promise<Sealed | undefined>): void;
  askFounder(question: FounderQuestion, sealed: Sealed): Promise<Sealed>;
  close(): Promise<void>;
}

/** The delivery of states to one machine, in order and one at a time. */
export interface StateDelivery {
  /**
   * Makes the hub begin the delivery anew, with the latest state of every object. Called after the earlier delivery has
   * ended.
   */
  readonly restart: () => Promise<void>;
  readonly onState: (topic: StateTopic, sealed: Sealed) => void;
  /** Called when the hub has delivered all states that it has stored so far. */
  readonly onCaughtUp: () => void;
  /**
   * Called if the hub ends this delivery by itself. For example, this machine's request for a delivery may reach the
   * founder late, after the delivery has begun; the founder then replaces the delivery.
   */
  readonly onEnded: () => void;
}

/** The additional functions of the machine that founded the fleet. */
export interface FounderLink extends FleetLink {
  answerFounder(answer: (question: FounderQuestion, from: string, sealed: Sealed) => Promise<Sealed | undefined>): void;
  /**
   * Sets the function that answers a machine that wants to join. The function gets the id of the machine's invitation.
   */
  answerJoins(answer: (invitationId: string, text: string) => Promise<string | undefined>): void;
  /** Publishes the list of members. */
  publishRoster(sealed: Sealed): Promise<void>;
  /**
   * Creates the streams and consumers that a member needs on the hub, unless they already exist. If `anew` is true,
   * first deletes the member's history.
   */
  prepareMember(machine: string, anew: boolean): Promise<void>;
  /** Makes the next delivery to the named machine begin with the latest state of every object. */
  restartView(machine: string): Promise<void>;
  /** Deletes everything that the hub has about a machine. */
  removeMember(machine: string): Promise<void>;
  /** Deletes the state of an object that no longer exists. */
  dropState(topic: StateTopic): Promise<void>;
}

/** A key pair that identifies a machine. */
export interface MachineKeys {
  readonly publicKey: string;
  /** Signs a text for a purpose. A signature for one purpose is not valid for another. */
  sign(purpose: string, text: string): Sealed;
}

export interface HubAddress {
  readonly host: string;
  readonly port: number;
  /** The hub's certificate as PEM; null if the connection is not encrypted by TLS. */
  readonly certificate: string | null;
  /** Whether the operator said that the network is encrypted already, so that the hub needs no TLS. */
  readonly isPlain?: boolean;
}

/**
 * Returns whether only this machine itself can reach the hub. If other machines can reach the hub, it needs TLS or a
 * network that is already encrypted.
 */
export const isPrivate = ({ host }: Pick<HubAddress, 'host'>): boolean => host === 'localhost' || host === '127.0.0.1';

/** A machine or an invitation whose key the hub accepts. */
export interface HubUser {
  readonly key: string;
  readonly as:
    | { readonly kind: 'founder'; readonly name: string }
    | { readonly kind: 'member'; readonly name: string; readonly role: FleetRole }
    | { readonly kind: 'invitation'; readonly id: string };
}

/** The transport of the fleet, with its own files. Loaded only if this Baton is in a fleet. */
export interface FleetTransport {
  /** Creates a key pair and stores its seed in the home. */
  createKeys(): MachineKeys;
  /** Reads this machine's key pair; undefined if its seed is missing. */
  readKeys(): MachineKeys | undefined;
  removeKeys(): void;
  /** Creates a key pair that is stored nowhere, for an invitation. */
  createLooseKeys(): { readonly publicKey: string; readonly seed: string };
  verify(publicKey: string, purpose: string, sealed: Sealed): boolean;
  isPublicKey(text: string): boolean;
  connect(hub: HubAddress, machine: string): FleetLink;
  connectAsFounder(hub: HubAddress, machine: string): FounderLink;
  /**
   * Waits until the hub accepts the key of this invitation, because the hub needs some time to read a new list of
   * users. After half a minute, resolves even if the hub still refuses the key. Resolves at once if Baton stops.
   */
  awaitAccess(
    hub: HubAddress,
    invitation: { readonly id: string; readonly seed: string },
    stopping: AbortSignal,
  ): Promise<void>;
  /**
   * Sends the request of a joining machine, with the keys of its invitation. Rejects if the hub does not answer or if
   * Baton stops. Rejects with InvitationDamaged if the data of the invitation contradict each other.
   */
  requestJoin(
    hub: HubAddress,
    invitation: { readonly id: string; readonly seed: string },
    text: string,
    stopping: AbortSignal,
  ): Promise<string>;
  readonly hub: HubServer;
}

/** The server of the hub on this machine. */
export interface HubServer {
  /** Returns the reason why a hub cannot run on this machine. Returns undefined if it can. */
  whyNot(): Promise<string | undefined>;
  /** Returns whether a server on this machine can listen on the host's address. */
  isOwnAddress(host: string): Promise<boolean>;
  /** Creates a certificate for this host, or reads the existing certificate. Returns the certificate as PEM. */
  certificate(host: string): Promise<string>;
  /**
   * Writes the list of users that may connect, then starts the server or makes a running server read the list again.
   * Throws HubStartFailure if the server does not start.
   */
  apply(hub: HubAddress, users: readonly HubUser[]): Promise<void>;
  /** Starts the server if it does not run. Throws HubStartFailure if the server does not start. */
  ensureRunning(): Promise<void>;
  /** Stops the server and deletes its files. */
  remove(): Promise<void>;
}
