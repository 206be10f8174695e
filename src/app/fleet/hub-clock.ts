import { type Instant, instantFromMs } from '../../domain/instant.ts';
import type { FleetLink } from '../ports/fleet/fleet-link.ts';
import { type FleetContext, isFounder, purposes, readRoster } from './membership.ts';

/** How long to wait until the founder has answered what time it is. A slower answer would be too imprecise. */
const MAX_ROUND_TRIP_MS = 5_000;

export interface HubTime {
  readonly now: Instant;
  /** The version of the founder's list of members. */
  readonly rosterVersion: number;
}

export interface HubClock {
  /**
   * Asks the founder for the time. Returns undefined if the founder does not answer quickly or the signature of the
   * answer is wrong.
   */
  ask(): Promise<HubTime | undefined>;
  /**
   * How far the hub's clock is ahead of this machine's clock, according to the last answer; undefined before the first
   * answer.
   */
  offsetMs(): number | undefined;
}

/** Returns the text that the founder signs when a machine asks for the time. */
export const timeText = (nonce: string, now: Instant, rosterVersion: number): string =>
  JSON.stringify({ nonce, now, rosterVersion });

/**
 * Reads the clock of the fleet's founder, whose time decides whether a command has expired. The founder signs each
 * answer together with a random value from the question. So neither the hub nor an old answer can make an expired
 * command look fresh.
 */
export function createHubClock({ ports, transport, keys, membership }: FleetContext, link: FleetLink): HubClock {
  let offset: number | undefined = isFounder(membership) ? 0 : undefined;
  const ask = async (): Promise<HubTime | undefined> => {
    if (isFounder(membership))
      return { now: ports.clock.now(), rosterVersion: ports.store.read((tx) => readRoster(tx).version) };
    const nonce = ports.chance.token(24);
    const began = ports.clock.monotonicMs();
    const question = keys.sign(purposes.question('time', membership.machine), nonce);
    const sealed = await link.askFounder('time', question).catch(() => undefined);
    const took = ports.clock.monotonicMs() - began;
    if (sealed === undefined || took > MAX_ROUND_TRIP_MS) return undefined;
    if (!transport.verify(membership.founder.key, purposes.founder('time'), sealed)) return undefined;
    const said = JSON.parse(sealed.text) as HubTime & { nonce: string };
    if (said.nonce !== nonce) return undefined;
    // The founder read its clock after the question was sent. Use the latest time that is possible now: the time in the
    // answer plus the whole duration of the request.
    const now = instantFromMs(Date.parse(said.now) + took);
    offset = Date.parse(now) - took / 2 - Date.parse(ports.clock.now());
    return { now, rosterVersion: said.rosterVersion };
  };
  return { ask, offsetMs: () => offset };
}
