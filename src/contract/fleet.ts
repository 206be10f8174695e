import { z } from 'zod';
import { FLEET_ROLES } from '../domain/fleet/member.ts';
import { PackageList } from './packages/package-resources.ts';
import { Agent, AgentList, Inbox, InboxItem, RunList } from './resources.ts';

/** The response bodies about other machines. Times are ISO 8601 in UTC. */

const Role = z
  .enum(FLEET_ROLES)
  .describe(
    '`viewer`: the machine can see the other machines. `operator`: the machine can also send commands to them.',
  );

const Presence = z
  .enum(['up', 'away', 'unknown'])
  .describe(
    "`up`: the machine reports. `away`: the machine has not reported for 30 seconds. `unknown`: this Baton cannot tell whether the machine is up, because this Baton is not connected to the hub, does not know the hub's time, has no report of the machine, or does not have all the data that the machine has reported.",
  );

export const Heard = z.object({
  machine: z.string(),
  presence: Presence,
  live: z
    .boolean()
    .describe('True if `presence` is `up`. If false, all data about the machine show its last known state.'),
  last_heard_at: z.string().nullable().describe("When the machine last reported, by this machine's clock."),
  age_ms: z.int().nullable().describe('Milliseconds since the machine last reported; null if unknown.'),
  log_position: z
    .int()
    .nullable()
    .describe('The data about the machine include the events of its log up to this number.'),
});
export type Heard = z.infer<typeof Heard>;

export const Machine = z
  .object({
    name: z.string(),
    role: Role,
    is_self: z.boolean().describe('True for the machine that answers this request.'),
    is_hub: z.boolean().describe('True for the machine that founded the fleet and runs its hub.'),
    presence: Presence,
    live: Heard.shape.live,
    last_heard_at: Heard.shape.last_heard_at,
    age_ms: Heard.shape.age_ms,
    log_position: Heard.shape.log_position,
    log_end: z
      .int()
      .nullable()
      .describe("The number of the newest event in the machine's log at the time of its last report."),
    version: z.string().nullable().describe('The version of Baton on the machine.'),
    takes_commands: z.boolean().nullable().describe('False if the machine refuses commands from other machines.'),
    live_agents: z.int(),
    runs_in_flight: z.int(),
    needs: z.int().describe('How many open inbox items the machine has.'),
    packages_open: z.int(),
  })
  .meta({ id: 'Machine' });
export type Machine = z.infer<typeof Machine>;

export const FleetStatus = z
  .object({
    joined: z.boolean().describe('False if this Baton is in no fleet. The list of machines is then empty.'),
    machine: z.string().nullable().describe('The name of this machine in the fleet.'),
    role: Role.nullable(),
    is_hub: z.boolean(),
    address: z.string().nullable().describe('The address of the hub.'),
    connected: z.boolean(),
    encrypted: z.boolean().nullable().describe('Whether the connection to the hub uses TLS.'),
    takes_commands: z.boolean(),
    forwarded: z.int().nullable().describe("The number of the newest event of this machine's log that the hub has."),
    log_end: z.int().describe("The number of the newest event in this machine's log."),
    hub_clock_ms: z
      .int()
      .nullable()
      .describe("How far the hub's clock is ahead of this machine's clock, in milliseconds; null if unknown."),
    problem: z
      .object({ code: z.string(), sentence: z.string(), hint: z.string() })
      .nullable()
      .describe(
        'Why this Baton does not report to the fleet or cannot reach the hub; null if there is no problem. In the answer to a request to leave the fleet: why the hub still lists this machine.',
      ),
  })
  .meta({ id: 'FleetStatus' });
export type FleetStatus = z.infer<typeof FleetStatus>;

export const MachineList = z.object({ fleet: FleetStatus, machines: z.array(Machine) });
export type MachineList = z.infer<typeof MachineList>;

/**
 * Lists of the agents, runs, inbox items and packages of one other machine. These lists have the same fields as this
 * machine's own lists, so that a client can read both kinds.
 */
export const MachineAgents = AgentList.extend({ heard: Heard });
export const MachineRuns = RunList.extend({ heard: Heard });
export const MachineInbox = Inbox.extend({ heard: Heard });
export const MachinePackages = z.object({ ...PackageList.shape, heard: Heard });

/**
 * Lists that come either from this machine or from another one. Only a list from another machine has the field `heard`.
 */
export const AgentsAnywhere = AgentList.extend({ heard: Heard.optional() });
export type AgentsAnywhere = z.infer<typeof AgentsAnywhere>;
export const RunsAnywhere = RunList.extend({ heard: Heard.optional() });
export type RunsAnywhere = z.infer<typeof RunsAnywhere>;
export const InboxAnywhere = Inbox.extend({ heard: Heard.optional() });
export const PackagesAnywhere = z.object({ ...PackageList.shape, heard: Heard.optional() });

/** Lists of the agents and inbox items of all other machines. */
export const FleetAgents = z.object({ agents: z.array(z.object({ heard: Heard, agent: Agent })) });
export type FleetAgents = z.infer<typeof FleetAgents>;
export const FleetInbox = z.object({ items: z.array(z.object({ heard: Heard, item: InboxItem })) });
export type FleetInbox = z.infer<typeof FleetInbox>;

const Name = z.string().trim().toLowerCase().max(40);

export const FoundFleet = z.strictObject({
  name: Name.describe('The name of this machine in the fleet.'),
  address: z
    .string()
    .max(260)
    .default('127.0.0.1:7422')
    .describe('The host and the port at which the other machines reach the hub.'),
  plain: z
    .boolean()
    .default(false)
    .describe(
      'If true, the hub uses no TLS even if its address is not loopback. Use this only in a network that is already encrypted.',
    ),
});
export const InviteMachine = z.strictObject({
  name: Name,
  role: Role.default('operator'),
  replace: z
    .boolean()
    .default(false)
    .describe(
      "If true, the new machine replaces a machine of the same name, and the hub drops the old machine's history.",
    ),
});
export const JoinFleet = z.strictObject({ code: z.string().max(8_192) });
export const RevokeMachine = z.strictObject({ name: Name });

export const Invitation = z.object({
  name: z.string(),
  role: Role,
  code: z.string().describe('The code works once. Anybody who has the code can join the fleet under this name.'),
  expires_at: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;
