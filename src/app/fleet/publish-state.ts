import type { Instant } from '../../domain/instant.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';
import { errorMessage } from '../error-message.ts';
import { type FleetLink, HubRefusal, type StateTopic } from '../ports/fleet/fleet-link.ts';
import type { FleetKind } from '../ports/fleet/fleet-store.ts';
import { createLostAnswers } from './lost-answers.ts';
import { type FleetContext, purposes } from './membership.ts';

/**
 * The agents, handoffs, inbox items and packages of this machine that other machines can see, in the format of the API.
 */
export interface FleetViews {
  current(): readonly { readonly kind: FleetKind; readonly id: string; readonly body: unknown }[];
}

/** How many answers to commands stay visible for the machines that sent the commands. */
export const ANSWERS_KEPT = 50;

/** A machine's report about itself. */
export interface Report {
  /** The random id of the server process, to distinguish two servers that report as the same machine. */
  readonly instance: string;
  readonly version: string;
  /** The time of the report, by the hub's clock. Null if the machine that reports does not know the hub's time. */
  readonly at: Instant | null;
  readonly log_end: number;
  readonly takes_commands: boolean;
  /**
   * The ids of all objects that this machine publishes now: agents, handoffs, inbox items, packages and answers to
   * commands. If another machine has stored an object of this machine that is not listed here, that object no longer
   * exists.
   */
  readonly present: Readonly<Record<FleetKind, readonly string[]>>;
  /**
   * The hash of the states of all existing objects. Another machine compares this hash with the states that it
   * received, and so notices if the hub holds a state back.
   */
  readonly digest: string;
}

/**
 * Returns the text from which the hash in a report is computed. The text does not depend on the order of the states.
 */
export const digestText = (states: readonly { readonly kind: string; readonly id: string; readonly body: string }[]) =>
  states
    .map(({ kind, id, body }) => `${kind} ${id} ${body}`)
    .toSorted()
    .join('\n');

/**
 * The content of a state message: the state itself, and the number of the newest log event that is part of the state.
 */
export interface StateText {
  readonly position: number;
  readonly body: unknown;
}

export interface StatePublisher {
  /** Publishes the changed states. Called after each transaction. */
  wake(): void;
  /**
   * Called whenever this machine has connected to the hub and may publish. Publishes all states again, because the hub
   * may have lost some.
   */
  reconnected(): void;
  /** Publishes a report even if nothing has changed. */
  beat(): void;
  /** Returns the reason why the hub refuses to store the states. Returns undefined if the hub stores them. */
  refusal(): string | undefined;
  /** Returns the objects whose state is too large for the hub, such as `package HO-2026-001`. */
  tooLarge(): readonly string[];
  stop(): Promise<void>;
}

/** The minimum time between two reads of the store. */
const PACE_MS = 250;

/** The pause after a failure before the states are sent again. */
const RETRY_MS = 1_000;

/**
 * The maximum length of a state, in characters. A longer state is not sent, because the hub refuses messages above 4 MB
 * and a character takes up to three bytes.
 */
const MAX_STATE = 1_000_000;

/**
 * Baton spends at most this share of its time on reading the store for the other machines of the fleet. Without this
 * limit, a machine with many agents would become slow.
 */
const MAX_SHARE = 0.1;

/**
 * Publishes the latest states of this machine's agents, handoffs, inbox items, packages and answers to commands, and a
 * report that lists them. Sends only what has changed. All states that are read together are sent with the same log
 * position.
 */
export function createStatePublisher(
  context: FleetContext,
  link: FleetLink,
  {
    views,
    hubNow,
    mayPublish,
    onGone,
  }: {
    readonly views: FleetViews;
    readonly hubNow: () => Instant | null;
    /**
     * Returns whether this machine may publish now. If not, the caller must call `reconnected` as soon as this machine
     * may publish.
     */
    readonly mayPublish: () => boolean;
    /** Called when an object of this machine no longer exists, with the topic of the object. */
    readonly onGone: (topic: StateTopic) => void;
  },
): StatePublisher {
  const { ports, keys, membership, takesCommands } = context;
  const { machine } = membership;
  const sent = new Map<string, string>();
  let lastSeq = -1;
  let lastReport = '';
  let wantsBeat = true;
  let stopped = false;
  let cancel: (() => void) | undefined;
  let working: Promise<void> | undefined;
  let paceMs = PACE_MS;
  let failure: unknown;
  let tooLarge: readonly string[] = [];
  const answers = createLostAnswers();

  const send = (topic: StateTopic, text: string): Promise<void> =>
    link.publish(topic, keys.sign(purposes.state(machine, topic.kind, topic.id), text));

  const look = () => {
    const began = ports.clock.monotonicMs();
    const found = ports.store.read((tx) => ({
      position: tx.lastSeq(),
      answers: tx.fleetCommands(ANSWERS_KEPT).filter(({ answer }) => answer !== null),
    }));
    const all = [
      ...views.current(),
      ...found.answers.map(({ id, answer }) => ({ kind: 'command' as const, id, body: JSON.parse(answer ?? 'null') })),
    ];
    const clean = (text: string): string => ports.secrets.redact(text);
    const states = all.map(({ kind, id, body }) => ({ kind, id, body: redactWithin(body, clean) }));
    paceMs = Math.max(PACE_MS, (ports.clock.monotonicMs() - began) / MAX_SHARE);
    return { position: found.position, states };
  };

  const publish = async (): Promise<void> => {
    const { position, states } = look();
    const present: Record<FleetKind, string[]> = { agent: [], run: [], item: [], package: [], command: [] };
    const messages: Promise<void>[] = [];
    const texts: { kind: string; id: string; body: string }[] = [];
    const large: string[] = [];
    for (const { kind, id, body } of states) {
      const json = JSON.stringify(body);
      const key = `${kind} ${id}`;
      if (json.length > MAX_STATE) {
        large.push(key);
        continue;
      }
      present[kind].push(id);
      texts.push({ kind, id, body: json });
      if (sent.get(key) === json) continue;
      messages.push(
        send({ machine, kind, id }, `{"position":${position},"body":${json}}`).then(() => void sent.set(key, json)),
      );
    }
    await answers.unlessLost(Promise.all(messages));
    for (const key of large)
      if (!tooLarge.includes(key)) ports.log.warn(`the state of ${key} is too large, so other machines do not see it`);
    tooLarge = large;
    const said = { instance: ports.settings.instance, version: ports.settings.version, log_end: position };
    const report = {
      ...said,
      takes_commands: takesCommands(),
      present,
      digest: ports.chance.sha256(digestText(texts)),
    };
    const text = JSON.stringify(report);
    if (text !== lastReport || wantsBeat)
      await answers.unlessLost(
        send({ machine, kind: 'report', id: 'self' }, JSON.stringify({ position, body: { ...report, at: hubNow() } })),
      );
    wantsBeat = false;
    lastReport = text;
    lastSeq = position;
    for (const key of sent.keys()) {
      const [kind = '', id = ''] = key.split(' ', 2);
      if (present[kind as FleetKind].includes(id)) continue;
      sent.delete(key);
      onGone({ machine, kind, id });
    }
  };

  const isNews = (): boolean => wantsBeat || ports.store.read((tx) => tx.lastSeq()) !== lastSeq;
  const run = (): void => {
    cancel = undefined;
    if (stopped || working !== undefined || !link.isConnected() || !mayPublish() || !isNews()) return;
    working = publish()
      .then(() => {
        failure = undefined;
      })
      .catch((error: unknown) => {
        // Log a failure only if it differs from the previous one, because a hub with a full disk may refuse every state
        // for hours.
        if (errorMessage(error) !== errorMessage(failure))
          ports.log.info(`could not send states to the hub: ${errorMessage(error)}`);
        failure = error;
        paceMs = Math.max(paceMs, RETRY_MS);
      })
      .finally(() => {
        working = undefined;
        if (!stopped && isNews()) later();
      });
  };
  const later = (): void => {
    if (!stopped) cancel ??= ports.clock.after(paceMs, run);
  };

  return {
    wake: later,
    reconnected: () => {
      sent.clear();
      wantsBeat = true;
      answers.giveUp();
      later();
    },
    beat: () => {
      wantsBeat = true;
      later();
    },
    refusal: () => (failure instanceof HubRefusal ? failure.message : undefined),
    tooLarge: () => tooLarge,
    stop: async () => {
      stopped = true;
      cancel?.();
      answers.giveUp();
      await working;
    },
  };
}
