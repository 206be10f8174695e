import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StandIn {
  readonly port: number;
  close(): void;
}

/** Replaces `ssh -L` in tests: forwards all bytes unchanged from another port to the server's port. */
export async function forwardBytes(serverPort: number): Promise<StandIn> {
  const server = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  return listening(server);
}

/**
 * A proxy that replaces Caddy and `tailscale serve`. It speaks TLS with a self-signed certificate to the browser and
 * plain HTTP to the server. It keeps the browser's Host header and adds X-Forwarded headers.
 */
export async function proxyWithTls(serverPort: number): Promise<StandIn> {
  const server = createTlsServer(ownCertificate(), (asked, answer) => {
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
    const passed = request(
      { host: '127.0.0.1', port: serverPort, method: asked.method, path: asked.url, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  return listening(server);
}

function ownCertificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'btc-'));
  writeCertificate(folder);
  const made = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
  rmSync(folder, { recursive: true });
  return made;
}

/** Writes key.pem and cert.pem into the folder. */
export function writeCertificate(folder: string): void {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const about = ['-subj', '/CN=baton.example.test', '-days', '1', '-nodes', '-newkey', 'rsa:2048'];
  execFileSync('openssl', ['req', '-x509', ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' });
}

async function listening(server: Server): Promise<StandIn> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
