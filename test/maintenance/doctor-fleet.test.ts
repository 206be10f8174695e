import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetStatus, Machine } from '../../src/contract/fleet.ts';
import { DoctorReport, type Finding } from '../../src/contract/maintenance.ts';
import { assessFleet } from '../../src/main/maintenance/examine-fleet.ts';
import { FleetProcesses, NATS_SERVER, seen } from '../e2e/fleet/fleet-processes.ts';
import { BatonProcess, PROGRAM, run } from '../support/baton-process.ts';
import { needs } from '../support/needs.ts';

const FLEET: FleetStatus = {
  joined: true,
  machine: 'laptop',
  role: 'operator',
  is_hub: false,
  address: '127.0.0.1:7422',
  connected: true,
  encrypted: false,
  takes_commands: true,
  forwarded: 40,
  log_end: 40,
  hub_clock_ms: 12,
  problem: null,
};
const machine = (name: string, over: Partial<Machine> = {}): Machine => ({
  name,
  role: 'operator',
  is_self: name === 'laptop',
  is_hub: name === 'hub',
  presence: 'up',
  live: true,
  last_heard_at: '2026-11-18T07:00:00.000Z',
  age_ms: 0,
  log_position: 40,
  log_end: 40,
  version: '0.2.0',
  takes_commands: true,
  live_agents: 0,
  runs_in_flight: 0,
  needs: 0,
  packages_open: 0,
  ...over,
});
const allFound = (check: string, fleet: Partial<FleetStatus>, ...others: Machine[]): readonly Finding[] =>
  assessFleet({ fleet: { ...FLEET, ...fleet }, machines: [machine('laptop'), ...others] }, '0.2.0').filter(
    (each) => each.check === `fleet ${check}`,
  );
const found = (...wanted: Parameters<typeof allFound>): Finding | undefined => allFound(...wanted)[0];

describe('the findings of baton doctor about a fleet', () => {
  it('if a fleet has no problem, all findings of `baton doctor` about the fleet have the level "ok"', () => {
    const findings = assessFleet({ fleet: FLEET, machines: [machine('laptop'), machine('hub')] }, '0.2.0');
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('for each problem of a fleet, `baton doctor` prints one sentence and a next step', () => {
    const problem = { code: 'hub_unreachable', sentence: 'Baton is not connected to the hub: refused', hint: 'Wait.' };
    const findings = [
      found('hub', { connected: false, problem }),
      found('clock', { hub_clock_ms: null }),
      found('clock', { hub_clock_ms: -180_000 }),
      found('role', { role: null }),
      found('lag', { log_end: 9_000 }),
      found('versions', {}, machine('hub', { version: '0.1.0' })),
      found('machines', {}, machine('hub', { live: false, presence: 'away' })),
    ];
    for (const finding of findings) {
      expect(finding?.level).not.toBe('ok');
      expect(finding?.sentence).toMatch(/^[A-Za-z].*\.$/);
      expect(finding?.remedy).toBeTruthy();
    }
    expect(findings[0]?.level).toBe('error');
    expect(findings[2]?.sentence).toBe("The clock of this machine is 180 s ahead of the hub's clock.");
    expect(findings[5]?.sentence).toBe('This machine has version 0.2.0; hub has 0.1.0.');
  });
});

describe('the findings of baton doctor on a machine that is cut off or removed', () => {
  it('while a machine is cut off from the hub, `baton doctor` on that machine does not report other machines as away', () => {
    const cutOff = found('machines', { connected: false }, machine('hub', { live: false, presence: 'unknown' }));
    expect(cutOff?.sentence).toBe(
      'It is unknown whether the other machines report, because this machine is not connected to the hub.',
    );
    expect(cutOff?.remedy).not.toContain('revoke');
    expect(found('lag', { connected: false })?.sentence).toBe(
      'The hub had all events when this machine was last connected to it.',
    );
  });

  it('if the presence of a machine is unknown, `baton doctor` says so and does not suggest to remove the machine', () => {
    const unknown = { live: false, presence: 'unknown' } as const;
    const [away, untold] = allFound(
      'machines',
      {},
      machine('desk', { live: false, presence: 'away' }),
      machine('hub', unknown),
      machine('tower', unknown),
    );
    expect(away?.sentence).toBe('desk does not report now; its last known state is shown.');
    expect(untold).toMatchObject({
      level: 'note',
      sentence: 'Baton cannot tell whether hub, tower report now; their last known state is shown.',
      remedy: 'Look again in a minute: baton fleet status',
    });
    expect(found('machines', {}, machine('hub', unknown))?.sentence).toBe(
      'Baton cannot tell whether hub reports now; its last known state is shown.',
    );
  });

  it('on a machine that was removed from the fleet, `baton doctor` still compares the versions of all machines', () => {
    const findings = assessFleet({ fleet: { ...FLEET, role: null }, machines: [machine('hub')] }, '0.3.0');
    expect(findings.find(({ check }) => check === 'fleet versions')?.sentence).toBe(
      'This machine has version 0.3.0; hub has 0.2.0.',
    );
  });
});

describe('baton doctor on a machine of a fleet', needs(NATS_SERVER), () => {
  const fleet = new FleetProcesses();
  let hub: BatonProcess;
  let laptop: BatonProcess;
  beforeAll(async () => {
    hub = await fleet.found();
    laptop = await fleet.join('laptop');
    await seen(laptop, 'hub');
  });
  afterAll(() => fleet.cleanUp());

  const doctor = async ({ home }: BatonProcess): Promise<readonly Finding[]> => {
    const { stdout } = await run(process.execPath, [PROGRAM, 'doctor', '--json'], { ...process.env, BATON_HOME: home });
    return DoctorReport.parse(JSON.parse(stdout)).findings.filter(({ check }) => check.startsWith('fleet'));
  };
  const levels = (findings: readonly Finding[]) =>
    Object.fromEntries(findings.map(({ check, level }) => [check, level]));

  it('`baton doctor` finds no problem on the machines of a working fleet', async () => {
    await expect
      .poll(async () => levels(await doctor(laptop)))
      .toEqual({
        'fleet key': 'ok',
        'fleet hub': 'ok',
        'fleet clock': 'ok',
        'fleet role': 'ok',
        'fleet lag': 'ok',
        'fleet versions': 'ok',
        'fleet machines': 'ok',
      });
    expect(levels(await doctor(hub))).toMatchObject({ 'fleet server': 'ok', 'fleet hub': 'ok' });
  });

  it('if other users can read the secret key of the machine, `baton doctor` says so', async () => {
    const seed = join(laptop.home, 'fleet/seed');
    chmodSync(seed, 0o644);
    const [key] = await doctor(laptop);
    chmodSync(seed, 0o600);
    expect(key).toMatchObject({ check: 'fleet key', level: 'error' });
    expect(key?.remedy).toContain('chmod 600');
  });

  it('after the machine with the hub has ended the fleet, `baton doctor` on another machine says that the hub cannot be reached', async () => {
    await hub.call('POST', '/api/fleet/leave', {});
    await expect.poll(async () => levels(await doctor(laptop))['fleet hub']).toBe('error');
  });

  it('without a fleet, `baton doctor` says nothing about a fleet', async () => {
    const alone = await new BatonProcess().start();
    const findings = await doctor(alone);
    await alone.cleanUp();
    expect(findings).toEqual([]);
  });
});
