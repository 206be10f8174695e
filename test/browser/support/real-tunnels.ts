import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type StandIn, writeCertificate } from './stand-ins.ts';

/** Starts the real programs that docs/REACH.md names, on loopback and with temporary folders, keys and certificates. */

const SSHD = '/usr/sbin/sshd';
const SEPARATION = '/run/sshd';
/** As root, sshd needs a privilege separation folder, which the system creates at boot. */
export const SSH_SERVER = {
  what: `sshd (${SSHD}, for root also ${SEPARATION})`,
  isThere: existsSync(SSHD) && (process.getuid?.() !== 0 || existsSync(SEPARATION)),
};

/** Starts `ssh -N -L` to a temporary sshd. */
export async function throughSsh(serverPort: number): Promise<StandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'bts-'));
  const [door, port] = [await freePort(), await freePort()];
  for (const key of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)]);
  const host = execFileSync('cat', [join(folder, 'host.pub')], { encoding: 'utf8' });
  writeFileSync(join(folder, 'known'), `[127.0.0.1]:${door} ${host}`);
  writeFileSync(
    join(folder, 'config'),
    [
      `ListenAddress 127.0.0.1:${door}`,
      `HostKey ${folder}/host`,
      `AuthorizedKeysFile ${folder}/user.pub`,
      'PidFile none',
      'UsePAM no',
      'StrictModes no',
      'PasswordAuthentication no',
      '',
    ].join('\n'),
  );
  const server = await listeningOn(door, SSHD, ['-D', '-e', '-f', join(folder, 'config')]);
  const forward = ['-N', '-L', `127.0.0.1:${port}:127.0.0.1:${serverPort}`, '-o', 'ExitOnForwardFailure=yes'];
  const options = ['-F', 'none', '-o', 'IdentitiesOnly=yes', '-o', `UserKnownHostsFile=${folder}/known`];
  const to = ['-i', join(folder, 'user'), '-p', String(door), `${userInfo().username}@127.0.0.1`];
  const client = await listeningOn(port, 'ssh', [...options, ...forward, ...to]);
  return standing(port, folder, [client, server]);
}

/**
 * Starts Caddy with the configuration from docs/REACH.md. Further settings limit Caddy to loopback and to a certificate
 * of its own.
 */
export async function throughCaddy(serverPort: number, names: readonly string[]): Promise<StandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'btc-'));
  const port = await freePort();
  const own = `admin off\nskip_install_trust\nauto_https disable_redirects\nstorage file_system ${folder}`;
  const block = `bind 127.0.0.1\ntls internal\nreverse_proxy 127.0.0.1:${serverPort}`;
  const sites = names.map((name) => `${name}:${port} {\n${block}\n}`);
  writeFileSync(join(folder, 'Caddyfile'), `{\n${own}\n}\n${sites.join('\n')}\n`);
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  return standing(port, folder, [await listeningOn(port, 'caddy', args)]);
}

/** Starts nginx with its default settings, which include buffering. */
export async function throughNginx(serverPort: number): Promise<StandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'btn-'));
  const port = await freePort();
  writeCertificate(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  const tls = 'ssl_certificate cert.pem; ssl_certificate_key key.pem;';
  const pass = `location / { proxy_pass http://127.0.0.1:${serverPort}; proxy_set_header Host $http_host; }`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid pid; error_log error.log; events {}
    http { access_log off; ${temporary.join(' ')} server { listen 127.0.0.1:${port} ssl; ${tls} ${pass} } }\n`,
  );
  return standing(port, folder, [await listeningOn(port, 'nginx', ['-p', folder, '-c', 'nginx.conf'])]);
}

function standing(port: number, folder: string, programs: readonly ChildProcess[]): StandIn {
  return {
    port,
    close: () => {
      for (const program of programs) program.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function listeningOn(port: number, program: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk}`.slice(-2_000)));
  child.on('error', (error) => (said += error.message));
  for (let tries = 0; tries < 600; tries += 1) {
    if (await answers(port)) return child;
    if (child.exitCode !== null) break;
    await pause(50);
  }
  child.kill();
  throw new Error(`${program} does not listen: ${said}`);
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
