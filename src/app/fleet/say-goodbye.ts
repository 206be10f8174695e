import type { Clock } from '../ports/clock.ts';
import type { FleetLink } from '../ports/fleet/fleet-link.ts';
import { type FleetContext, purposes } from './membership.ts';
import { findOther } from './own-identity.ts';

const CONNECT_MS = 5_000;

/**
 * Asks the founder to remove this machine from the list of members. `in_use`: another Baton has the same identity, so
 * the machine stays in the list. `not_told`: the founder did not answer. Asks over a new connection, after the caller
 * has closed the earlier one: over the earlier connection, this Baton itself would answer the question whether another
 * Baton has its identity.
 */
export async function sayGoodbye(
  context: Pick<FleetContext, 'ports' | 'transport' | 'keys' | 'membership'>,
  stopping: AbortSignal,
): Promise<'removed' | 'in_use' | 'not_told'> {
  const { ports, transport, keys, membership } = context;
  const { machine, hub } = membership;
  const link = transport.connect(hub, machine);
  try {
    await awaitConnection(link, ports.clock, CONNECT_MS, stopping);
    // The hub refuses this machine's key if the list of members no longer contains the machine with this key, so the
    // machine is already removed. If this machine refused the hub's certificate, it cannot find out whether it is still
    // in the list.
    if (link.refusal() === 'key') return 'removed';
    if (!link.isConnected()) return 'not_told';
    if ((await findOther(context, link)) !== undefined) return 'in_use';
    await link.askFounder('leave', keys.sign(purposes.question('leave', machine), machine));
    return 'removed';
  } catch {
    return 'not_told';
  } finally {
    await link.close();
  }
}

/** Waits until this machine is connected to the hub, the time limit has passed or Baton stops. */
export function awaitConnection(
  link: Pick<FleetLink, 'isConnected' | 'onChange'>,
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  stopping: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    const look = (): void => {
      if (link.isConnected() || stopping.aborted) end();
    };
    link.onChange(look);
    stopping.addEventListener('abort', end, { once: true });
    look();
  });
}
