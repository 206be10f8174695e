import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../src/adapters/fleet/certificate.ts';
import { createHubServer } from '../../../src/adapters/fleet/hub-server.ts';
import { createNatsTransport } from '../../../src/adapters/fleet/nats-transport.ts';
import type { FleetStatus } from '../../../src/contract/fleet.ts';
import type { BatonProcess } from '../../support/baton-process.ts';
import { LINUX, needs } from '../../support/needs.ts';

import { FleetProcesses, NATS_SERVER, seen } from './fleet-processes.ts';

/**
 * A loopback address that plays the part of an address that other machines can reach. On Linux, every address in
 * 127.0.0.0/8 works without setup.
 */
const HOST = '127.0.0.2';

describe('a hub on an address other than 127.0.0.1', needs(NATS_SERVER, LINUX), () => {
  const fleet = new FleetProcesses();
  let hub: BatonProcess;
  let laptop: BatonProcess;

  beforeAll(async () => {
    hub = await fleet.found('hub', {}, {}, HOST);
    laptop = await fleet.join('laptop');
  });
  afterAll(() => fleet.cleanUp());

  it('[T28] a machine that joined a hub over TLS reports to the hub and takes a command', async () => {
    await seen(hub, 'laptop');
    await seen(laptop, 'hub');
    const own = await laptop.call<object>('POST', '/api/agents/999/handoff', { reason: 'shift_end' });
    expect(await hub.call('POST', '/api/machines/laptop/agents/999/handoff', { reason: 'shift_end' })).toEqual({
      ...own,
      body: { ...own.body, hint: 'List them: baton agent list --machine laptop --all' },
    });
  });

  it('[T28] the hub accepts only TLS and has the certificate that its invitations contain', async () => {
    const config = readFileSync(join(hub.home, 'fleet/hub/nats.conf'), 'utf8');
    const certificate = readFileSync(join(hub.home, 'fleet/hub/certificate.pem'), 'utf8');
    expect(config).toContain('tls {');
    expect(await greeting(HOST, fleet.port)).toMatchObject({ tls_required: true });
    expect(await handshake(fleet.port, certificate)).toBe('secure');
    expect(await handshake(fleet.port, makeCertificate(HOST).certificate)).toMatch(/self.signed|certificate/i);
  });

  it('[T28] a machine sends nothing to a server that listens in place of the hub without TLS', async () => {
    const heard: string[] = [];
    const info = { server_id: 'x', version: '2.9.10', proto: 1, headers: true, max_payload: 1000, nonce: 'abc' };
    const impostor = createServer((socket) => {
      socket.on('data', (chunk) => heard.push(chunk.toString())).on('error', () => undefined);
      socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    });
    impostor.listen(0, HOST);
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    const { certificate } = makeCertificate(HOST);
    const transport = createNatsTransport({
      folder: mkdtempSync(join(tmpdir(), 'bt-')),
      env: process.env,
      log: () => undefined,
    });
    const { seed } = transport.createLooseKeys();
    await expect(
      transport.requestJoin({ host: HOST, port, certificate }, { id: 'i', seed }, '{}', new AbortController().signal),
    ).rejects.toThrow();
    expect(heard).toEqual([]);
    impostor.close();
  });

  it('[T28] the hub listens only on the address that the operator gave', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .flatMap(({ address, family }) => (family === 'IPv4' ? [address] : []));
    for (const address of ['127.0.0.1', ...others])
      await expect(greeting(address, fleet.port), address).rejects.toThrow('ECONNREFUSED');
  });

  it('[T28] Baton creates no hub on 0.0.0.0 or on an address that this machine does not have', async () => {
    const other = await fleet.start('other', {});
    for (const host of ['192.0.2.1', '0.0.0.0']) {
      const { status, body } = await other.call('POST', '/api/fleet/hub', { name: 'other', address: `${host}:7422` });
      expect({ status, error: body.error }).toEqual({
        status: 400,
        error: `${host} is not an address of this machine, so the hub cannot listen there`,
      });
    }
    expect((await other.get<FleetStatus>('/api/fleet')).machine).toBeNull();
  });

  it('[T28] a hub on an address other than 127.0.0.1 does not start without TLS', async () => {
    const server = createHubServer(mkdtempSync(join(tmpdir(), 'bt-')), process.env);
    const address = { host: HOST, port: fleet.port, certificate: null };
    await expect(server.apply(address, [])).rejects.toThrow('without TLS');
  });
});

/** Reads the first line that nats-server sends. This line comes before TLS begins. */
async function greeting(host: string, port: number): Promise<Readonly<Record<string, unknown>>> {
  const socket = connectTcp({ host, port });
  try {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return JSON.parse(chunk.toString().replace(/^INFO /, '')) as Record<string, unknown>;
  } finally {
    socket.destroy();
  }
}

/** Makes a TLS connection that trusts only the given certificate. Returns the reason if the connection fails. */
async function handshake(port: number, certificate: string): Promise<string> {
  const socket = connectTcp({ host: HOST, port });
  await once(socket, 'data');
  const secure = connectTls({ socket, ca: certificate, host: HOST });
  try {
    await once(secure, 'secureConnect');
    return 'secure';
  } catch (error) {
    return (error as Error).message;
  } finally {
    secure.destroy();
  }
}
