import { spawn, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  type HubAddress,
  type HubServer,
  HubStartFailure,
  type HubUser,
  isPrivate,
} from '../../app/ports/fleet/fleet-link.ts';
import { makeCertificate } from './certificate.ts';
import { permissionsOf } from './subjects.ts';

/**
 * Folders in which Baton looks for nats-server if it is not on the PATH. Debian installs nats-server into a folder that
 * is not on the PATH of ordinary users.
 */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const NEEDED = [2, 9] as const;
/** How long nats-server may take to start before the start counts as failed. */
const START_MS = 15_000;
const POLL_MS = 25;

/** Runs nats-server for the hub. The server is a separate process and keeps running when Baton stops. */
export function createHubServer(folder: string, env: NodeJS.ProcessEnv): HubServer {
  const config = join(folder, 'nats.conf');
  const pidFile = join(folder, 'nats.pid');
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');

  const runningPid = (): number | undefined => {
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').trim()) : 0;
    return pid > 1 && isOurs(pid, config) ? pid : undefined;
  };

  const launch = async (hub: HubAddress): Promise<void> => {
    const program = findServer(env);
    if (program === undefined) throw new HubStartFailure(MISSING, INSTALL);
    rmSync(pidFile, { force: true });
    const logFile = join(folder, 'nats.log');
    const log = openSync(logFile, 'a', 0o600);
    const logged = fstatSync(log).size;
    const child = spawn(program, ['-c', config], { detached: true, stdio: ['ignore', log, log], cwd: folder });
    closeSync(log);
    let failure: string | undefined;
    child.once('error', (error) => {
      failure = error.message;
    });
    child.once('exit', (code) => {
      failure ??= `it ended with ${code}`;
    });
    child.unref();
    const until = performance.now() + START_MS;
    while (performance.now() < until) {
      const isReady = failure === undefined && existsSync(pidFile) && (await answers(hub));
      // Check `failure` even if the port answers: if another program uses the port, nats-server has failed, and that
      // program has answered.
      if (failure !== undefined) throw startFailure(hub, fatalLine(logFile, logged) ?? failure, logFile);
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw startFailure(hub, `it does not answer at ${hub.host}:${hub.port}`, logFile);
  };
  /**
   * The start of nats-server that is in progress. All callers wait for this start. A second start would fail, because
   * the first one already uses the port.
   */
  let starting: Promise<void> | undefined;
  const start = (hub: HubAddress): Promise<void> => {
    starting ??= launch(hub).finally(() => {
      starting = undefined;
    });
    return starting;
  };

  let applied: HubAddress | undefined;
  return {
    whyNot: async () => {
      const program = findServer(env);
      if (program === undefined) return MISSING;
      const [major = 0, minor = 0] = versionOf(program);
      if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return undefined;
      return `nats-server ${major}.${minor} is too old for a hub: Baton needs ${NEEDED.join('.')} or newer`;
    },
    isOwnAddress: async (host) => {
      const found = await lookup(host, { family: 4 }).catch(() => undefined);
      if (found === undefined) return false;
      const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
      return found.address.startsWith('127.') || own.some(({ address }) => address === found.address);
    },
    certificate: async (host) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const made = makeCertificate(host);
      writeFileSync(key, made.key, { mode: 0o600 });
      writeFileSync(certificate, made.certificate, { mode: 0o600 });
      return made.certificate;
    },
    apply: async (hub, users) => {
      if (hub.certificate === null && !isPrivate(hub) && hub.isPlain !== true)
        throw new Error(`Baton does not start a hub at ${hub.host}:${hub.port} without TLS`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const program = findServer(env);
      const tls = hub.certificate === null ? undefined : { certificate, key };
      const text = writeConfig({ hub, users, folder, pidFile, tls, version: program ? versionOf(program) : NEEDED });
      const isChanged = !existsSync(config) || readFileSync(config, 'utf8') !== text;
      if (isChanged) {
        writeFileSync(`${config}.new`, text, { mode: 0o600 });
        renameSync(`${config}.new`, config);
      }
      applied = hub;
      // A nats-server that is running or starting may have read the old list of users, so make it read the list again.
      const mayHaveOldList = starting !== undefined || runningPid() !== undefined;
      if (starting !== undefined || runningPid() === undefined) await start(hub);
      const pid = mayHaveOldList && isChanged ? runningPid() : undefined;
      if (pid !== undefined) process.kill(pid, 'SIGHUP');
    },
    ensureRunning: async () => {
      if (applied === undefined) return;
      if (starting !== undefined || runningPid() === undefined) await start(applied);
    },
    remove: async () => {
      applied = undefined;
      const pid = runningPid();
      if (pid !== undefined) {
        process.kill(pid, 'SIGTERM');
        const until = performance.now() + START_MS;
        while (runningPid() !== undefined && performance.now() < until)
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const MISSING = 'nats-server is not installed, and a hub needs it';
const INSTALL = 'Debian: apt-get install nats-server. macOS: brew install nats-server';

/**
 * Returns the last fatal error in the log of nats-server; undefined if there is none. Skips the first `since` bytes of
 * the log, because earlier starts wrote them.
 */
const fatalLine = (logFile: string, since: number): string | undefined =>
  [
    ...readFileSync(logFile)
      .subarray(since)
      .toString()
      .matchAll(/\[FTL\] (.+)$/gm),
  ].at(-1)?.[1];

function startFailure({ host, port }: HubAddress, why: string, logFile: string): HubStartFailure {
  if (/address already in use/.test(why))
    return new HubStartFailure(
      `nats-server did not start: another program uses ${host}:${port}`,
      `Find that program and end it; Baton then starts the hub by itself. Linux: ss -ltnp 'sport = :${port}'. macOS: lsof -i :${port}`,
    );
  if (/cannot assign requested address/.test(why))
    return new HubStartFailure(
      `nats-server did not start: ${host} is not an address of this machine now`,
      `Give this machine the address ${host} again; Baton then starts the hub by itself.`,
    );
  return new HubStartFailure(`nats-server did not start: ${why}`, `Baton tries again by itself. More is in ${logFile}`);
}

export function findServer(env: NodeJS.ProcessEnv): string | undefined {
  return [...(env.PATH ?? '').split(delimiter), ...MORE_FOLDERS]
    .filter(Boolean)
    .map((folder) => join(folder, 'nats-server'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns the major and minor version of a nats-server. */
function versionOf(program: string): readonly number[] {
  const { stdout = '' } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 5_000 });
  return (/\bv?(\d{1,4})\.(\d{1,4})\b/.exec(stdout)?.slice(1) ?? []).map(Number);
}

/**
 * Returns whether the process with this pid is a nats-server with this configuration. After the end of that server,
 * another program may get the same pid.
 */
function isOurs(pid: number, config: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const { stdout = '' } = spawnSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' });
  // Do not count a zombie: a killed server stays in the process list until its parent has read its exit code.
  return stdout.includes(config) && !stdout.trimStart().startsWith('Z');
}

/**
 * Returns whether a nats-server answers on the port. Unlike other programs, a nats-server greets each connection with
 * INFO.
 */
function answers({ host, port }: HubAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('data', (chunk) => end(chunk.toString('latin1').startsWith('INFO ')));
    // Listen to `close`, too: if a program closes the connection without sending anything, there is no `error` event.
    for (const event of ['error', 'close'] as const) socket.once(event, () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });
}

interface ConfigParts {
  readonly hub: HubAddress;
  readonly users: readonly HubUser[];
  readonly folder: string;
  readonly pidFile: string;
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  readonly version: readonly number[];
}

/** Writes the configuration of nats-server. Every text is quoted as JSON, which nats-server also reads. */
function writeConfig({ hub, users, folder, pidFile, tls, version }: ConfigParts): string {
  const [major = 0, minor = 0] = version;
  const knowsSync = major > 2 || (major === 2 && minor >= 10);
  const lines = [
    '# Written by Baton; changes are overwritten. See: baton fleet status',
    // Listen only on the address that the operator named, so that the hub cannot be reached from other networks.
    `listen: ${JSON.stringify(`${isPrivate(hub) ? '127.0.0.1' : hub.host}:${hub.port}`)}`,
    `pid_file: ${JSON.stringify(pidFile)}`,
    'server_name: "baton-hub"',
    'max_payload: 4194304',
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'data'))}${knowsSync ? ', sync_interval: always' : ''} }`,
    ...(tls === undefined
      ? []
      : [`tls { cert_file: ${JSON.stringify(tls.certificate)}, key_file: ${JSON.stringify(tls.key)}, timeout: 5 }`]),
    'authorization {',
    // Give clients 15 s to log in. The default of nats-server, 2 s, is too short for a client that is busy or on a slow
    // network.
    '  timeout: 15',
    '  users = [',
    ...users.map((user) => `    ${userLine(user)}`),
    '  ]',
    '}',
    '',
  ];
  return lines.join('\n');
}

function userLine(user: HubUser): string {
  const { publish, subscribe } = permissionsOf(user);
  const list = (all: readonly string[]): string => JSON.stringify(all);
  return `{ nkey: ${user.key}, permissions: { publish: { allow: ${list(publish)} }, subscribe: { allow: ${list(subscribe)} }, allow_responses: { max: 1, expires: "1m" } } }`;
}
