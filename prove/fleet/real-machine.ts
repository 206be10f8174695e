import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { readCode, writeCode } from '../../src/app/fleet/invitation-code.ts';
import type { FleetStatus, Invitation, MachineList } from '../../src/contract/fleet.ts';
import type { Agent } from '../../src/contract/resources.ts';
import type { LogMark } from '../../src/domain/fleet/compare-logs.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import { BatonProcess } from '../../test/support/baton-process.ts';
import type { TcpProxy } from './proxy.ts';

/** The lists through which a machine shows its objects to other machines. */
const LISTS = ['agents', 'runs', 'inbox', 'packages'] as const;

/** A real Baton in its own process, with practice agents. */
export class RealMachine {
  readonly name: string;
  readonly proxy: TcpProxy | undefined;
  readonly baton: BatonProcess;
  readonly agents: Agent[] = [];
  /**
   * The number of this machine's last event at the time when the test compared the machines' views. Later events are
   * not judged.
   */
  private quietEnd = 0;

  constructor(name: string, beatMs: number, proxy?: TcpProxy) {
    this.name = name;
    this.baton = new BatonProcess({ fleet: { report_every_ms: beatMs } });
    this.proxy = proxy;
  }

  async start(agents: number): Promise<this> {
    await this.baton.start();
    for (let count = 0; count < agents; count++) this.agents.push(await this.baton.agent({ persona: count === 0 }));
    return this;
  }

  /** Joins the fleet. A machine with a proxy joins through this proxy. */
  async join(code: string): Promise<void> {
    const { status, body } = await this.baton.call('POST', '/api/fleet/join', { code: through(code, this.proxy) });
    if (status !== 201) throw new Error(`${this.name} did not join: ${JSON.stringify(body)}`);
  }

  async invite(name: string, role = 'operator', replace = false): Promise<string> {
    const { status, body } = await this.baton.call<Invitation>('POST', '/api/fleet/invite', { name, role, replace });
    if (status !== 201) throw new Error(`${name} was not invited: ${JSON.stringify(body)}`);
    return body.code;
  }

  status(): Promise<FleetStatus> {
    return this.baton.get<FleetStatus>('/api/fleet');
  }

  /** Returns all machines of the fleet, as this machine lists them. */
  async machines(): Promise<MachineList['machines']> {
    return (await this.baton.get<MachineList>('/api/machines')).machines;
  }

  /** Kills the server with kill -9 and starts it again. */
  async killAndStart(): Promise<void> {
    await this.baton.kill();
    await this.baton.start();
  }

  /** Returns this machine's own objects in the format in which other machines see them. */
  async truth(): Promise<string> {
    const lists = await Promise.all(LISTS.map((list) => this.baton.get(`/api/${list}?limit=1000`)));
    return asText(lists);
  }

  /** Returns everything that this machine shows about another machine. */
  async view(machine: string): Promise<string> {
    const lists = await Promise.all(LISTS.map((list) => this.baton.get(`/api/machines/${machine}/${list}`)));
    return asText(lists);
  }

  async rememberEnd(): Promise<number> {
    this.quietEnd = (await this.status()).log_end;
    return this.quietEnd;
  }

  /**
   * Stops the server and reads the machine's log from the store. Leaves out all events after the comparison of the
   * machines' views.
   */
  async stopAndReadLog(): Promise<readonly LogMark[]> {
    await this.baton.kill('SIGTERM');
    const store = openSqliteStore(join(this.baton.home, 'baton.db'), () => 'unused');
    const events = store.read((tx) => tx.eventsAfter(0, 1_000_000));
    store.close();
    return events.map(({ seq, hash }) => ({ seq, hash })).filter(({ seq }) => seq <= this.quietEnd);
  }
}

/** Returns the invitation code with the address of the proxy in place of the hub's own address. */
export function through(code: string, proxy: TcpProxy | undefined): string {
  const invitation = readCode(code);
  if (isRefusal(invitation)) throw new Error(invitation.sentence);
  return proxy === undefined ? code : writeCode({ ...invitation, hub: { ...invitation.hub, port: proxy.port } });
}

type Row = { readonly id: number | string };

/**
 * Returns the rows of these API lists as one text, sorted by id. Leaves out everything else in the answers, such as
 * ages.
 */
function asText(lists: readonly unknown[]): string {
  const rows = lists.map((list) => {
    const { agents, runs, items, packages } = list as Readonly<Record<string, readonly Row[] | undefined>>;
    const all = agents ?? runs ?? items ?? packages ?? [];
    return all.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1)).map((row) => JSON.stringify(row));
  });
  return rows.flat().join('\n');
}
