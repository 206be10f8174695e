import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHubServer, findServer } from '../../../src/adapters/fleet/hub-server.ts';
import type { HubAddress } from '../../../src/app/ports/fleet/fleet-link.ts';
import { needs } from '../../support/needs.ts';

const NATS_SERVER = { what: 'nats-server (not installed)', isThere: findServer(process.env) !== undefined };

/**
 * A fake nats-server that behaves as if its port is in use: it writes its process id and exits with an error. The fake
 * exits only after Baton has tried to connect, so that the two events always have the same order.
 */
const FAILING_SERVER = `#!/bin/sh
[ "$1" = --version ] && { echo "nats-server: v2.9.10"; exit; }
echo $$ > "$(sed -n 's/^pid_file: "\\(.*\\)"$/\\1/p' "$2")"
while [ ! -e "\${0%/*}/asked" ]; do sleep 0.02; done
exit 1
`;

describe('a hub whose port another program uses', () => {
  const after: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of after.splice(0).reverse()) await end();
  });

  /** Starts a server that occupies a port, as another program would. The server calls `answer` for each connection. */
  const occupy = async (answer: (socket: Socket) => unknown): Promise<{ other: Server; hub: HubAddress }> => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      after.push(() => socket.destroy());
      answer(socket);
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    after.push(() => other.close());
    return { other, hub: { host: '127.0.0.1', port: (other.address() as AddressInfo).port, certificate: null } };
  };
  const createServerIn = (folder: string, env = process.env) => {
    const server = createHubServer(folder, env);
    after.push(() => server.remove());
    return server;
  };

  it.each<[string, (socket: Socket) => unknown]>([
    ['closes each connection at once', (socket) => socket.end()],
    ['resets each connection', (socket) => socket.resetAndDestroy()],
    ['says nothing', () => undefined],
    ['answers as another server', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
  ])('the start of the hub fails if another program on its port %s', async (_, answer) => {
    const programs = mkdtempSync(join(tmpdir(), 'bt-programs-'));
    writeFileSync(join(programs, 'nats-server'), FAILING_SERVER, { mode: 0o755 });
    const { hub } = await occupy((socket) => {
      writeFileSync(join(programs, 'asked'), '');
      answer(socket);
    });
    const folder = mkdtempSync(join(tmpdir(), 'bt-hub-'));
    const server = createServerIn(folder, { ...process.env, PATH: `${programs}:${process.env.PATH}` });
    await expect(server.apply(hub, [])).rejects.toThrow('nats-server did not start');
    await expect(server.ensureRunning()).rejects.toThrow('nats-server did not start');
  });

  it(
    "when the hub's port becomes free, two simultaneous attempts to start the hub start only one server",
    needs(NATS_SERVER),
    async () => {
      const { hub, other } = await occupy((socket) => socket.end());
      const folder = mkdtempSync(join(tmpdir(), 'bt-hub-'));
      const server = createServerIn(folder);
      await expect(server.apply(hub, [])).rejects.toMatchObject({
        message: `nats-server did not start: another program uses ${hub.host}:${hub.port}`,
        hint: expect.stringContaining(`ss -ltnp 'sport = :${hub.port}'`),
      });
      other.close();
      await once(other, 'close');
      await Promise.all([server.ensureRunning(), server.apply(hub, [])]);
      process.kill(Number(readFileSync(join(folder, 'nats.pid'), 'utf8')), 0);
    },
  );
});
