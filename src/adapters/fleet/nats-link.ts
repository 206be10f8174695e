import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream';
import {
  connect,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import {
  type FleetLink,
  type FounderLink,
  type FounderQuestion,
  type HubAddress,
  HubRefusal,
  InvitationDamaged,
  ROSTER_TOPIC,
  type Sealed,
  type StateTopic,
} from '../../app/ports/fleet/fleet-link.ts';
import { LOG_START, type LogMark } from '../../domain/fleet/compare-logs.ts';
import { COMMANDS, commandStream, eventStream, STATE_STREAM, subjects, topicOf, viewOf } from './subjects.ts';

const ASK_MS = 10_000;
const FOUNDER_MS = 5_000;
/**
 * How long a joining machine repeats its request to join. A busy hub may answer late. A hub that is reading its list of
 * users may lose the request.
 */
const JOIN_MS = 60_000;
/**
 * After this many refusals in a row, a joining machine treats its invitation as invalid. A few refusals are normal: the
 * hub refuses every machine while it reads its list of users.
 */
const MAX_REFUSALS = 6;
/** How long the founder of a fleet waits until the hub accepts a new invitation. */
const ACCESS_MS = 30_000;
/** The founder's pause between two attempts to connect with the new invitation. */
const ACCESS_RETRY_MS = 100;
const API_MS = 10_000;
const RETRY_MS = 500;
const SIGNATURE = 'Baton-Signature';
/** The error code with which the hub refuses an event that does not directly follow the last event of the machine. */
const WRONG_LAST_SEQUENCE = 10_071;
/** The status with which the hub says that a stream or a message does not exist. */
const NOT_FOUND = 404;
/** The shortest value that the hub accepts for `duplicate_window`, the time in which a stream detects duplicates. */
const DUPLICATE_WINDOW_NS = 100_000_000;
/** If a machine does not report the end of a command within this time, the hub delivers the command again. */
const COMMAND_ACK_MS = 20_000;

/**
 * Returns the message id of an event. The id contains the event's hash, which covers all earlier events of the log. So
 * events of different logs never have the same id.
 */
const idOf = (machine: string, { seq, hash }: LogMark): string => `${machine}:${seq}:${hash}`;

export interface LinkOptions {
  readonly hub: HubAddress;
  readonly machine: string;
  readonly seed: Uint8Array;
  /** Logs a problem of the connection to the hub. The callers get no error about such a problem. */
  readonly log: (message: string) => void;
}

export function openLink({ hub, machine, seed, log }: LinkOptions): FounderLink {
  const listeners = new Set<() => void>();
  let connection: NatsConnection | undefined;
  let isUp = false;
  let closed = false;
  let problem: string | undefined;
  let refusal: 'key' | 'certificate' | undefined;
  let following: ConsumerMessages | undefined;
  /**
   * The number that the hub gives to an event, minus the number of the event in this machine's log. Usually 1, because
   * the first message of the hub's stream is not an event.
   */
  let ahead = 1;
  const answerers: ((connection: NatsConnection) => void)[] = [];
  const loops: Promise<void>[] = [];

  const failed = (error: unknown): void => {
    problem = wordsFor(error, hub);
    refusal = isRefusedKey(error) ? 'key' : isOtherCertificate(error) ? 'certificate' : undefined;
  };
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms).unref();
    });

  /**
   * Connects to the hub and reports every reconnect. If the hub refuses the key, Baton tries again, because the
   * operator may correct the membership on the hub.
   */
  const keepConnected = async (): Promise<void> => {
    while (!closed) {
      try {
        const opened = await connect(optionsFor(hub, seed, subjects.inbox(machine)));
        if (closed) return await opened.close();
        connection = opened;
        isUp = true;
        problem = undefined;
        refusal = undefined;
        for (const answer of answerers) answer(opened);
        changed();
        void watch(opened);
        await opened.closed();
      } catch (error) {
        failed(error);
      }
      const wasUp = isUp;
      isUp = false;
      connection = undefined;
      if (wasUp) changed();
      if (!closed) await pause(RETRY_MS);
    }
  };
  const watch = async (opened: NatsConnection): Promise<void> => {
    for await (const status of opened.status()) {
      if (status.type === 'disconnect') {
        isUp = false;
        problem = `the connection to ${hub.host}:${hub.port} was lost`;
        changed();
      } else if (status.type === 'reconnect') {
        isUp = true;
        problem = undefined;
        refusal = undefined;
        changed();
      } else if (status.type === 'error') {
        failed(status.error);
        log(`the hub refused something: ${status.error.message}`);
      }
    }
  };

  const open = (): NatsConnection => {
    if (connection === undefined || !isUp) throw new Error(problem ?? 'there is no connection to the hub');
    return connection;
  };
  const js = (): JetStreamClient => jetstream(open(), { timeout: API_MS });
  const manager = () => jetstreamManager(open(), { checkAPI: false, timeout: API_MS });

  const lastEvent = async (): Promise<LogMark | undefined> => {
    const api = await manager();
    const found = await api.streams
      .getMessage(eventStream(machine), { last_by_subj: subjects.events(machine) })
      .catch((error: unknown) => {
        if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
        throw error;
      });
    if (found === null) return undefined;
    const mark = markIn(found.header, machine);
    ahead = found.seq - mark.seq;
    return mark;
  };

  const append: FleetLink['append'] = async (after, events) => {
    const client = js();
    let before = after;
    const sent = events.map(({ mark, text, signature }) => {
      // The hub must refuse an event that does not directly follow the previous one. Identify the previous message by
      // its number and not by its id, because nats-server 2.9 forgets the ids of messages when it restarts.
      const expected = before.seq + ahead;
      before = mark;
      return client.publish(subjects.events(machine), text, {
        msgID: idOf(machine, mark),
        expect: { lastSequence: expected },
        headers: signatureHeader(signature),
        timeout: API_MS,
        retries: 0,
      });
    });
    const outcomes = await Promise.allSettled(sent);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed === undefined) return true;
    if (failed.reason instanceof JetStreamApiError && failed.reason.code === WRONG_LAST_SEQUENCE) return false;
    throw asRefusal(failed.reason);
  };

  const follow: FleetLink['follow'] = async ({ restart, onState, onCaughtUp, onEnded }) => {
    const before = following;
    following = undefined;
    // Close the previous subscription first. Otherwise the hub would send some states to the previous subscription
    // instead of the new one.
    await before?.close().catch(() => undefined);
    await restart();
    const consumer = await js().consumers.get(STATE_STREAM, viewOf(machine));
    const messages = await consumer.consume({ max_messages: 500, abort_on_missing_resource: true });
    following = messages;
    if ((await consumer.info(true)).num_pending === 0) onCaughtUp();
    void deliverStates(messages, onState, onCaughtUp).then(() => {
      if (following === messages && !closed) onEnded();
    });
  };
  const deliverStates = async (
    messages: ConsumerMessages,
    onState: (topic: StateTopic, sealed: Sealed) => void,
    onCaughtUp: () => void,
  ): Promise<void> => {
    try {
      for await (const message of messages) {
        const topic = topicOf(message.subject);
        if (topic !== undefined) onState(topic, sealedIn(message));
        if (message.info.pending === 0) onCaughtUp();
      }
    } catch (error) {
      log(`the states of the fleet are no longer delivered: ${String(error)}`);
    }
  };

  /** Receives commands one at a time as long as the connection to the hub is open. */
  const takeCommands: FleetLink['takeCommands'] = async (perform) => {
    const takeAll = async (): Promise<void> => {
      while (!closed) {
        const message = await nextCommand().catch(() => undefined);
        if (message === undefined) await pause(RETRY_MS);
        else await takeOne(message, perform);
      }
    };
    loops.push(takeAll());
  };
  const nextCommand = async (): Promise<JsMsg | undefined> => {
    const consumer = await js().consumers.get(commandStream(machine), COMMANDS);
    return (await consumer.next({ expires: 30_000 })) ?? undefined;
  };
  const takeOne = async (message: JsMsg, perform: (sealed: Sealed) => Promise<void>): Promise<void> => {
    try {
      await perform(sealedIn(message));
      message.ack();
    } catch (error) {
      log(`a command will be delivered again: ${String(error)}`);
      if (!closed) message.nak(RETRY_MS);
    }
  };

  const request = async (subject: string, sealed: Sealed, timeout: number): Promise<Sealed> => {
    const reply = await open().request(subject, sealed.text, { timeout, headers: signatureHeader(sealed.signature) });
    return sealedIn(reply);
  };
  const answering = (subject: string, answer: (message: Msg) => Promise<Sealed | undefined>): void => {
    const subscribe = (to: NatsConnection): void => {
      to.subscribe(subject, {
        callback: (error, message) => {
          if (error !== null) return;
          void answer(message)
            .then((sealed) => {
              if (sealed !== undefined) message.respond(sealed.text, { headers: signatureHeader(sealed.signature) });
            })
            .catch((failed: unknown) => log(`a question was not answered: ${String(failed)}`));
        },
      });
    };
    answerers.push(subscribe);
    if (connection !== undefined) subscribe(connection);
  };
  const publishState = async (topic: StateTopic, { text, signature }: Sealed): Promise<void> => {
    await js()
      .publish(subjects.state(topic), text, { headers: signatureHeader(signature), timeout: API_MS })
      .catch(throwRefusal);
  };

  void keepConnected();
  return {
    isConnected: () => isUp,
    whyNotConnected: () => (isUp ? undefined : problem),
    refusal: () => (isUp ? undefined : refusal),
    onChange: (listener) => void listeners.add(listener),
    lastEvent,
    append,
    publish: publishState,
    follow,
    sendCommand: async (to, { text, signature }) => {
      await js()
        .publish(subjects.command(to), text, { headers: signatureHeader(signature), timeout: API_MS, retries: 0 })
        .catch(throwRefusal);
    },
    takeCommands,
    ask: (to, sealed) => request(subjects.ask(to), sealed, ASK_MS),
    answerAsks: (answer) => answering(subjects.ask(machine), (message) => answer(sealedIn(message))),
    askFounder: (question, sealed) => request(subjects.founder(question, machine), sealed, FOUNDER_MS),
    close: async () => {
      closed = true;
      listeners.clear();
      await following?.close().catch(() => undefined);
      await connection?.close().catch(() => undefined);
    },
    answerFounder: (answer) =>
      answering('baton.founder.*.*', (message) => {
        const [, , question = '', from = ''] = message.subject.split('.');
        return answer(question as FounderQuestion, from, sealedIn(message));
      }),
    answerJoins: (answer) =>
      answering('baton.join.*', async (message) => {
        const [, , invitation = ''] = message.subject.split('.');
        const text = await answer(invitation, message.string());
        return { text: text ?? '', signature: '' };
      }),
    publishRoster: (sealed) => publishState(ROSTER_TOPIC, sealed),
    prepareMember: async (member, anew) => {
      const api = await manager();
      if (anew) await removeStreams(api, member);
      const name = eventStream(member);
      // Set for how long the hub remembers message ids to detect duplicates. The shortest time is enough, because the
      // hub also refuses each event that does not directly follow the previous event.
      const duplicate_window = DUPLICATE_WINDOW_NS;
      await ensureStream(api, { name, subjects: [subjects.events(member)], deny_delete: true, duplicate_window });
      // Begin the stream with a message that is not an event, because even the first event must follow a message. If
      // somebody has emptied the stream, send this message again. The machine then sends its whole log once more.
      const { messages, last_seq } = (await api.streams.info(name)).state;
      if (messages === 0)
        await js().publish(subjects.events(member), '{}', {
          msgID: idOf(member, LOG_START),
          expect: { lastSequence: last_seq },
        });
      await ensureStream(api, { name: STATE_STREAM, subjects: ['baton.st.>'], max_msgs_per_subject: 1 });
      await ensureStream(api, {
        name: commandStream(member),
        subjects: [subjects.command(member)],
        retention: RetentionPolicy.Workqueue,
        max_age: 3_600_000_000_000,
      });
      await api.consumers.add(commandStream(member), {
        durable_name: COMMANDS,
        ack_policy: AckPolicy.Explicit,
        ack_wait: COMMAND_ACK_MS * 1_000_000,
        max_ack_pending: 1,
      });
      await addView(api, member);
    },
    restartView: async (member) => {
      const api = await manager();
      await api.consumers.delete(STATE_STREAM, viewOf(member)).catch(() => undefined);
      await addView(api, member);
    },
    removeMember: async (member) => {
      const api = await manager();
      await removeStreams(api, member);
      await api.consumers.delete(STATE_STREAM, viewOf(member)).catch(() => undefined);
    },
    dropState: async (topic) => {
      await (await manager()).streams.purge(STATE_STREAM, { filter: subjects.state(topic) });
    },
  };
}

/**
 * Returns a HubRefusal if the hub answered with an error. Returns any other error unchanged, for example a missing
 * answer.
 */
const asRefusal = (error: unknown): unknown =>
  error instanceof JetStreamApiError ? new HubRefusal(error.message, { cause: error }) : error;

const throwRefusal = (error: unknown): never => {
  throw asRefusal(error);
};

type Manager = Awaited<ReturnType<typeof jetstreamManager>>;

/** Creates the stream if it does not exist yet. */
async function ensureStream(
  api: Manager,
  config: Parameters<Manager['streams']['add']>[0] & { readonly name: string },
): Promise<void> {
  try {
    await api.streams.info(config.name);
  } catch {
    await api.streams.add(config);
  }
}

const addView = async (api: Manager, member: string): Promise<void> => {
  await api.consumers.add(STATE_STREAM, {
    durable_name: viewOf(member),
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.LastPerSubject,
    filter_subject: 'baton.st.>',
  });
};

async function removeStreams(api: Manager, member: string): Promise<void> {
  for (const name of [eventStream(member), commandStream(member)])
    await api.streams.delete(name).catch(() => undefined);
  await api.streams.purge(STATE_STREAM, { filter: `baton.st.${member}.>` }).catch(() => undefined);
}

/**
 * Asks to join with the key of an invitation, on a separate connection. Repeats the request if nobody answers or the
 * hub closes the connection. The hub closes connections when it reads a new list of users, for example because another
 * machine joins.
 */
export async function requestJoin(
  hub: HubAddress,
  invitation: { readonly id: string; readonly seed: string },
  text: string,
  stopping: AbortSignal,
): Promise<string> {
  const began = performance.now();
  for (let refusals = 0; ; ) {
    try {
      return await unlessStopping(askToJoin(hub, invitation, text), stopping);
    } catch (error) {
      if (isDamage(error)) throw new InvitationDamaged(messageOf(error), { cause: error });
      if (isRefusedKey(error)) refusals += 1;
      const isPatient = !stopping.aborted && refusals < MAX_REFUSALS && performance.now() - began < patienceFor(error);
      if (!isPatient) throw new Error(stopping.aborted ? 'Baton was stopped' : wordsFor(error, hub));
      await unlessStopping(later(RETRY_MS), stopping).catch(() => undefined);
    }
  }
}

async function askToJoin(
  hub: HubAddress,
  { id, seed }: { readonly id: string; readonly seed: string },
  text: string,
): Promise<string> {
  const connection = await connectInvited(hub, { id, seed });
  try {
    return (await connection.request(subjects.join(id), text, { timeout: ASK_MS })).string();
  } finally {
    await connection.close().catch(() => undefined);
  }
}

const connectInvited = (hub: HubAddress, { id, seed }: { readonly id: string; readonly seed: string }) =>
  connect({ ...optionsFor(hub, Buffer.from(seed), subjects.inbox(`join-${id}`)), maxReconnectAttempts: 0 });

/**
 * Waits until the hub accepts a connection with the invitation. A busy hub needs seconds to read a new list of users.
 */
export async function awaitAccess(
  hub: HubAddress,
  invitation: { readonly id: string; readonly seed: string },
  stopping: AbortSignal,
): Promise<void> {
  const until = performance.now() + ACCESS_MS;
  while (performance.now() < until && !stopping.aborted) {
    const connected = connectInvited(hub, invitation).then((connection) => connection.close());
    const isAccepted = await unlessStopping(connected, stopping).then(
      () => true,
      () => false,
    );
    if (isAccepted) return;
    await unlessStopping(later(ACCESS_RETRY_MS), stopping).catch(() => undefined);
  }
}

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Waits for the promise `work` and returns its result. Rejects if Baton is stopped before that. */
function unlessStopping<T>(work: Promise<T>, stopping: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('Baton was stopped'));
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => stopping.removeEventListener('abort', stop));
  });
}

/**
 * Returns for how many milliseconds a joining machine keeps trying after this error. Returns 0 if further attempts
 * would fail in the same way.
 */
function patienceFor(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  return isNoResponder(error) || isRefusedKey(error) || PASSING.test(message) ? JOIN_MS : 0;
}

const isRefusedKey = (error: unknown): boolean =>
  REFUSED_KEY.test(error instanceof Error ? error.message : String(error));

/**
 * Returns whether a joining machine failed because its invitation is damaged: the id does not belong to the key, or the
 * key or the address cannot be read.
 */
const isDamage = (error: unknown): boolean => /^nkeys: |permissions violation|invalid url/i.test(messageOf(error));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isOtherCertificate = (error: unknown): boolean =>
  /certificate|self.signed|altname/i.test(error instanceof Error ? error.message : String(error));

const isNoResponder = (error: unknown): boolean =>
  error instanceof NoRespondersError || causeOf(error) instanceof NoRespondersError;

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

const optionsFor = ({ host, port, certificate }: HubAddress, seed: Uint8Array, inboxPrefix: string) => ({
  servers: `${host}:${port}`,
  authenticator: nkeyAuthenticator(seed),
  inboxPrefix,
  maxReconnectAttempts: -1,
  reconnectTimeWait: RETRY_MS,
  pingInterval: 10_000,
  maxPingOut: 2,
  timeout: 5_000,
  ignoreAuthErrorAbort: true,
  // Trust only the certificate from the invitation, and none of the authorities that this machine trusts. For an IP
  // address the client sends no server name, so Node needs `host` to check the name in the certificate.
  ...(certificate === null ? { tls: null } : { tls: { ca: certificate, host } }),
});

function signatureHeader(signature: string): MsgHdrs {
  const made = headers();
  made.set(SIGNATURE, signature);
  return made;
}

const sealedIn = (message: { string(): string; readonly headers?: MsgHdrs | undefined }): Sealed => ({
  text: message.string(),
  signature: message.headers?.get(SIGNATURE) ?? '',
});

/** Reads the number and the hash of an event from the id of its message. */
function markIn(header: MsgHdrs, machine: string): LogMark {
  const [name, seq = '', hash = ''] = header.get('Nats-Msg-Id').split(':');
  if (name !== machine || !/^\d+$/.test(seq))
    throw new Error(`the history of ${machine} on the hub contains a message that is not from ${machine}`);
  return { seq: Number(seq), hash };
}

/**
 * Matches the errors with which the hub refuses a key. `Authentication Timeout` does not match, because the hub reports
 * this error if this machine is too busy to send its key in time.
 */
const REFUSED_KEY = /authorization violation|authentication expired/i;
/** Matches the connection errors that occur while the hub reads a new list of users. */
const PASSING = /closed|disconnect|timeout|EPIPE|ECONNRESET/i;

function wordsFor(error: unknown, { host, port }: HubAddress): string {
  const message = error instanceof Error ? error.message : String(error);
  if (isNoResponder(error)) return 'Baton on the hub does not answer';
  if (REFUSED_KEY.test(message)) return `the hub at ${host}:${port} refuses the key of this machine`;
  if (/refused|ECONNREFUSED/i.test(message)) return `nothing answers at ${host}:${port}`;
  if (isOtherCertificate(error)) return `the server at ${host}:${port} is not the hub of the invitation (${message})`;
  if (/timeout/i.test(message)) return `the hub at ${host}:${port} does not answer`;
  return `${message} (${host}:${port})`;
}
