import type { z } from 'zod';
import type { FleetStanding } from '../../../app/fleet/fleet-control.ts';
import {
  type ListedMachine,
  listFleetObjects,
  listMachineObjects,
  listMachines,
} from '../../../app/fleet/list-machines.ts';
import type { FleetKind } from '../../../app/ports/fleet/fleet-store.ts';
import * as contract from '../../../contract/fleet.ts';
import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import { Nothing } from '../../../contract/requests.ts';
import type { Agent, InboxItem, Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { answerOn } from '../../../contract/words/machine-commands.ts';
import { isLive } from '../../../domain/agents/agent.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type HttpDeps, MACHINE, mapped, OPERATOR, type Route, route } from '../server/route.ts';
import { type MachineCounts, viewHeard, viewMachine, viewStanding } from './fleet-views.ts';
import { AGENT_FILTERS, refuseFilters, wantedAgents, wantedPackages, wantedRuns } from './machine-lists.ts';

const showStanding =
  ({ ports }: HttpDeps) =>
  (standing: FleetStanding): contract.FleetStatus =>
    viewStanding(
      standing,
      standing.membership?.founder.name,
      ports.store.read((tx) => tx.lastSeq()),
    );

/**
 * Counts a machine's live agents, handoff runs in flight, inbox items and open packages. For this machine, reads the
 * store. For another machine, reads the last known objects of that machine.
 */
function countsOf({ ports }: HttpDeps, { name, isSelf }: ListedMachine): MachineCounts {
  return ports.store.read((tx) => {
    if (isSelf)
      return {
        live_agents: tx.liveAgents().length,
        runs_in_flight: tx.runsInFlight().length,
        needs: tx.openInboxItems().length,
        packages_open: tx.packages({ inFlight: true, limit: 500 }).length,
      };
    const bodies = <T>(kind: FleetKind): readonly T[] =>
      tx.fleetObjects(kind, name).map(({ body }) => JSON.parse(body) as T);
    return {
      live_agents: bodies<Agent>('agent').filter(isLive).length,
      runs_in_flight: bodies<Run>('run').filter(({ over }) => !over).length,
      needs: tx.fleetObjects('item', name).length,
      packages_open: bodies<PackageRow>('package').filter(({ over }) => !over).length,
    };
  });
}

/**
 * Parses the last known state of an object on another machine. Adds the machine's name to the commands in the texts of
 * the object.
 */
const parsed = <T>(machine: string, body: string): T => answerOn(machine, JSON.parse(body) as T);

/** Returns the last known objects of a machine, newest first, with the age of this data. */
const remembered = <T>(deps: HttpDeps, machine: string, kind: FleetKind) =>
  mapped(listMachineObjects(deps, machine, kind), ({ heard, objects }) => ({
    heard: viewHeard(heard),
    rows: objects.map(({ body }) => parsed<T>(machine, body)),
  }));

export const FLEET_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.fleet,
    summary: 'The fleet that this Baton is in, its connection to the hub, and its problems',
    answer: contract.FleetStatus,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => showStanding(deps)(deps.fleet.status()),
  }),
  route({
    method: 'POST',
    path: PATHS.foundFleet,
    summary: 'Create a fleet with its hub on this machine',
    body: contract.FoundFleet,
    answer: contract.FleetStatus,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, body }) => mapped(await deps.fleet.found(body), showStanding(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.inviteMachine,
    summary: 'Make an invitation code for a machine; only on the machine that founded the fleet',
    body: contract.InviteMachine,
    answer: contract.Invitation,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, body }) =>
      mapped(await deps.fleet.invite(body), ({ name, role, code, expiresAt }) => ({
        name,
        role,
        code,
        expires_at: expiresAt,
      })),
  }),
  route({
    method: 'POST',
    path: PATHS.joinFleet,
    summary: 'Join a fleet with an invitation code',
    body: contract.JoinFleet,
    answer: contract.FleetStatus,
    status: 201,
    callers: OPERATOR,
    handle: async ({ deps, body }) => mapped(await deps.fleet.join(body.code), showStanding(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.leaveFleet,
    summary: 'Leave the fleet; on the machine that founded it, end the fleet',
    body: Nothing,
    answer: contract.FleetStatus,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps }) => mapped(await deps.fleet.leave(), showStanding(deps)),
  }),
  route({
    method: 'POST',
    path: PATHS.revokeMachine,
    summary: 'Remove a machine from the fleet; its key is refused from now on',
    body: contract.RevokeMachine,
    answer: contract.FleetStatus,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, body }) =>
      mapped(await deps.fleet.revoke(body.name), () => showStanding(deps)(deps.fleet.status())),
  }),
  route({
    method: 'GET',
    path: PATHS.machines,
    summary: 'The machines of the fleet, this one first, with the age of the data about each machine',
    answer: contract.MachineList,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => {
      const standing = deps.fleet.status();
      const own = { version: deps.ports.settings.version, takesCommands: standing.takesCommands };
      return {
        fleet: showStanding(deps)(standing),
        machines: listMachines(deps).map((machine) => viewMachine(machine, countsOf(deps, machine), own)),
      };
    },
  }),
  route({
    method: 'GET',
    path: PATHS.fleetAgents,
    summary: 'The last known agents of all other machines; ?live=1 for running agents',
    answer: contract.FleetAgents,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, query }) =>
      refuseFilters(query, 'agents', ['live']) ?? {
        agents: listFleetObjects(deps, 'agent').flatMap(({ heard, objects }) => {
          const known = objects.map(({ body }) => parsed<Agent>(heard.name, body));
          return wantedAgents(known, query).agents.map((agent) => ({ heard: viewHeard(heard), agent }));
        }),
      },
  }),
  route({
    method: 'GET',
    path: PATHS.fleetInbox,
    summary: 'The last known inbox items of all other machines',
    answer: contract.FleetInbox,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, query }) =>
      refuseFilters(query, 'inbox items', []) ?? {
        items: listFleetObjects(deps, 'item').flatMap(({ heard, objects }) =>
          objects.map(({ body }) => ({ heard: viewHeard(heard), item: parsed<InboxItem>(heard.name, body) })),
        ),
      },
  }),
  route({
    method: 'GET',
    path: PATHS.machineAgents(MACHINE),
    summary:
      'The last known agents of another machine, oldest first; ?live=1 for running agents, ?ids=1,2,3 for the agents with these ids; ?limit=, ?before=ID for agents older than the agent with this id',
    answer: contract.MachineAgents,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, machine, query }): z.infer<typeof contract.MachineAgents> | Refusal =>
      refuseFilters(query, 'agents', AGENT_FILTERS) ??
      mapped(remembered<Agent>(deps, machine, 'agent'), ({ rows, heard }) => ({ ...wantedAgents(rows, query), heard })),
  }),
  route({
    method: 'GET',
    path: PATHS.machineRuns(MACHINE),
    summary:
      'The last known handoff runs of another machine, newest first; ?state= in_flight, failed, completed or cancelled; ?ids=1,2,3 for the runs with these ids; ?limit=, ?before=ID for runs older than the run with this id',
    answer: contract.MachineRuns,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, machine, query }): z.infer<typeof contract.MachineRuns> | Refusal =>
      mapped(remembered<Run>(deps, machine, 'run'), ({ rows, heard }) =>
        mapped(wantedRuns(rows, query), (wanted) => ({ ...wanted, heard })),
      ),
  }),
  route({
    method: 'GET',
    path: PATHS.machineInbox(MACHINE),
    summary: 'The last known inbox items of another machine',
    answer: contract.MachineInbox,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, machine, query }): z.infer<typeof contract.MachineInbox> | Refusal =>
      refuseFilters(query, 'inbox items', []) ??
      mapped(remembered<InboxItem>(deps, machine, 'item'), ({ rows, heard }) => ({
        items: rows.toSorted((one, other) => other.id - one.id),
        heard,
      })),
  }),
  route({
    method: 'GET',
    path: PATHS.machinePackages(MACHINE),
    summary:
      'The last known packages of another machine, newest first; ?open=1 for packages that are not over; ?project=ID; ?state=, ?type=, ?agent=NAME; ?limit=, ?before=ID for packages older than the package with this id',
    answer: contract.MachinePackages,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, machine, query }): z.infer<typeof contract.MachinePackages> | Refusal =>
      mapped(remembered<PackageRow>(deps, machine, 'package'), ({ rows, heard }) =>
        mapped(wantedPackages(rows, query), (wanted) => ({ ...wanted, heard })),
      ),
  }),
];
