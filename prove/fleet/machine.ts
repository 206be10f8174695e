import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNatsTransport } from '../../src/adapters/fleet/nats-transport.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { createFleetControl, type FleetControl } from '../../src/app/fleet/fleet-control.ts';
import { type FleetTransport, ROSTER_TOPIC, type StateTopic } from '../../src/app/ports/fleet/fleet-link.ts';
import type { Ports } from '../../src/app/ports/index.ts';
import type { Store } from '../../src/app/ports/store.ts';
import { createKnownSecrets } from '../../src/app/settings/known-secrets.ts';
import type { Agent } from '../../src/contract/resources.ts';
import type { FleetCommand } from '../../src/domain/fleet/command.ts';
import { type Instant, instantFromMs } from '../../src/domain/instant.ts';
import { createMemoryStore } from '../memory-store/memory-store.ts';
import type { TcpProxy } from './proxy.ts';

/** A command that a machine performed, as this test itself recorded it. */
export interface Execution {
  readonly id: string;
  readonly machine: string;
  readonly from: string;
  /** The real time, independent of the machines' clocks, which all differ. */
  readonly atMs: number;
  readonly expiresAtMs: number;
}

export interface MachineOptions {
  readonly name: string;
  readonly agents: number;
  /** The milliseconds between two reports of the machine. */
  readonly beatMs: number;
  /** The difference between the clock of this machine and the real time. */
  readonly clockOffsetMs: number;
  /**
   * True if the machine stores the states of all other machines. If false, the machine stores only the answers to its
   * own commands.
   */
  readonly isViewer?: boolean;
  /** An agent as a real Baton describes it. Each simulated agent is a copy of this agent with another id and label. */
  readonly agentForm: Agent;
  /** The proxy between this machine and the hub. This test can cut the machine's connection there. */
  readonly proxy?: TcpProxy;
  readonly onDisk?: { readonly folder: string };
  readonly executed: (execution: Execution) => void;
  /**
   * Returns whether this test kills the machine at this moment. The machine calls this function before and after it
   * performs a command.
   */
  readonly diesAt: (point: 'before' | 'after', command: FleetCommand) => boolean;
}

/**
 * A simulated machine. It runs the real code of the fleet with its own key and connection. This test fills the store of
 * the machine, and the agents of the machine are not real.
 */
export class Machine {
  readonly folder: string;
  readonly options: MachineOptions;
  store: Store;
  control: FleetControl;
  transport: FleetTransport;
  /**
   * The number of kills of this machine so far. Work that began before a kill notices the changed number, and then
   * performs no further commands and sends no further answers.
   */
  private life = 0;
  readonly states = new Map<string, number>();
  onDeath: () => void = () => undefined;
  /** The last lines of this machine's log. They are printed if this test fails. */
  readonly lines: string[] = [];

  constructor(options: MachineOptions) {
    this.options = options;
    this.folder = options.onDisk?.folder ?? mkdtempSync(join(tmpdir(), 'bt-fleet-'));
    for (let id = 1; id <= options.agents; id++) this.states.set(String(id), 0);
    this.store = this.openStore();
    const opened = this.open();
    this.control = opened.control;
    this.transport = opened.transport;
  }

  private openStore(): Store {
    return this.options.onDisk === undefined
      ? createMemoryStore(`host-${this.options.name}`, () => instantFromMs(Date.now()))
      : openSqliteStore(join(this.folder, 'baton.db'), () => `host-${this.options.name}`);
  }

  private open(): { control: FleetControl; transport: FleetTransport } {
    const life = this.life;
    const isAlive = (): boolean => life === this.life;
    const store = mortal(this.store, isAlive);
    const nats = createNatsTransport({ folder: join(this.folder, 'fleet'), env: process.env, log: this.note });
    const transport: FleetTransport = this.options.isViewer === true ? nats : { ...nats, connect: narrowed(nats) };
    const control = createFleetControl({
      ports: this.portsOver(store),
      loadTransport: () => Promise.resolve(transport),
      views: {
        current: () => [...this.states.keys()].map((id) => ({ kind: 'agent', id, body: this.agentBody(id) })),
      },
      calls: {
        refuse: () => undefined,
        actsFirst: () => false,
        perform: (command, ports) => this.perform(command, ports, isAlive),
      },
      takesCommands: () => true,
      heartbeatMs: this.options.beatMs,
    });
    return { control, transport };
  }

  /** Performs a command as Baton does: first stores a fact, then performs the effect. This test counts the effects. */
  private async perform(command: FleetCommand, ports: Ports, isAlive: () => boolean) {
    if (this.options.diesAt('before', command)) return this.die();
    await ports.store.write((tx) =>
      tx.appendEvent({
        at: ports.clock.now(),
        agentId: null,
        runId: null,
        type: 'agent_stop_asked',
        data: { command: command.id },
        dedupeKey: null,
      }),
    );
    if (!isAlive()) return new Promise<never>(() => undefined);
    const { name } = this.options;
    const expiresAtMs = Date.parse(command.expires_at);
    this.options.executed({ id: command.id, machine: name, from: command.from, atMs: Date.now(), expiresAtMs });
    if (this.options.diesAt('after', command)) return this.die();
    return { status: 200, body: { done: command.id } };
  }

  private die(): Promise<never> {
    void this.kill().then(() => this.onDeath());
    return new Promise<never>(() => undefined);
  }

  /** Ends the machine as kill -9 does. Only the data in the store remains, and the machine writes nothing more. */
  async kill(): Promise<void> {
    this.life += 1;
    const { control } = this;
    await control.stop().catch(() => undefined);
  }

  async restart(): Promise<void> {
    const { control, transport } = this.open();
    this.control = control;
    this.transport = transport;
    await control.start();
  }

  /**
   * Returns an agent in the format of the API. The agent's label contains the number of times that the agent's state
   * has changed.
   */
  agentBody(id: string): Agent {
    const label = `${this.options.name} ${id}, change ${this.states.get(id)}`;
    return { ...this.options.agentForm, id: Number(id), label };
  }

  /** Appends an event to the log and counts one more change of a random agent's state. */
  async work(): Promise<void> {
    const ids = [...this.states.keys()];
    const id = ids[Math.floor(Math.random() * ids.length)];
    await this.store.write((tx) => {
      const data = { text: randomBytes(60).toString('hex') };
      tx.appendEvent({ at: this.now(), agentId: null, runId: null, type: 'tool_used', data, dedupeKey: null });
      if (id !== undefined) this.states.set(id, (this.states.get(id) ?? 0) + 1);
    });
  }

  now(): Instant {
    return instantFromMs(Date.now() + this.options.clockOffsetMs);
  }

  private readonly note = (line: string): void => {
    this.lines.push(`${new Date().toISOString()} ${line}`);
    if (this.lines.length > 40) this.lines.shift();
  };

  /**
   * Returns the store, the clock and the other services that the fleet's code needs. After a kill of the machine, every
   * call of this store fails.
   */
  private portsOver(store: Store): Ports {
    const log = { info: this.note, warn: this.note, error: this.note };
    return {
      store,
      secrets: createKnownSecrets(),
      log,
      clock: {
        now: () => this.now(),
        minutesOfDay: () => 0,
        monotonicMs: () => performance.now(),
        after: (ms: number, callback: () => void) => {
          const timer = setTimeout(callback, ms);
          timer.unref();
          return () => clearTimeout(timer);
        },
      },
      chance: {
        uuid: randomUUID,
        token: (length: number) => randomBytes(length).toString('hex').slice(0, length),
        sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
      },
      settings: { instance: randomUUID(), version: 'proof' },
    } as unknown as Ports;
  }
}

/**
 * Connects, but ignores the states of other machines, because if a hundred machines stored each other's states, the
 * test would take minutes longer.
 */
const narrowed =
  ({ connect }: FleetTransport): FleetTransport['connect'] =>
  (hub, machine) => {
    const link = connect(hub, machine);
    const concerns = (topic: StateTopic): boolean =>
      topic.machine === ROSTER_TOPIC.machine || topic.machine === machine || topic.kind === 'command';
    return {
      ...link,
      follow: (delivery) =>
        link.follow({
          ...delivery,
          onState: (topic, sealed) => {
            if (concerns(topic)) delivery.onState(topic, sealed);
          },
        }),
    };
  };

/** Thrown by the store of a simulated machine after the machine was killed. */
export class MachineKilled extends Error {
  override readonly name = 'MachineKilled';
}

function mortal(store: Store, isAlive: () => boolean): Store {
  return {
    ...store,
    write: (work) =>
      isAlive()
        ? store.write((tx) => {
            if (!isAlive()) throw new MachineKilled('this machine was killed');
            return work(tx);
          })
        : Promise.reject(new Error('this machine was killed')),
    onCommit: (listener) => store.onCommit(() => isAlive() && listener()),
  };
}
