import { clockUnknown, type FleetCommand, refuseCommand } from '../../domain/fleet/command.ts';
import type { Instant } from '../../domain/instant.ts';
import { REFUSAL_STATUS, type Refusal } from '../../domain/refusals.ts';
import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Sealed } from '../ports/fleet/fleet-link.ts';
import type { LedgerRow } from '../ports/fleet/fleet-store.ts';
import type { Ports } from '../ports/index.ts';
import type { Store, Tx } from '../ports/store.ts';
import type { HubClock } from './hub-clock.ts';
import { type FleetContext, purposes, readRoster } from './membership.ts';
import { ANSWERS_KEPT } from './publish-state.ts';

/** The answer of a machine to a command: an HTTP status and a body, as in the API of that machine. */
export interface CommandAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A recorded answer, with the sender and the route of the command that was answered. */
export interface RecordedAnswer extends CommandAnswer {
  readonly from: string;
  readonly route: string;
}

/** Performs API requests of other machines on this machine. */
export interface RemoteCalls {
  /**
   * Returns the reason why the route cannot be used from another machine. Returns undefined if the route can be used.
   */
  refuse(method: string, route: string): Refusal | undefined;
  /** Returns whether a request on this route changes something outside Baton before its first fact is recorded. */
  actsFirst(method: string, route: string): boolean;
  perform(command: FleetCommand, ports: Ports): Promise<CommandAnswer>;
}

/** The maximum length of a stored answer. The log is permanent, so a longer answer is not stored. */
const MAX_ANSWER = 64_000;

const NOBODY = { agentId: null, runId: null };

export interface CommandTaker {
  /**
   * Called when Baton starts. If Baton was killed while it performed commands of other machines, answers these
   * commands.
   */
  settleInterrupted(): Promise<void>;
  /**
   * Performs a command at most once and records its answer. The promise rejects only if the hub should deliver the
   * command again.
   */
  take(sealed: Sealed): Promise<void>;
  /** Answers a question of another machine. Returns undefined if this machine must not answer. */
  answer(sealed: Sealed): Promise<Sealed | undefined>;
}

export function createCommandTaker(
  context: FleetContext,
  { clock, calls, onAnswered }: { clock: HubClock; calls: RemoteCalls; onAnswered: () => void },
): CommandTaker {
  const { ports, transport, keys, membership } = context;
  const { store } = ports;

  /**
   * Returns the reason why the command must not be performed. Asks the founder for the current time to find out whether
   * the command has expired.
   */
  const refuse = async (command: FleetCommand, sealed: Sealed): Promise<Refusal | undefined> => {
    const judge = (hubNow: Instant | undefined): Refusal | undefined =>
      refuseCommand(command, {
        self: membership.machine,
        roster: store.read(readRoster),
        hubNow,
        takesCommands: context.takesCommands(),
        isSignedBy: (key) => transport.verify(key, purposes.command(command.machine), sealed),
      });
    const before = judge(undefined);
    if (before !== undefined && before.code !== 'hub_time_unknown') return before;
    const time = await clock.ask();
    if (time === undefined) return clockUnknown(membership.machine);
    // Refuse the command if this machine does not have the newest list of members. If an old list were enough, the hub
    // could keep the new list back and so let a revoked machine send commands.
    if (time.rosterVersion > store.read(readRoster).version)
      return {
        code: 'not_a_member',
        sentence: `${membership.machine} does not have the newest list of the fleet's machines yet, so it did nothing`,
        hint: 'Give the command again in a moment.',
      };
    return judge(time.now) ?? calls.refuse(command.method, command.route);
  };

  const take = async (sealed: Sealed): Promise<void> => {
    const command = readCommand(sealed.text);
    if (command === undefined || command.method !== 'POST') return ports.log.warn('refused an unreadable command');
    const begun = store.read((tx) => tx.fleetCommand(command.id));
    if (begun !== undefined && (begun.from !== command.from || begun.route !== command.route))
      return ports.log.warn(
        `refused a command of ${command.from} for ${command.route}: it has the id of a command of ${begun.from} for ${begun.route}`,
      );
    if (begun !== undefined) return settle(begun);
    const refusal = await refuse(command, sealed);
    if (refusal?.code === 'bad_signature' || refusal?.code === 'not_a_member') {
      // Record an answer only to a command with a valid signature of a member. If every command were recorded, anybody
      // who can reach the hub could fill the log.
      return ports.log.warn(`refused a command: ${refusal.sentence}`);
    }
    await record(command, refusal === undefined ? await perform(command) : answerOf(refusal));
  };

  /**
   * Answers a command that an earlier server has begun but not answered. The recorded answer says that the outcome is
   * unknown.
   */
  const settle = async (begun: LedgerRow): Promise<void> => {
    if (begun.answer !== null) return;
    await record(
      begun,
      answerOf({
        code: 'command_interrupted',
        sentence: `Baton on ${membership.machine} was stopped while it performed the command, so the outcome is unknown. Baton did not perform the command again`,
        hint: 'Look at the agent before you give the command again.',
      }),
    );
  };

  const perform = async (command: FleetCommand): Promise<CommandAnswer> => {
    const ledgered = { ...ports, store: withLedger(store, command, ports.clock.now()) };
    // Some routes change something outside Baton before they record a fact. For such a route, write the row of the
    // ledger first. After a crash, this row shows that the command was begun, and Baton does not perform the command
    // again.
    if (calls.actsFirst(command.method, command.route)) await ledgered.store.write(() => undefined);
    try {
      return await calls.perform(command, ledgered);
    } catch (error) {
      ports.log.error(`the command ${command.id} failed: ${errorMessage(error)}`);
      return {
        status: 500,
        body: {
          error: `Baton on ${membership.machine} could not perform the command because of an internal error; see baton.log on that machine`,
          code: 'internal',
        },
      };
    }
  };

  const settleInterrupted = async (): Promise<void> => {
    for (const row of store.read((tx) => tx.fleetCommands(ANSWERS_KEPT))) await settle(row);
  };

  const record = async (command: Begun, { status, body }: CommandAnswer): Promise<void> => {
    const isLong = JSON.stringify(body ?? null).length > MAX_ANSWER;
    const answer: RecordedAnswer = { from: command.from, route: command.route, status, body: isLong ? null : body };
    await store.write((tx) => {
      inLedger(tx, command, ports.clock.now());
      tx.answerFleetCommand(command.id, JSON.stringify(answer));
      const { id: commandId, from, route } = command;
      const code = bodyCode(body);
      appendNotice(tx, ports, { type: 'command_answered', commandId, from, route, status, code }, NOBODY);
    });
    onAnswered();
  };

  const answer = async (sealed: Sealed): Promise<Sealed | undefined> => {
    const command = readCommand(sealed.text);
    if (command === undefined || command.method !== 'GET') return undefined;
    const refusal = await refuse(command, sealed);
    if (refusal?.code === 'bad_signature' || refusal?.code === 'not_a_member') return undefined;
    const given = refusal === undefined ? await calls.perform(command, ports) : answerOf(refusal);
    return keys.sign(purposes.reply(command.id), ports.secrets.redact(JSON.stringify(given)));
  };
  return { settleInterrupted, take, answer };
}

/**
 * Returns a store that writes the command into the ledger together with the first transaction of the command. So if the
 * store contains a change that the command made, the ledger contains the command, and Baton does not perform the
 * command a second time.
 */
function withLedger(store: Store, command: FleetCommand, at: Instant): Store {
  return {
    ...store,
    write: (work) =>
      store.write((tx) => {
        inLedger(tx, command, at);
        return work(tx);
      }),
  };
}

type Begun = Pick<FleetCommand, 'id' | 'from' | 'route'>;

function inLedger(tx: Tx, { id, from, route }: Begun, begunAt: Instant): void {
  if (tx.fleetCommand(id) === undefined) tx.beginFleetCommand({ id, from, route, begunAt });
}

/** Returns a refusal in the format of the API. */
export const answerOf = ({ code, sentence, hint }: Refusal): CommandAnswer => ({
  status: REFUSAL_STATUS[code],
  body: { error: sentence, code, ...(hint === undefined ? {} : { hint }) },
});

const bodyCode = (body: unknown): string | null => {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return typeof code === 'string' ? code : null;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ROUTE = /^\/api\/[A-Za-z0-9/._-]{1,200}$/;

/** Parses the text of a command. Returns undefined if a field is missing or has a wrong type. */
function readCommand(text: string): FleetCommand | undefined {
  const said = parsed(text);
  const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);
  const isRight =
    isText(said.id, UUID) &&
    isText(said.machine, /^.{1,40}$/) &&
    isText(said.from, /^.{1,40}$/) &&
    isText(said.method, /^(GET|POST)$/) &&
    isText(said.route, ROUTE) &&
    isText(said.query, /^.{0,1000}$/) &&
    isText(said.issued_at, TIME) &&
    isText(said.expires_at, TIME) &&
    isText(said.operator, /^(page|cli)$/);
  return isRight ? (said as unknown as FleetCommand) : undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
