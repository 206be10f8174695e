import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy that lets a test cut the connection between the page and the server. Chromium's own "offline" mode is not
 * enough, because open streams stay alive in that mode.
 */
export interface Link {
  readonly port: number;
  cut(): void;
  mend(): void;
  close(): void;
}

export async function layLink(serverPort: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(serverPort, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    // Replace the proxy's port with the server's port in each request, because the server accepts only its own host and
    // origin.
    near.on('data', (chunk) =>
      far.write(chunk.toString('latin1').replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${serverPort}`), 'latin1'),
    );
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
