import type { LoggedEvent } from '../../domain/facts.ts';
import { compareLogs, type FleetHalt, haltFor, type LogMark } from '../../domain/fleet/compare-logs.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';
import { errorMessage } from '../error-message.ts';
import { type FleetLink, HubRefusal, type SealedEvent } from '../ports/fleet/fleet-link.ts';
import { createLostAnswers } from './lost-answers.ts';
import { type FleetContext, purposes } from './membership.ts';

/** The number of events that are sent before the forwarder waits until the hub has stored them. */
const BATCH = 100;

/** The pause after a failure before the forwarder tries again. */
const RETRY_MS = 1_000;

/** The maximum length of an event's data. Longer data is left out, because the hub refuses larger messages. */
const MAX_DATA = 1_000_000;

export interface Forwarder {
  /**
   * Sends the events that the hub does not have yet. Called after each commit, and whenever the connection is made or
   * lost.
   */
  wake(): void;
  /**
   * Called when the connection to the hub is made or lost. Forgets which events the hub has: in the meantime the hub
   * may lose some of them, and another Baton may send some in the name of this machine.
   */
  connectionChanged(): void;
  /** Returns whether this machine's log continues the hub's events. Returns false until the two are compared. */
  isContinuing(): boolean;
  /**
   * Resolves to true when the forwarder has found that this machine's log continues the hub's events. Resolves to false
   * if the log does not continue them, or if the connection changes or the forwarder stops before they are compared.
   */
  whenContinuing(): Promise<boolean>;
  /** The number of the newest event that the hub has stored; undefined until the hub has answered. */
  forwarded(): number | undefined;
  /** Returns the reason why the hub refuses to store the events. Returns undefined if the hub stores them. */
  refusal(): string | undefined;
  stop(): Promise<void>;
}

/**
 * Sends this machine's log to the hub, each event exactly once and in order. After a lost connection, asks the hub for
 * its last event and continues after that event.
 *
 * @param halt called if this machine's log does not continue the hub's events; nothing is sent after the call
 * @param isOtherAlive returns whether another Baton reports as this machine right now
 * @param beginHistory asks the founder to begin the history of this machine, because the hub has none
 */
export function createForwarder(
  context: FleetContext,
  link: FleetLink,
  {
    halt,
    isOtherAlive,
    beginHistory,
  }: {
    halt: (why: FleetHalt) => void;
    isOtherAlive: () => Promise<boolean>;
    beginHistory: () => Promise<unknown>;
  },
): Forwarder {
  const { ports, membership } = context;
  const { store } = ports;
  let cursor: LogMark | undefined;
  let known: number | undefined;
  let generation = 0;
  let isHalted = false;
  let stopped = false;
  let isWoken = false;
  let working: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;
  let failure: unknown;
  let comparison = beginComparison();
  const answers = createLostAnswers();

  const findCursor = async (): Promise<LogMark | undefined> => {
    const from = generation;
    const hub = await answers.unlessLost(link.lastEvent());
    // The answer came over an earlier connection, so it may be outdated.
    if (from !== generation) return undefined;
    if (hub === undefined) {
      await answers.unlessLost(beginHistory());
      throw new Error(`the hub has no history of ${membership.machine} yet`);
    }
    const { lastSeq, hash } = store.read((tx) => ({
      lastSeq: tx.lastSeq(),
      hash: hub.seq === 0 ? undefined : tx.eventsAfter(hub.seq - 1, 1)[0]?.hash,
    }));
    const relation = compareLogs(hub, { lastSeq }, () => hash);
    if (relation.is === 'continues') {
      comparison.end(true);
      return hub;
    }
    // The search for another Baton takes seconds. Until it ends, this machine must do nothing for the fleet.
    compareAgain();
    const why = haltFor(membership.machine, relation, await isOtherAlive());
    if (why !== undefined) {
      isHalted = true;
      halt(why);
    }
    return undefined;
  };
  const compareAgain = (): void => {
    comparison.end(false);
    comparison = beginComparison();
  };

  const forward = async (): Promise<void> => {
    const from = generation;
    const find = async (): Promise<void> => {
      const found = await findCursor();
      if (from === generation) cursor = found;
    };
    if (cursor === undefined) await find();
    while (cursor !== undefined && !stopped && from === generation) {
      const after: LogMark = cursor;
      known = after.seq;
      const events = store.read((tx) => tx.eventsAfter(after.seq, BATCH));
      if (events.length === 0) return;
      const sealed = events.map((event) => seal(context, event));
      const isStored = await answers.unlessLost(link.append(after, sealed));
      const last = events.at(-1);
      cursor = isStored && last !== undefined && from === generation ? { seq: last.seq, hash: last.hash } : undefined;
      // The hub refused the event, because the hub's last event is not the one that this machine assumed. So ask the
      // hub for its last event again.
      if (!isStored) await find();
    }
  };

  const work = async (): Promise<void> => {
    while (isWoken && !stopped && !isHalted && link.isConnected()) {
      isWoken = false;
      const from = generation;
      try {
        await forward();
        failure = undefined;
      } catch (error) {
        cursor = undefined;
        // The connection has changed, so this failure says nothing about the new connection.
        if (from !== generation) continue;
        // Log a failure only if it differs from the previous one, because a hub without space may refuse for hours.
        if (errorMessage(error) !== errorMessage(failure))
          ports.log.info(`could not send events to the hub: ${errorMessage(error)}`);
        failure = error;
        retryLater();
        return;
      }
    }
  };
  const retryLater = (): void => {
    cancelRetry = ports.clock.after(RETRY_MS, () => {
      cancelRetry = undefined;
      wake();
    });
  };
  const wake = (): void => {
    isWoken = true;
    working ??= work().finally(() => {
      working = undefined;
      // Start the loop again if `wake` was called after the loop had checked `isWoken` for the last time.
      if (isWoken && cancelRetry === undefined && !stopped && !isHalted && link.isConnected()) wake();
    });
  };

  return {
    wake: () => {
      cancelRetry?.();
      cancelRetry = undefined;
      wake();
    },
    connectionChanged: () => {
      if (stopped || isHalted) return;
      generation += 1;
      cursor = undefined;
      compareAgain();
      answers.giveUp();
    },
    isContinuing: () => comparison.isContinuing(),
    whenContinuing: () => comparison.outcome,
    forwarded: () => known,
    refusal: () => (failure instanceof HubRefusal ? failure.message : undefined),
    stop: async () => {
      stopped = true;
      cancelRetry?.();
      compareAgain();
      comparison.end(false);
      answers.giveUp();
      await working;
    },
  };
}

/** A comparison of this machine's log with the hub's events. Only the first call of `end` counts. */
interface Comparison {
  readonly outcome: Promise<boolean>;
  isContinuing(): boolean;
  end(continues: boolean): void;
}

function beginComparison(): Comparison {
  let result: boolean | undefined;
  let resolve = (_: boolean): void => undefined;
  const outcome = new Promise<boolean>((resolved) => {
    resolve = resolved;
  });
  return {
    outcome,
    isContinuing: () => result === true,
    end: (continues) => {
      result ??= continues;
      resolve(result);
    },
  };
}

/**
 * Prepares an event for the hub: removes secrets that Baton did not know when it logged the event, and signs the event.
 */
function seal({ ports, keys, membership }: FleetContext, event: LoggedEvent): SealedEvent {
  const { seq, at, agentId, runId, type, hash } = event;
  const data = JSON.stringify(redactWithin(event.data, ports.secrets.redact, NOT_REDACTED));
  const text = `{"v":1,"seq":${seq},"at":${JSON.stringify(at)},"agent_id":${agentId},"run_id":${runId},"type":${JSON.stringify(type)},"hash":${JSON.stringify(hash)},"data":${data.length > MAX_DATA ? '{"too_large":true}' : data}}`;
  return { mark: { seq, hash }, ...keys.sign(purposes.event(membership.machine, seq), text) };
}

const NOT_REDACTED: ReadonlySet<string> = new Set();
