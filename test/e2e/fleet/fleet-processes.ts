import { createServer } from 'node:net';
import { findServer } from '../../../src/adapters/fleet/hub-server.ts';
import type { FleetStatus, Invitation, Machine, MachineList } from '../../../src/contract/fleet.ts';
import { BatonProcess } from '../../support/baton-process.ts';
import type { Need } from '../../support/needs.ts';

export const NATS_SERVER: Need = {
  what: 'nats-server (not installed)',
  isThere: findServer(process.env) !== undefined,
};

/**
 * A configuration in which machines report often, so that a test does not wait long until a silent machine counts as
 * away.
 */
export const FAST = { fleet: { report_every_ms: 500 } };

/** Several real Batons in one fleet. The first Baton founds the fleet and runs the hub. */
export class FleetProcesses {
  readonly machines = new Map<string, BatonProcess>();
  port = 0;

  async found(
    name = 'hub',
    config: object = {},
    env: NodeJS.ProcessEnv = {},
    host = '127.0.0.1',
  ): Promise<BatonProcess> {
    this.port = await freePort();
    const baton = await this.start(name, config, env);
    const { status, body } = await baton.call('POST', '/api/fleet/hub', { name, address: `${host}:${this.port}` });
    if (status !== 201) throw new Error(`the fleet was not founded: ${JSON.stringify(body)}`);
    return baton;
  }

  async join(name: string, { role = 'operator', config = {} }: { role?: string; config?: object } = {}) {
    const baton = await this.start(name, config);
    await this.admit(name, baton, role);
    return baton;
  }

  /** Lets a running Baton join the fleet. */
  async admit(name: string, baton: BatonProcess, role = 'operator'): Promise<void> {
    const code = await this.invite(name, role);
    const { status, body } = await baton.call<FleetStatus>('POST', '/api/fleet/join', { code });
    if (status !== 201) throw new Error(`${name} did not join: ${JSON.stringify(body)}`);
    this.machines.set(name, baton);
  }

  async invite(name: string, role = 'operator', replace = false): Promise<string> {
    const [founder] = this.machines.values();
    const answer = await founder?.call<Invitation>('POST', '/api/fleet/invite', { name, role, replace });
    if (answer?.status !== 201) throw new Error(`no invitation: ${JSON.stringify(answer?.body)}`);
    return answer.body.code;
  }

  async start(name: string, config: object, env: NodeJS.ProcessEnv = {}): Promise<BatonProcess> {
    const baton = await new BatonProcess({ ...FAST, ...config }).start(env);
    this.machines.set(name, baton);
    return baton;
  }

  async cleanUp(): Promise<void> {
    const [founder, ...others] = this.machines.values();
    await Promise.all(others.map((baton) => baton.cleanUp()));
    // Leave the fleet, because otherwise the hub's server would outlive the test.
    await founder?.call('POST', '/api/fleet/leave', {}).catch(() => undefined);
    await founder?.cleanUp();
  }
}

/**
 * Waits until the viewer's data about another machine meets a condition. The default condition is that the viewer shows
 * the machine as live.
 */
export async function seen(
  viewer: BatonProcess,
  name: string,
  fits: (machine: Machine) => boolean = ({ live }) => live,
): Promise<Machine> {
  const until = Date.now() + 120_000;
  for (;;) {
    const { machines = [] } = await viewer.get<MachineList>('/api/machines');
    const found = machines.find((machine) => machine.name === name);
    if (found !== undefined && fits(found)) return found;
    if (Date.now() > until) throw new Error(`${name} was not seen as expected: ${JSON.stringify(found ?? machines)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
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
