import {
  FleetAgents,
  FleetInbox,
  FleetStatus,
  type Heard,
  Invitation,
  type Machine,
  MachineList,
} from '../../../contract/fleet.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { confirm } from '../maintenance/confirm.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK, WARN } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago, when } from '../output/when.ts';

export async function showFleet(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.machines, MachineList);
  return showAnswer(cli, answer, ({ fleet, machines }) => [
    ...connection(fleet),
    ...cli.out.fit(machineTable(machines)),
  ]);
}

export async function listFleetAgents(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(`${PATHS.fleetAgents}?live=1`, FleetAgents);
  return showAnswer(cli, answer, ({ agents }) =>
    agents.length === 0
      ? [['No agent is known to run on another machine. See: baton fleet status']]
      : cli.out.fit(
          table(
            ['agent', 'label', 'state', 'project', 'known since', 'needs'],
            agents.map(({ heard, agent }): Part[] => [
              `${heard.machine}/${agent.id}`,
              agent.label,
              heard.live ? agent.state : ink('dim', `was ${agent.state}`),
              agent.project.name,
              age(heard),
              ink('yellow', agent.needs?.sentence ?? ''),
            ]),
          ),
        ),
  );
}

export async function listFleetInbox(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.fleetInbox, FleetInbox);
  return showAnswer(cli, answer, ({ items }) =>
    items.length === 0
      ? [['Nothing on the other machines needs you, as far as this machine knows.']]
      : items.flatMap(({ heard, item }): Part[][] => [
          [ink('bold', `${heard.machine}/${item.id}`), `  ${item.sentence}`, ink('dim', `  (${age(heard)})`)],
          [ink('dim', `    ${item.hint}`)],
        ]),
  );
}

export async function foundFleet(
  cli: Cli,
  wanted: { readonly name: string; readonly address?: string; readonly plain?: boolean },
): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.foundFleet, wanted, FleetStatus);
  return showAnswer(cli, answer, ({ machine, address, encrypted }) => [
    [TICK, ` Founded a fleet. Its hub runs on ${machine}, at ${address}${encrypted ? ' (TLS)' : ''}.`],
    ['  Invite the next machine: baton fleet invite NAME'],
  ]);
}

export async function inviteMachine(
  cli: Cli,
  wanted: { readonly name: string; readonly role: string; readonly replace?: boolean },
): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.inviteMachine, wanted, Invitation);
  return showAnswer(cli, answer, ({ name, role, code, expires_at }) => [
    [
      `Run this on ${name}, which will join as ${role}. The code works once, until ${when(expires_at)}; treat it as a password.`,
    ],
    [''],
    [`  baton fleet join ${code}`],
  ]);
}

export async function joinFleet(cli: Cli, code: string): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.joinFleet, { code }, FleetStatus);
  return showAnswer(cli, answer, ({ machine, address, problem }) => [
    [TICK, ` Joined the fleet at ${address} as ${machine}. See: baton fleet status`],
    ...trouble(problem),
  ]);
}

export async function leaveFleet(cli: Cli, yes: boolean): Promise<number> {
  const api = operatorClient(cli.deps);
  const { is_hub: isHub } = (await api.get(PATHS.fleet, FleetStatus)).data;
  await confirm(cli, {
    yes,
    question: isHub ? 'This machine runs the hub. End the whole fleet?' : 'Leave the fleet?',
    otherwise: 'This machine did not leave the fleet.',
  });
  return showAnswer(cli, await api.post(PATHS.leaveFleet, {}, FleetStatus), ({ problem }) => [
    [TICK, ' Left the fleet.'],
    ...trouble(problem),
  ]);
}

export async function revokeMachine(cli: Cli, name: string, yes: boolean): Promise<number> {
  await confirm(cli, {
    yes,
    question: `Remove ${name} from the fleet?`,
    otherwise: `${name} was not removed from the fleet.`,
  });
  const answer = await operatorClient(cli.deps).post(PATHS.revokeMachine, { name }, FleetStatus);
  return showAnswer(cli, answer, () => [[TICK, ` Removed ${name} from the fleet. Its key is refused from now on.`]]);
}

function connection(fleet: FleetStatus): Part[][] {
  if (!fleet.joined)
    return [['This Baton is in no fleet. Create a fleet: baton fleet hub NAME. Join a fleet: baton fleet join CODE']];
  const { machine, role, address, connected, encrypted, forwarded, log_end: end, problem } = fleet;
  const behind = forwarded === null ? null : end - forwarded;
  return [
    [
      connected ? TICK : WARN,
      ` ${machine} (${role ?? 'not a member'}) is ${connected ? 'connected' : 'not connected'} to the hub at ${address}${encrypted ? ' (TLS)' : ''}`,
      behind === null ? '' : logOnHub(behind, connected),
    ],
    ...trouble(problem),
    [''],
  ];
}

function logOnHub(behind: number, connected: boolean): string {
  if (connected) return behind === 0 ? '; the hub has its whole log' : `; the hub lacks ${behind} of its events`;
  return behind === 0
    ? '; the hub had its whole log when it was last connected'
    : `; the hub does not have at least ${behind} of its events`;
}

const trouble = (problem: FleetStatus['problem']): Part[][] =>
  problem === null ? [] : [[ink('red', `  ${problem.sentence}`)], [ink('dim', `  ${problem.hint}`)]];

function machineTable(machines: readonly Machine[]): Part[][] {
  if (machines.length === 0) return [];
  return table(
    ['machine', 'role', 'state', '>agents', '>needs', '>handoffs', 'heard', 'version'],
    machines.map((each): Part[] => [
      `${each.name}${each.is_self ? ' (this one)' : ''}${each.is_hub ? ' (hub)' : ''}`,
      each.role,
      each.live ? ink('green', 'up') : ink(each.presence === 'away' ? 'yellow' : 'dim', each.presence),
      String(each.live_agents),
      String(each.needs),
      String(each.runs_in_flight),
      each.is_self ? 'now' : age(each),
      each.version ?? '-',
    ]),
  );
}

const age = ({ live, last_heard_at: at }: Pick<Heard, 'live' | 'last_heard_at'>): string => {
  if (at === null) return 'unknown';
  return live ? 'now' : ago(at);
};
