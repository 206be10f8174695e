import type { FleetLink, Sealed } from '../ports/fleet/fleet-link.ts';
import { type FleetContext, purposes } from './membership.ts';

/**
 * Another Baton with the identity of this machine, for example because the home was copied. `reporting`: the other
 * Baton reports as this machine. `waiting`: the other Baton sends no reports, because it has seen that the identity is
 * in use.
 */
export interface OtherBaton {
  readonly is: 'reporting' | 'waiting';
  readonly instance: string;
}

type Identity = Pick<FleetContext, 'ports' | 'transport' | 'keys' | 'membership'>;

const WAITING = 'waiting ';

/**
 * Asks over the hub whether another Baton answers in the name of this machine. This Baton also gets the question, but
 * does not answer it.
 */
export async function findOther(identity: Identity, link: FleetLink): Promise<OtherBaton | undefined> {
  const { ports, transport, keys, membership } = identity;
  const { instance } = ports.settings;
  const ping = keys.sign(purposes.question('ping', membership.machine), instance);
  const reply = await link.ask(membership.machine, ping).catch(() => undefined);
  if (reply === undefined || !transport.verify(keys.publicKey, purposes.reply(instance), reply)) return undefined;
  return reply.text.startsWith(WAITING)
    ? { is: 'waiting', instance: reply.text.slice(WAITING.length) }
    : { is: 'reporting', instance: reply.text };
}

export const isPing = ({ transport, keys, membership }: Identity, sealed: Sealed): boolean =>
  transport.verify(keys.publicKey, purposes.question('ping', membership.machine), sealed);

export function answerPing({ ports, keys }: Identity, sealed: Sealed, is: OtherBaton['is']): Sealed | undefined {
  const { instance } = ports.settings;
  if (sealed.text === instance) return undefined;
  return keys.sign(purposes.reply(sealed.text), is === 'waiting' ? WAITING + instance : instance);
}

/**
 * How many checks in a row must find no other Baton before the identity counts as free. A single check is not enough,
 * because the other Baton may be restarting at that moment.
 */
const FREE_LOOKS = 2;

export interface IdentityWatch {
  stop(): Promise<void>;
}

/**
 * Waits until no other Baton reports with the identity of this machine. Meanwhile this machine sends nothing except the
 * answer to the other Baton that it is waiting. If both Batons are waiting, the Baton whose random instance id sorts
 * first continues.
 */
export function watchIdentity(identity: Identity, link: FleetLink, everyMs: number, onFree: () => void): IdentityWatch {
  const { clock, settings, log } = identity.ports;
  const { machine } = identity.membership;
  let free = 0;
  let stopped = false;
  let cancel = (): void => undefined;
  link.answerAsks(async (sealed) => (isPing(identity, sealed) ? answerPing(identity, sealed, 'waiting') : undefined));
  link.onChange(() => {
    if (link.isConnected()) log.info(`waiting until no other Baton reports as ${machine}`);
  });
  const isFree = async (): Promise<boolean> => {
    if (!link.isConnected()) return false;
    const other = await findOther(identity, link);
    // If no answer came, there may be no other Baton, or the connection was lost. So the identity counts as free only
    // if this machine is still connected to the hub.
    if (other === undefined) return link.isConnected();
    return other.is === 'waiting' && settings.instance < other.instance;
  };
  const look = async (): Promise<void> => {
    free = (await isFree()) ? free + 1 : 0;
    if (stopped) return;
    if (free === FREE_LOOKS) onFree();
    else later();
  };
  const later = (): void => {
    cancel = clock.after(everyMs, () => void look());
  };
  later();
  return {
    stop: async () => {
      stopped = true;
      cancel();
      await link.close();
    },
  };
}
