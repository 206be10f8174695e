import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fleet, must, until } from '../../../prove/fleet/fleet.ts';
import { judgeLog, logOf } from '../../../prove/fleet/judge.ts';
import type { Machine } from '../../../prove/fleet/machine.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { needs } from '../../support/needs.ts';
import { NATS_SERVER } from './fleet-processes.ts';

const REQUEST = { method: 'POST', route: '/api/agents/1/stop', query: '', body: {}, operator: 'cli' } as const;

describe('a fleet at its limits', needs(NATS_SERVER), () => {
  const fleet = new Fleet(500);
  let machine: Machine;
  let viewer: Machine;
  beforeAll(async () => {
    await fleet.found(1);
    machine = await fleet.join('machine', 2);
    viewer = await fleet.join('viewer', 1, { isViewer: true });
    await fleet.caughtUp();
  }, 300_000);
  afterAll(() => fleet.end(), 120_000);

  const problem = () => machine.control.status().problem;
  const shown = () => viewer.store.read((tx) => tx.fleetObjects('agent', 'machine')).map(({ id }) => id);

  it('if the state of an agent is too large for the hub, the machine names the agent in a warning and sends the states of all other agents', async () => {
    const { agentBody } = machine;
    machine.agentBody = (id) => {
      const body = agentBody.call(machine, id);
      return id === '2' ? { ...body, label: 'x'.repeat(5_000_000) } : body;
    };
    await machine.work();
    await until('the large state is named', async () => problem()?.code === 'state_too_large');
    expect(problem()?.sentence).toBe(
      'Other machines do not see agent 2 of this machine: the state is too large for the hub',
    );
    await until('the viewer lists only the other agent', async () => shown().join() === '1');
    expect(viewer.control.isWhole('machine')).toBe(true);
    machine.agentBody = agentBody;
    await machine.work();
    await until('the viewer lists both agents', async () => shown().join() === '1,2');
    expect(problem()).toBeUndefined();
  }, 200_000);

  it('if the hub has lost the history of a machine, the machine sends its whole log again', async () => {
    for (let count = 0; count < 30; count++) await machine.work();
    await fleet.caughtUp([machine], []);
    const broker = await fleet.asBroker();
    await (await jetstreamManager(broker)).streams.purge('EV_machine');
    // Cut the connection, so that the machine connects again. Only then does the machine ask which of its events the
    // hub has.
    machine.options.proxy?.cut();
    machine.options.proxy?.heal();
    await machine.work();
    await until('the hub has the whole log again', async () => {
      const { lost, doubled } = await judgeLog('machine', logOf(machine), broker);
      return lost + doubled === 0;
    });
    await broker.close();
    expect(problem()).toBeUndefined();
  }, 200_000);

  it('if the hub has no space, the machine says so, and once there is space again, the hub gets every event', async () => {
    const config = join(fleet.hub.baton.home, 'fleet/hub/nats.conf');
    const before = readFileSync(config, 'utf8');
    writeFileSync(config, before.replace('jetstream { ', 'jetstream { max_file_store: 200KB, '));
    fleet.killHub();
    await until('the hub refuses', async () => {
      for (let count = 0; count < 50; count++) await machine.work();
      return problem()?.code === 'hub_refuses';
    });
    expect(problem()?.sentence).toMatch(
      /^The hub does not store what this Baton reports: .+\. Other machines see an older state$/,
    );
    // Just after the restart of the hub, the viewer may not be connected again.
    let refused = '';
    await until('the viewer is connected again', async () => {
      const answer = await viewer.control.send('machine', REQUEST);
      refused = isRefusal(answer) ? answer.sentence : JSON.stringify(answer);
      return !refused.startsWith('Baton is not connected to the hub');
    });
    expect(refused).toMatch(/^The hub did not store the command, so machine does not get it: /);
    writeFileSync(config, before);
    fleet.killHub();
    await fleet.caughtUp();
    await until('the problem is over', async () => problem() === undefined);
    const broker = await fleet.asBroker();
    expect(await judgeLog('machine', logOf(machine), broker)).toMatchObject({ lost: 0, doubled: 0 });
    await broker.close();
    expect(await must(viewer.control.send('machine', REQUEST))).toMatchObject({ status: 200 });
  }, 300_000);
});
