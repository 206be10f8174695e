import { queryOptions, useQuery } from '@tanstack/react-query';
import type { FleetInbox, FleetStatus, MachineList } from '../../../contract/fleet.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';

/** Whether this Baton is in a fleet. The answer changes only with events of the type `fleet_…`. */
const fleetQuery = queryOptions({
  staleTime: Number.POSITIVE_INFINITY,
  queryKey: ['fleet'],
  queryFn: ({ signal }) => get<FleetStatus>(PATHS.fleet, signal),
});

/** True if this Baton is in a fleet. Until the server has answered, the page shows no other machines. */
export const useIsInFleet = (): boolean => useQuery(fleetQuery).data?.joined ?? false;

/**
 * How often the page asks for the state of the machines. The page must poll, because a report of another machine causes
 * no event on this machine.
 */
const EVERY_MS = 2_000;

/** All machines of the fleet, this machine first. An open page polls this list. */
export const machinesQuery = queryOptions({
  queryKey: ['fleet', 'machines'],
  queryFn: ({ signal }) => get<MachineList>(PATHS.machines, signal),
  refetchInterval: EVERY_MS,
});

/** The open inbox items of all other machines. */
export const fleetInboxQuery = queryOptions({
  staleTime: Number.POSITIVE_INFINITY,
  queryKey: ['fleet', 'inbox'],
  queryFn: async ({ signal }) => (await get<FleetInbox>(PATHS.fleetInbox, signal)).items,
});
