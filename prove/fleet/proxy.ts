import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of the hub. It can cut the connections that go through it, and can refuse new ones. */
export interface TcpProxy {
  readonly port: number;
  cut(): void;
  heal(): void;
  close(): void;
}

export function openProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((client) => {
    if (isCut) return void client.destroy();
    const hub = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, hub],
      [hub, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        cut: () => {
          isCut = true;
          drop();
        },
        heal: () => {
          isCut = false;
        },
        close: () => {
          drop();
          server.close();
        },
      });
    });
  });
}
