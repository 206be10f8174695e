import { describe, expect, it } from 'vitest';
import { type FleetTransport, HubStartFailure } from '../../../src/app/ports/fleet/fleet-link.ts';
import { controlWith, never } from './fake-fleet.ts';

const FAILURE = new HubStartFailure('nats-server did not start: another program uses the port', 'End that program.');

/** The machine that founded a fleet. While `starts` is false, its nats-server cannot be started. */
async function founder() {
  let starts = true;
  const start = () => (starts ? Promise.resolve() : Promise.reject(FAILURE));
  let answerJoin: (invitation: string, text: string) => Promise<string | undefined> = never;
  const transport = {
    hub: {
      whyNot: () => Promise.resolve(undefined),
      isOwnAddress: () => Promise.resolve(true),
      apply: start,
      ensureRunning: start,
    } as unknown as FleetTransport['hub'],
    awaitAccess: () => Promise.resolve(),
  };
  const { control, pass } = controlWith(transport, {
    answerJoins: (answer) => {
      answerJoin = answer;
    },
    prepareMember: () => Promise.resolve(),
    publishRoster: () => Promise.resolve(),
  });
  await control.found({ name: 'hub', address: '127.0.0.1:7422', plain: false });
  const setStarts = (does: boolean): void => {
    starts = does;
  };
  /** Lets a machine with the given name join the fleet. */
  const admit = async (name: string): Promise<void> => {
    await control.invite({ name, role: 'operator', replace: false });
    const answer = await answerJoin('aaaaaaaaaaaaaaaa', JSON.stringify({ name, key: 'K2', proof: {} }));
    if (answer === undefined) throw new Error(`${name} did not join`);
  };
  return { control, pass, setStarts, admit };
}

describe('a founder whose server does not start', () => {
  it("while the hub's server cannot start, the founder's status says why", async () => {
    const { control, pass, setStarts } = await founder();
    setStarts(false);
    pass(2_000);
    await expect
      .poll(() => control.status().problem)
      .toEqual({ code: 'hub_unreachable', sentence: FAILURE.message, hint: 'End that program.' });
    await new Promise((resolve) => setImmediate(resolve));
    setStarts(true);
    pass(10_000);
    await expect.poll(() => control.status().problem).toBeUndefined();
  });

  it("if the hub's server cannot start, no invitation is created, and the refusal says why and what to do next", async () => {
    const { control, setStarts } = await founder();
    setStarts(false);
    expect(await control.invite({ name: 'laptop', role: 'operator', replace: false })).toEqual({
      code: 'hub_unreachable',
      sentence: FAILURE.message,
      hint: 'End that program.',
    });
  });

  it("if the hub's server cannot start, the answer to a revocation says that the machine is removed but the hub does not run", async () => {
    const { control, setStarts, admit } = await founder();
    await admit('laptop');
    setStarts(false);
    expect(await control.revoke('laptop')).toMatchObject({
      code: 'hub_unreachable',
      sentence: `laptop is removed from the list of members, but the hub does not run now: ${FAILURE.message}`,
    });
    expect(await control.revoke('laptop')).toMatchObject({ code: 'machine_not_found' });
  });

  it("if the hub's server cannot start, no fleet is founded, and the refusal says why and what to do next", async () => {
    const { control } = controlWith({
      hub: {
        whyNot: () => Promise.resolve(undefined),
        isOwnAddress: () => Promise.resolve(true),
        apply: () => Promise.reject(FAILURE),
      } as unknown as FleetTransport['hub'],
    });
    expect(await control.found({ name: 'hub', address: '127.0.0.1:7422', plain: false })).toEqual({
      code: 'hub_unreachable',
      sentence: FAILURE.message,
      hint: 'End that program.',
    });
  });
});
