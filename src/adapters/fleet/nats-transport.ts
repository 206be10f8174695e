import { join } from 'node:path';
import { createUser } from '@nats-io/nkeys';
import type { FleetTransport, FounderLink, HubAddress } from '../../app/ports/fleet/fleet-link.ts';
import { createHubServer } from './hub-server.ts';
import { createKeys, isPublicKey, isSignedBy, readKeys, readSeed, removeKeys } from './keys.ts';
import { awaitAccess, openLink, requestJoin } from './nats-link.ts';

/** The transport of the fleet over NATS JetStream. Its files are in one folder of Baton's home. */
export function createNatsTransport({
  folder,
  env,
  log,
}: {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (message: string) => void;
}): FleetTransport {
  const seedFile = join(folder, 'seed');
  const link = (hub: HubAddress, machine: string): FounderLink => {
    const seed = readSeed(seedFile);
    if (seed === undefined) throw new Error(`the key of this machine is missing: ${seedFile}`);
    return openLink({ hub, machine, seed, log });
  };
  return {
    createKeys: () => createKeys(seedFile),
    readKeys: () => readKeys(seedFile),
    removeKeys: () => removeKeys(seedFile),
    createLooseKeys: () => {
      const pair = createUser();
      return { publicKey: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) };
    },
    verify: isSignedBy,
    isPublicKey,
    connect: link,
    connectAsFounder: link,
    awaitAccess,
    requestJoin,
    hub: createHubServer(join(folder, 'hub'), env),
  };
}
