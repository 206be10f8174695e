import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { fleetInboxQuery, machinesQuery } from '../api/fleet-queries.ts';
import { refreshMachine } from '../api/machine-clients.ts';
import { byNeed } from './machine-words.ts';

/**
 * The maximum number of machines whose data is fetched at the same time. With all machines at once, the browser would
 * draw hundreds of cards without a pause, and the page would not react.
 */
const AT_ONCE = 10;
/** The pause after each machine, in which the browser draws and handles input. */
const PAUSE_MS = 16;

/**
 * Watches the logs of the other machines while the page is open. When the log of a machine has grown, fetches again
 * everything that the page shows about the machine with this log. Fetches the data of a few machines at a time,
 * beginning with the machines that have open inbox items.
 */
export default function FleetFeed() {
  const client = useQueryClient();
  const { data } = useQuery(machinesQuery);
  const known = useRef(new Map<string, number | null>());
  const outdated = useRef(new Set<string>());
  const workers = useRef(0);
  useEffect(() => {
    const moved = (data?.machines ?? []).filter(
      ({ name, is_self, log_position }) => !is_self && known.current.get(name) !== log_position,
    );
    for (const { name, log_position } of moved.toSorted(byNeed)) {
      known.current.set(name, log_position);
      outdated.current.add(name);
    }
    if (moved.length > 0) void client.invalidateQueries({ queryKey: fleetInboxQuery.queryKey });
    for (; workers.current < AT_ONCE && outdated.current.size > 0; workers.current++) void fetchOutdated();

    /**
     * Fetches the data of the machines whose data is out of date, one machine after another. Up to AT_ONCE calls of
     * this function run in parallel. A machine that does not answer thus delays only one of the calls.
     */
    async function fetchOutdated(): Promise<void> {
      for (const name of outdated.current) {
        outdated.current.delete(name);
        await refreshMachine(name).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      workers.current--;
    }
  }, [client, data]);
  return null;
}
