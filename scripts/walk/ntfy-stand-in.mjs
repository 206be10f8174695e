import { once } from 'node:events';
import { createServer } from 'node:http';

/** @typedef {{ path: string, headers: import('node:http').IncomingHttpHeaders, body: string }} Received */

/** Stands in for ntfy and for a webhook: an HTTP server on loopback that stores all requests. */
export async function startNtfyStandIn() {
  /** @type {Received[]} */
  const received = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}`,
    received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
