import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { fleetInboxQuery, machinesQuery } from '../api/fleet-queries.ts';
import { refreshMachine } from '../api/machine-clients.ts';

/**
 * Watches how far the logs of the other machines have advanced, as long as the page is open. After each advance,
 * fetches everything again that the page shows about that machine.
 */
export default function FleetFeed() {
  const client = useQueryClient();
  const { data } = useQuery(machinesQuery);
  const known = useRef(new Map<string, number | null>());
  useEffect(() => {
    const moved = (data?.machines ?? []).filter(
      ({ name, is_self, log_position }) => !is_self && known.current.get(name) !== log_position,
    );
    for (const { name, log_position } of moved) {
      known.current.set(name, log_position);
      refreshMachine(name);
    }
    if (moved.length > 0) void client.invalidateQueries({ queryKey: fleetInboxQuery.queryKey });
  }, [client, data]);
  return null;
}
