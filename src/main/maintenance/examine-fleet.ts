import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHubServer } from '../../adapters/fleet/hub-server.ts';
import { type FleetStatus, type Machine, MachineList } from '../../contract/fleet.ts';
import type { Finding } from '../../contract/maintenance.ts';
import { PATHS } from '../../contract/routes.ts';
import { operatorClient } from '../../surfaces/cli/client/operator-client.ts';
import { VERSION } from '../version.ts';
import { operatorsOwn } from './examine-server.ts';
import { error, note, ok, warning } from './finding.ts';
import type { MaintenanceContext } from './maintenance.ts';

/** Examines the fleet of this Baton; returns no finding if this Baton is in no fleet. */
export async function examineFleet({ home, env }: MaintenanceContext): Promise<readonly Finding[]> {
  const seed = join(home.fleet, 'seed');
  const hub = join(home.fleet, 'hub');
  const api = operatorClient({ homePath: home.path, version: VERSION, shell: operatorsOwn });
  const list = await api.get(PATHS.machines, MachineList).then(
    ({ data }) => data,
    () => undefined,
  );
  if (list === undefined ? !existsSync(seed) : !list.fleet.joined) return [];
  const runsHub = list?.fleet.is_hub ?? existsSync(hub);
  return [
    keyFinding(seed),
    ...(runsHub ? [serverFinding(await createHubServer(hub, env).whyNot())] : []),
    ...(list === undefined
      ? [note('fleet', 'Baton is not running, so its connection to the hub is unknown.', 'Start it: baton start')]
      : assessFleet(list, VERSION)),
  ];
}

function keyFinding(seed: string): Finding {
  const mode = statSync(seed, { throwIfNoEntry: false })?.mode;
  if (mode === undefined)
    return error(
      'fleet key',
      `The key of this machine in the fleet is missing: ${seed}.`,
      'Leave the fleet with: baton fleet leave. Then join again with a new code: baton fleet invite NAME --replace on the hub',
    );
  return (mode & 0o077) === 0
    ? ok('fleet key', 'The key of this machine in the fleet is private.')
    : error(
        'fleet key',
        `${seed} can be read by others, who could act as this machine.`,
        `Make it private: chmod 600 ${seed}. If others may have read it, invite this machine again with --replace`,
      );
}

const serverFinding = (why: string | undefined): Finding =>
  why === undefined
    ? ok('fleet server', 'The nats-server for the hub is installed.')
    : error('fleet server', sentence(why), 'Debian: apt-get install nats-server. macOS: brew install nats-server');

/** Assesses the connection, the clock, the permissions, the lag and the versions that the running Baton reports. */
export const assessFleet = ({ fleet, machines }: MachineList, version: string): readonly Finding[] => [
  hubFinding(fleet),
  clockFinding(fleet),
  permissionFinding(fleet),
  lagFinding(fleet),
  versionFinding(machines, version),
  ...machineFindings(fleet, machines),
];

function hubFinding({ problem, connected, address }: FleetStatus): Finding {
  if (problem !== null) return error('fleet hub', sentence(problem.sentence), problem.hint);
  return connected
    ? ok('fleet hub', `Baton is connected to the hub at ${address}.`)
    : warning(
        'fleet hub',
        `Baton is connecting to the hub at ${address}.`,
        'Look again in a minute: baton fleet status',
      );
}

/**
 * The doctor warns if the clocks of this machine and of the hub differ by at least this time. Local times are then
 * misleading. There is no other damage, because commands use the hub's time.
 */
const WORTH_A_WARNING_MS = 60_000;

function clockFinding({ hub_clock_ms: offset }: FleetStatus): Finding {
  if (offset === null)
    return warning(
      'fleet clock',
      "The hub's time is unknown, so this machine refuses commands from other machines.",
      'Baton asks the hub again by itself. On the hub: baton fleet status',
    );
  const seconds = Math.round(Math.abs(offset) / 1_000);
  if (Math.abs(offset) < WORTH_A_WARNING_MS)
    return ok('fleet clock', `The clock of this machine differs from the hub's clock by ${seconds} s.`);
  return warning(
    'fleet clock',
    `The clock of this machine is ${seconds} s ${offset > 0 ? 'behind' : 'ahead of'} the hub's clock.`,
    'Set the clock of this machine, for example with: timedatectl set-ntp true',
  );
}

function permissionFinding({ role, takes_commands }: FleetStatus): Finding {
  const takes = takes_commands ? 'takes commands from other machines' : 'takes no commands (fleet.commands is off)';
  if (role === null)
    return warning(
      'fleet role',
      "This machine is not in the fleet's list of members, so it can neither report to the fleet nor send commands.",
      'If this machine was removed from the fleet: baton fleet leave. Then join the fleet with a new code',
    );
  return ok(
    'fleet role',
    `This machine is ${role === 'viewer' ? 'a viewer' : 'an operator'} in its fleet and ${takes}.`,
  );
}

/**
 * The doctor warns if more than this number of the machine's events have not reached the hub. Fewer events may just be
 * on their way.
 */
const MANY_EVENTS = 500;

function lagFinding({ forwarded, log_end, connected }: FleetStatus): Finding {
  if (forwarded === null)
    return note(
      'fleet lag',
      'Baton does not know which events the hub has.',
      connected ? null : 'See the finding about the hub.',
    );
  const lag = Math.max(0, log_end - forwarded);
  if (!connected && lag <= MANY_EVENTS)
    return note(
      'fleet lag',
      `The hub ${lag === 0 ? 'had all events' : `lacked ${lag} events`} when this machine was last connected to it.`,
      'See the finding about the hub.',
    );
  if (lag <= MANY_EVENTS)
    return ok('fleet lag', lag === 0 ? 'The hub has all events.' : `The hub lacks ${lag} events.`);
  return warning(
    'fleet lag',
    `The hub lacks ${lag} events of this machine, so the other machines see an older state.`,
    connected
      ? 'Baton sends them by itself; if the number does not fall: baton logs'
      : 'See the finding about the hub.',
  );
}

/**
 * Takes this machine's version from `own` and not from `machines`, because the list does not contain this machine if it
 * was removed from the fleet.
 */
function versionFinding(machines: readonly Machine[], own: string): Finding {
  const others = machines.filter(({ is_self, version }) => !is_self && version !== null && version !== own);
  if (others.length === 0) return ok('fleet versions', `All machines that report have version ${own}.`);
  return warning(
    'fleet versions',
    `This machine has version ${own}; ${others.map(({ name, version }) => `${name} has ${version}`).join(', ')}.`,
    'Install the same version of Baton on all machines.',
  );
}

function machineFindings({ connected }: FleetStatus, machines: readonly Machine[]): readonly Finding[] {
  if (!connected)
    return [
      note(
        'fleet machines',
        'It is unknown whether the other machines report, because this machine is not connected to the hub.',
        'See the finding about the hub.',
      ),
    ];
  const namesOf = (wanted: Machine['presence']): readonly string[] =>
    machines.filter(({ presence }) => presence === wanted).map(({ name }) => name);
  const [away, unknown] = [namesOf('away'), namesOf('unknown')];
  if (away.length + unknown.length === 0) return [ok('fleet machines', `All ${machines.length} machines report.`)];
  return [
    ...(away.length === 0 ? [] : [awayFinding(away)]),
    ...(unknown.length === 0 ? [] : [unknownFinding(unknown)]),
  ];
}

const awayFinding = (names: readonly string[]): Finding =>
  note(
    'fleet machines',
    `${names.join(', ')} ${names.length === 1 ? 'does not report now; its' : 'do not report now; their'} last known state is shown.`,
    'To remove a machine for good, on the hub: baton fleet revoke NAME',
  );

const unknownFinding = (names: readonly string[]): Finding =>
  note(
    'fleet machines',
    `Baton cannot tell whether ${names.join(', ')} ${names.length === 1 ? 'reports now; its' : 'report now; their'} last known state is shown.`,
    'Look again in a minute: baton fleet status',
  );

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
