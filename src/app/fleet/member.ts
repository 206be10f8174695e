import { type FleetHalt, identityInUse } from '../../domain/fleet/compare-logs.ts';
import { memberNamed, type Roster } from '../../domain/fleet/member.ts';
import { after, type Instant } from '../../domain/instant.ts';
import { errorMessage } from '../error-message.ts';
import { openItem, resolveItem } from '../inbox/sync-inbox.ts';
import type { FleetLink, Sealed, StateTopic } from '../ports/fleet/fleet-link.ts';
import type { Ports } from '../ports/index.ts';
import { createFollower, type Follower } from './follow-fleet.ts';
import { createForwarder } from './forward-events.ts';
import { createHubClock, type HubClock } from './hub-clock.ts';
import { type FleetContext, isFounder, purposes } from './membership.ts';
import { answerPing, findOther, isPing } from './own-identity.ts';
import { createStatePublisher, type FleetViews } from './publish-state.ts';
import { type CommandSender, createCommandSender } from './send-command.ts';
import { createCommandTaker, type RemoteCalls } from './take-commands.ts';

/** The running membership of this machine in its fleet. */
export interface FleetMember {
  readonly link: FleetLink;
  readonly clock: HubClock;
  readonly follower: Follower;
  readonly send: CommandSender;
  halted(): FleetHalt | undefined;
  /**
   * Returns the problem and the operator's next step if the hub has refused this machine for a while. Meanwhile, Baton
   * keeps trying to connect.
   */
  refused(): FleetHalt | undefined;
  /**
   * Returns the reason why the other machines do not see some data of this machine. Returns undefined if they see all
   * data.
   */
  withheld(): FleetTrouble | undefined;
  forwarded(): number | undefined;
  /** Makes the hub deliver the latest state of every object again. */
  followAgain(): void;
  stop(): Promise<void>;
}

/**
 * A problem because of which the other machines do not see some data of this machine, although this machine still
 * reports.
 */
export interface FleetTrouble {
  readonly code: 'hub_refuses' | 'state_too_large';
  readonly sentence: string;
  readonly hint: string;
}

/** How often this machine requests all states again while some of them are missing. */
const COMPLETE_EVERY_MS = 30_000;

/**
 * After this time, a refusal by the hub counts as lasting. Short refusals are normal, because the hub refuses each
 * machine that connects while the hub reads its list of users.
 */
const REFUSED_MS = 30_000;

/** The pause before Baton asks the hub again to deliver the states, if the last attempt failed. */
const FOLLOW_RETRY_MS = 1_000;

/** Starts to report to the fleet, to follow the other machines and to take commands. */
export function startMember(
  context: FleetContext,
  link: FleetLink,
  {
    views,
    calls,
    onGone = () => undefined,
    onHalt = () => undefined,
  }: {
    readonly views: FleetViews;
    readonly calls: RemoteCalls;
    /** Called if the hub still keeps the state of an object that no longer exists on this machine. */
    readonly onGone?: (topic: StateTopic) => void;
    /** Called when this machine stops reporting and closes its connection. */
    readonly onHalt?: (why: FleetHalt) => void;
  },
): FleetMember {
  const { ports, keys, membership, heartbeatMs } = context;
  const { machine } = membership;
  const { instance } = ports.settings;
  let halt: FleetHalt | undefined;
  let stopped = false;
  let isAnswering = false;
  let isServing = false;
  let isCaughtUp = false;
  let isFollowWanted = false;
  let completedAt = Number.NEGATIVE_INFINITY;
  let isFollowing = false;
  let cancelBeat: (() => void) | undefined;
  let refusedSince: number | undefined;
  let refusal: FleetHalt | undefined;

  const isReporting = (): boolean => link.isConnected() && !stopped && halt === undefined;
  const clock = createHubClock(context, link);
  const hubNow = (): Instant | null => {
    const offset = clock.offsetMs();
    return offset === undefined ? null : after(ports.clock.now(), offset);
  };
  const stopFor = (why: FleetHalt): void => {
    if (halt !== undefined || stopped) return;
    halt = why;
    ports.log.error(why.sentence);
    void tellHalt(ports, why);
    void end();
    onHalt(why);
  };
  const follower = createFollower(context, {
    onRoster: (roster, hasMissed) => {
      if (!isMember(roster, machine, keys.publicKey)) return stopFor(revoked(machine));
      // Request all states again only if this machine has dropped a state. If every machine requested all states after
      // each join, the deliveries would take minutes in a large fleet.
      if (hasMissed) followAgain();
    },
    // The hub first delivers the reports that it has stored. If one of them is about this machine, an earlier server of
    // this machine has sent it, so ignore it. A later report about this machine that this server did not send comes
    // from another Baton with the same identity.
    onOwnReport: (report) => {
      if (isCaughtUp && report.instance !== instance) void checkIdentity();
    },
    onOutdated: onGone,
    // Request all states again, but not too often: if the hub holds a state back, a new delivery does not contain this
    // state either.
    onIncomplete: () => {
      const now = ports.clock.monotonicMs();
      if (now - completedAt < COMPLETE_EVERY_MS) return;
      completedAt = now;
      followAgain();
    },
  });
  const isOtherAlive = async (): Promise<boolean> => (await findOther(context, link))?.is === 'reporting';
  const checkIdentity = async (): Promise<boolean> => {
    const isTaken = await isOtherAlive();
    if (isTaken) stopFor(identityInUse(machine));
    return !isTaken;
  };
  const beginHistory = () => link.askFounder('history', keys.sign(purposes.question('history', machine), instance));
  const forwarder = createForwarder(context, link, { halt: stopFor, isOtherAlive, beginHistory });
  const mayPublish = forwarder.isContinuing;
  const publisher = createStatePublisher(context, link, { views, hubNow, mayPublish, onGone });
  const wake = (): void => {
    // Until this machine has checked whether another Baton uses its identity, it sends no events.
    if (isAnswering) forwarder.wake();
    publisher.wake();
  };
  const taker = createCommandTaker(context, { clock, calls, onAnswered: wake });

  /**
   * Performs a command, but only if this machine's log continues the events that the hub has stored from this machine.
   * If not, the home was restored or copied, so the command may be meant for another agent with the same id, or may
   * have been performed before.
   */
  const take = async (sealed: Sealed): Promise<void> => {
    const isContinuing = await forwarder.whenContinuing();
    if (!isContinuing)
      throw new Error(
        "Baton could not confirm that this machine's log contains all events that the hub has from this machine",
      );
    await taker.take(sealed);
  };
  const answerAsk = async (sealed: Sealed): Promise<Sealed | undefined> => {
    if (isPing(context, sealed)) return answerPing(context, sealed, halt === undefined ? 'reporting' : 'waiting');
    return (await forwarder.whenContinuing()) ? taker.answer(sealed) : undefined;
  };

  /** Begins a new delivery of all states. Attempts run one at a time, and a failed attempt is repeated. */
  const followAgain = (): void => {
    isFollowWanted = true;
    if (!isFollowing) void followUntilDone();
  };
  const followUntilDone = async (): Promise<void> => {
    isFollowing = true;
    while (isFollowWanted && isReporting()) {
      isFollowWanted = false;
      isCaughtUp = false;
      await followOnce().catch(async (error: unknown) => {
        note('follow the fleet')(error);
        isFollowWanted = true;
        await pause(FOLLOW_RETRY_MS);
      });
    }
    isFollowing = false;
  };
  const followOnce = (): Promise<void> =>
    link.follow({
      restart: async () => {
        const question = keys.sign(purposes.question('view', machine), instance);
        // The founder did not answer, so the hub continues the old delivery. A state that was lost with the earlier
        // connection may be missing in the old delivery, so begin a new delivery later.
        await link.askFounder('view', question).catch(() => {
          ports.clock.after(heartbeatMs, followAgain);
        });
      },
      onState: follower.receive,
      onCaughtUp: () => {
        isCaughtUp = true;
      },
      onEnded: followAgain,
    });
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      ports.clock.after(ms, resolve);
    });

  const note = (what: string) => (error: unknown) => {
    if (!stopped && halt === undefined) ports.log.info(`could not ${what}: ${errorMessage(error)}`);
  };

  const connected = async (): Promise<void> => {
    const isContinuing = forwarder.whenContinuing();
    // Before this machine sends anything, check whether another Baton uses its identity. So a copied home sends nothing
    // at all.
    const check = checkIdentity();
    if (!isServing && !(await check)) return;
    if (stopped || halt !== undefined) return;
    // Answer the questions of other Batons before sending the first event. Otherwise a Baton on a copied home that
    // starts at this moment would get no answer, and would also report as this machine.
    if (!isAnswering) {
      isAnswering = true;
      link.answerAsks(answerAsk);
    }
    forwarder.wake();
    await clock.ask();
    followAgain();
    // A restored or copied home publishes nothing and takes no commands.
    if (!(await isContinuing)) return;
    publisher.reconnected();
    if (isServing) return;
    isServing = true;
    await link.takeCommands(take);
  };
  /** Opens an inbox item if the refusal of the hub lasts, and resolves the item once the hub has let this machine in. */
  const observeRefusal = (): void => {
    const why = link.refusal() !== undefined && !isFounder(membership) ? link.whyNotConnected() : undefined;
    const now = ports.clock.monotonicMs();
    if (why === undefined) {
      refusedSince = undefined;
      // A hub that does not answer has not let this machine in, so keep the inbox item about the lasting refusal open.
      if (refusal === undefined || !link.isConnected()) return;
      refusal = undefined;
      void closeHalt(ports).catch(note('resolve the inbox item'));
      return;
    }
    refusedSince ??= now;
    if (refusal !== undefined || now - refusedSince < REFUSED_MS) return;
    refusal = refusedByHub(machine, why);
    void tellHalt(ports, refusal).catch(note('open an inbox item'));
  };
  const changed = (): void => {
    observeRefusal();
    forwarder.connectionChanged();
    if (isReporting()) void connected().catch(note('report to the fleet'));
  };
  const beat = (): void => {
    cancelBeat = ports.clock.after(heartbeatMs, () => {
      if (link.isConnected()) void clock.ask().then(() => publisher.beat());
      observeRefusal();
      beat();
    });
  };

  const stopFollowingStore = ports.store.onCommit(wake);
  link.onChange(changed);
  beat();
  void taker.settleInterrupted().catch(note('answer the commands that were interrupted'));
  void closeHalt(ports);
  changed();

  const end = async (): Promise<void> => {
    cancelBeat?.();
    stopFollowingStore();
    await Promise.all([forwarder.stop(), publisher.stop(), follower.stop()]);
    await link.close();
  };
  return {
    link,
    clock,
    follower,
    send: createCommandSender(context, link, { clock, follower }),
    halted: () => halt,
    refused: () => refusal,
    withheld: () => {
      const refusal = forwarder.refusal() ?? publisher.refusal();
      if (refusal !== undefined) return hubRefuses(refusal);
      const large = publisher.tooLarge();
      return large.length === 0 ? undefined : stateTooLarge(large);
    },
    forwarded: forwarder.forwarded,
    followAgain,
    stop: async () => {
      stopped = true;
      await end();
    },
  };
}

const isMember = (roster: Roster, name: string, key: string): boolean => memberNamed(roster, name)?.key === key;

const revoked = (machine: string): FleetHalt => ({
  code: 'not_a_member',
  sentence: `This Baton no longer reports to the fleet: the fleet's founder removed ${machine}`,
  hint: `To join again, run on ${machine}: baton fleet leave; then on the hub: baton fleet invite ${machine}; then on ${machine}: baton fleet join CODE`,
});

const refusedByHub = (machine: string, why: string): FleetHalt => ({
  code: 'not_a_member',
  sentence: `Baton is not connected to the hub: ${why}. The hub probably removed ${machine}, or the fleet was ended and created again`,
  hint: `To join again, run on ${machine}: baton fleet leave; then on the hub: baton fleet invite ${machine} --replace; then on ${machine}: baton fleet join CODE`,
});

const hubRefuses = (why: string): FleetTrouble => ({
  code: 'hub_refuses',
  sentence: `The hub does not store what this Baton reports: ${why}. Other machines see an older state`,
  hint: 'Baton tries again by itself and loses nothing. On the hub, check that the disk has space; for details, see fleet/hub/nats.log in the home of Baton on the hub',
});

const stateTooLarge = (objects: readonly string[]): FleetTrouble => ({
  code: 'state_too_large',
  sentence: `Other machines do not see ${objects.slice(0, 3).join(', ')}${objects.length > 3 ? ` and ${objects.length - 3} more` : ''} of this machine: the state is too large for the hub`,
  hint: 'To see what is missing there, use the page or the command line on this machine',
});

const PART = 'report to the fleet';
const NOBODY = { agentId: null, runId: null };

const openHalts = (tx: Parameters<Parameters<Ports['store']['read']>[0]>[0]) =>
  tx
    .currentInboxItems({ of: 'trouble' })
    .filter(({ cause, resolvedAt }) => cause.of === 'trouble' && cause.part === PART && resolvedAt === null);

/**
 * Opens an inbox item that says why this machine no longer reports. The item opens on this machine, because the other
 * machines see only that the reports stopped, but not why.
 */
async function tellHalt(ports: Ports, { sentence, hint }: FleetHalt): Promise<void> {
  await ports.store.write((tx) => {
    if (openHalts(tx).some((item) => item.sentence === sentence)) return;
    openItem(tx, ports, { cause: { of: 'trouble', part: PART }, kind: 'notice', sentence, hint }, NOBODY);
  });
}

/** Resolves the inbox item that says that this machine stopped reporting to the fleet. */
export async function closeHalt(ports: Ports): Promise<void> {
  if (ports.store.read(openHalts).length === 0) return;
  await ports.store.write((tx) => {
    for (const item of openHalts(tx))
      resolveItem(tx, ports, item, 'Baton reports to the fleet again, or has left the fleet');
  });
}
