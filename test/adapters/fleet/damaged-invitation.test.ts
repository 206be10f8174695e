import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findServer } from '../../../src/adapters/fleet/hub-server.ts';
import { createNatsTransport } from '../../../src/adapters/fleet/nats-transport.ts';
import { type HubAddress, InvitationDamaged } from '../../../src/app/ports/fleet/fleet-link.ts';
import { needs } from '../../support/needs.ts';

const NATS_SERVER = { what: 'nats-server (not installed)', isThere: findServer(process.env) !== undefined };

describe('a join with a damaged invitation', needs(NATS_SERVER), () => {
  const folder = mkdtempSync(join(tmpdir(), 'bt-fleet-'));
  const transport = createNatsTransport({ folder, env: process.env, log: () => undefined });
  const { publicKey, seed } = transport.createLooseKeys();
  let hub: HubAddress;
  beforeAll(async () => {
    hub = { host: '127.0.0.1', port: await freePort(), certificate: null };
    await transport.hub.apply(hub, [{ key: publicKey, as: { kind: 'invitation', id: 'abc' } }]);
  });
  afterAll(() => transport.hub.remove());

  it.each<[string, { id?: string; seed?: string; host?: string }]>([
    ['an id that does not belong to its key', { id: 'xyz' }],
    ['a key that is no key', { seed: 'SUAAAA' }],
    ['an address that is no address', { host: 'a b; rm' }],
  ])('an invitation with %s counts as damaged', async (_, { id = 'abc', seed: own = seed, host = hub.host }) => {
    const asked = transport.requestJoin({ ...hub, host }, { id, seed: own }, '{}', new AbortController().signal);
    await expect(asked).rejects.toBeInstanceOf(InvitationDamaged);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
