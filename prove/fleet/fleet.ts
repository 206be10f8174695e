import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { isRefusal } from '../../src/domain/refusals.ts';
import { run } from '../../test/support/baton-process.ts';
import { type Execution, Machine, type MachineOptions } from './machine.ts';
import { openProxy, type TcpProxy } from './proxy.ts';
import { RealMachine, through } from './real-machine.ts';

/** The clock of each simulated machine gets a random offset. Two of these clocks differ by at most this much. */
const CLOCKS_APART_MS = 30 * 60_000;

/**
 * A fleet with a real hub. The first real machine creates the fleet. Each other machine connects through its own proxy.
 */
export class Fleet {
  readonly real: RealMachine[] = [];
  readonly simulated: Machine[] = [];
  readonly proxies: TcpProxy[] = [];
  readonly executions: Execution[] = [];
  diesAt: MachineOptions['diesAt'] = () => false;
  port = 0;
  /** The milliseconds between two reports of a machine. */
  readonly beatMs: number;

  constructor(beatMs: number) {
    this.beatMs = beatMs;
  }

  get hub(): RealMachine {
    const [hub] = this.real;
    if (hub === undefined) throw new Error('the fleet has no hub yet');
    return hub;
  }

  get size(): number {
    return this.real.length + this.simulated.length;
  }

  async found(agents: number): Promise<void> {
    this.port = await freePort();
    const hub = await new RealMachine('hub', this.beatMs).start(agents);
    this.real.push(hub);
    const address = `127.0.0.1:${this.port}`;
    const { status, body } = await hub.baton.call('POST', '/api/fleet/hub', { name: 'hub', address });
    if (status !== 201) throw new Error(`the fleet was not founded: ${JSON.stringify(body)}`);
  }

  async joinReal(name: string, agents: number): Promise<RealMachine> {
    const machine = new RealMachine(name, this.beatMs, await this.openProxy());
    // Add the machine to the list before its start. If this test fails during the start, the machine is then stopped
    // with the others.
    this.real.push(machine);
    await machine.start(agents);
    await patiently((attempt) => this.hub.invite(name, 'operator', attempt > 0).then((code) => machine.join(code)));
    return machine;
  }

  async join(name: string, agents: number, extra: Partial<MachineOptions> & { role?: string } = {}): Promise<Machine> {
    const { role = 'operator', ...options } = extra;
    const proxy = await this.openProxy();
    const [agentForm] = this.hub.agents;
    if (agentForm === undefined) throw new Error('the hub has no agent');
    const machine = new Machine({
      name,
      agents,
      agentForm,
      beatMs: this.beatMs,
      clockOffsetMs: Math.round((Math.random() - 0.5) * CLOCKS_APART_MS),
      executed: (execution) => void this.executions.push(execution),
      diesAt: (point, command) => this.diesAt(point, command),
      proxy,
      ...options,
    });
    await patiently(async (attempt) => {
      const code = await this.hub.invite(name, role, attempt > 0);
      await must(machine.control.join(through(code, proxy)));
    });
    this.simulated.push(machine);
    machine.onDeath = () => void machine.restart();
    return machine;
  }

  private async openProxy(): Promise<TcpProxy> {
    const proxy = await openProxy(this.port);
    this.proxies.push(proxy);
    return proxy;
  }

  /** Kills the hub's server. The founder's Baton then starts the server again. */
  killHub(): void {
    process.kill(this.hubPid, 'SIGKILL');
  }

  private get hubPid(): number {
    return Number(readFileSync(join(this.hub.baton.home, 'fleet/hub/nats.pid'), 'utf8'));
  }

  /** Waits until the hub has the whole log of every machine. Resolves to the milliseconds that this took. */
  async caughtUp(machines: readonly Machine[] = this.simulated, real: readonly RealMachine[] = this.real) {
    const began = performance.now();
    for (const machine of machines)
      await until(
        `the hub has the log of ${machine.options.name}`,
        async () => machine.control.status().forwarded === machine.store.read((tx) => tx.lastSeq()),
      ).catch((error: unknown) => {
        const { membership: _, ...status } = machine.control.status();
        throw new Error(`${String(error)}: ${JSON.stringify({ ...status, lines: machine.lines })}`);
      });
    for (const machine of real)
      await until(`the hub has the log of ${machine.name}`, async () => {
        const { connected, forwarded, log_end } = await machine.status();
        return connected && forwarded === log_end;
      });
    return performance.now() - began;
  }

  /** Resolves when every machine has handled all commands that were sent to it. */
  async commandsTaken(as: NatsConnection): Promise<void> {
    const names = [...this.real.map(({ name }) => name), ...this.simulated.map(({ options: { name } }) => name)];
    await until('all commands are taken', async () => {
      const waiting = await Promise.all(names.map((name) => this.waitingCommands(name, as)));
      return waiting.every((count) => count === 0);
    });
  }

  /** Returns how many commands for the machine the hub has. */
  async waitingCommands(machine: string, as: NatsConnection): Promise<number> {
    const api = await jetstreamManager(as);
    const { num_pending, num_ack_pending } = await api.consumers.info(`CMD_${machine}`, 'baton');
    return num_pending + num_ack_pending;
  }

  /**
   * Connects to the hub in the role of a hostile broker. The connection has every right on the hub, but not the keys of
   * the machines.
   */
  asBroker(): Promise<NatsConnection> {
    const seed = readFileSync(join(this.hub.baton.home, 'fleet/seed'));
    return connect({ servers: `127.0.0.1:${this.port}`, authenticator: nkeyAuthenticator(seed) });
  }

  /**
   * Returns the last lines of two logs: the log of the hub's server, and the log of the founder's Baton. The lines are
   * printed if this test fails.
   */
  hubLines(): string {
    const { home } = this.hub.baton;
    const tail = (file: string): string => {
      const path = join(home, file);
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(-40).join('\n') : '';
    };
    return `${tail('fleet/hub/nats.log')}\n${tail('baton.log')}`;
  }

  /** Ends every process that this test started, in whatever state the fleet is. */
  async end(): Promise<void> {
    const nats = this.real.length === 0 || this.port === 0 ? undefined : await this.natsPid();
    await Promise.all(this.simulated.map((machine) => machine.kill()));
    await Promise.all(this.real.map(({ baton }) => baton.kill('SIGKILL')));
    // End the hub's server only after the founder's Baton has ended, because this Baton would start the server again.
    if (nats !== undefined) process.kill(nats, 'SIGKILL');
    await Promise.all(this.real.map(({ baton }) => baton.cleanUp()));
    for (const proxy of this.proxies) proxy.close();
  }

  /** Returns the process id of the hub's server. Returns undefined if another program now has this process id. */
  private async natsPid(): Promise<number | undefined> {
    try {
      const pid = this.hubPid;
      const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)]);
      return stdout.includes(this.hub.baton.home) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * Tries up to five times to join, as an operator would, because the hub of a busy machine does not always answer in
 * time. This test does not judge how machines join, so it does not report a failed try.
 */
async function patiently(work: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

export async function must<T>(work: Promise<T>): Promise<Exclude<T, { code: string; sentence: string }>> {
  const result = await work;
  if (isRefusal(result)) throw new Error(result.sentence);
  return result as Exclude<T, { code: string; sentence: string }>;
}

/** Waits until a condition holds. Throws after the time limit. */
export async function until(what: string, holds: () => Promise<boolean>, limitMs = 180_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
