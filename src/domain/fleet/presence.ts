/** How often a machine reports to the hub, even if nothing has happened. */
export const HEARTBEAT_MS = 10_000;

/** The time without a report after which a machine counts as away. */
const AWAY_AFTER_MS = 3 * HEARTBEAT_MS;

/**
 * Whether another machine is up. `unknown`: this machine cannot tell. For example, this machine is not connected to the
 * hub, does not know the hub's time, or never got a report of the other machine.
 */
export type Presence = 'up' | 'away' | 'unknown';

export interface Heard {
  /** Milliseconds since the machine last reported; null if unknown. */
  readonly ageMs: number | null;
  /** Whether this machine is connected to the hub. */
  readonly isConnected: boolean;
  /** True if the states that this machine received from the other machine match the other machine's last report. */
  readonly isWhole: boolean;
}

/**
 * Returns a machine's presence. Without a connection to the hub, no reports arrive, so the presence of every machine is
 * unknown.
 */
export function presenceOf({ ageMs, isConnected, isWhole }: Heard, heartbeatMs = HEARTBEAT_MS): Presence {
  if (ageMs === null || !isConnected) return 'unknown';
  if (ageMs > (AWAY_AFTER_MS / HEARTBEAT_MS) * heartbeatMs) return 'away';
  return isWhole ? 'up' : 'unknown';
}
