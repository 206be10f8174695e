import { createHmac, randomUUID } from 'node:crypto';
import { chmodSync, realpathSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAgentEnvironment } from '../adapters/environment/create-agent-environment.ts';
import { createAgentFiles } from '../adapters/files/agent-files.ts';
import { sweepEnvironments } from '../adapters/files/launch-environment.ts';
import { createPackageFiles } from '../adapters/files/package-files.ts';
import { createWording } from '../adapters/files/texts/wording.ts';
import { writeWholeFile } from '../adapters/files/write-whole-file.ts';
import { createProjectFacts } from '../adapters/git/create-project-facts.ts';
import { createWorktrees } from '../adapters/git/create-worktrees.ts';
import { firstCommit } from '../adapters/git/first-commit.ts';
import { createFileLog } from '../adapters/home/file-log.ts';
import { HomeFault } from '../adapters/home/home-fault.ts';
import { watchHome } from '../adapters/home/home-identity.ts';
import { type Home, openHome, WORKTREES } from '../adapters/home/open-home.ts';
import { takePathLock } from '../adapters/home/path-lock.ts';
import { readConfig } from '../adapters/home/read-config.ts';
import { refuseStart } from '../adapters/home/refuse-start.ts';
import { readOrMakeSecret } from '../adapters/home/secret-file.ts';
import { takeServerLock } from '../adapters/home/server-lock.ts';
import { openSettingsFile } from '../adapters/home/settings-file.ts';
import { sweepLeftovers } from '../adapters/home/sweep-leftovers.ts';
import { writeShim } from '../adapters/home/write-shim.ts';
import { finishRestore } from '../adapters/maintenance/swap-in.ts';
import { createNotifier } from '../adapters/notify/create-notifier.ts';
import { createRuntimes } from '../adapters/runtimes/runtimes.ts';
import { openSpool } from '../adapters/spool/spool-folder.ts';
import { openSqliteStore } from '../adapters/stores/sqlite/sqlite-store.ts';
import { processChain } from '../adapters/system/agent-above.ts';
import { readBootId } from '../adapters/system/boot-id.ts';
import { crashPoint, typingPoint } from '../adapters/system/crash-point.ts';
import { diskRoom } from '../adapters/system/disk-room.ts';
import { processStartedMs } from '../adapters/system/process-started.ts';
import { processesIn } from '../adapters/system/processes-in.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemRandom } from '../adapters/system/system-random.ts';
import { createTmuxTerminal } from '../adapters/tmux/create-tmux-terminal.ts';
import { ownsForeground, processMark } from '../adapters/tmux/foreground.ts';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { createDemo } from '../app/agents/start-demo.ts';
import { createEngine } from '../app/engine/engine.ts';
import { errorMessage } from '../app/error-message.ts';
import { createFleetControl } from '../app/fleet/fleet-control.ts';
import type { Ports } from '../app/ports/index.ts';
import { createKnownSecrets, secretsIn } from '../app/settings/known-secrets.ts';
import { terminalEnvironment } from '../domain/environment/terminal-environment.ts';
import { withoutNpm } from '../domain/environment/without-npm.ts';
import { createFleetViews } from '../surfaces/http/fleet/fleet-views.ts';
import { createRemoteCalls } from '../surfaces/http/fleet/remote-calls.ts';
import { createHttpServer } from '../surfaces/http/server/create-server.ts';
import { addressesOf } from '../surfaces/http/server/guard.ts';
import type { HttpDeps } from '../surfaces/http/server/route.ts';
import { ROUTES } from '../surfaces/http/server/routes.ts';
import { createLogins } from '../surfaces/http/sessions/logins.ts';
import { finishPurge } from './maintenance/purge-home.ts';
import { VERSION } from './version.ts';
import { workflowFiles } from './workflow-file.ts';

export interface RunningServer {
  readonly port: number;
  /** Returns an address with which a page can log in only once. */
  readonly loginAddress: () => string;
  readonly stop: () => Promise<void>;
  /** Resolves when a request to the API asks the server to stop. */
  readonly stopRequested: Promise<void>;
}

/**
 * The composition root. Only this function knows all parts of the server. It connects the parts and contains no logic.
 */
export async function startServer(homePath: string, self: readonly string[]): Promise<RunningServer> {
  process.umask(0o077);
  refuseStart(homePath, process.env);
  // Lock the path before `openHome`, which creates a missing home. Without this lock, a second server could start at
  // the old path after the home of a running server was moved.
  const unlockPath = takePathLock(homePath);
  const home = openHome(homePath);
  const unlockInside = takeServerLock(home.lock);
  const unlock = (): void => {
    unlockPath();
    unlockInside();
  };
  finishRestore(home.path);
  const config = readConfig(home.config);
  const operatorToken = readOrMakeSecret(home.token, () => systemRandom.token(40));
  const secret = readOrMakeSecret(home.secret, () => systemRandom.token(40));
  writeShim(home.bin, self, home.path);

  const secrets = createKnownSecrets();
  secrets.learn([
    { name: 'token of the operator', value: operatorToken },
    { name: 'secret of Baton', value: secret },
    ...secretsIn(process.env),
    ...[config.notifications.ntfy, config.notifications.webhook].flatMap((value) =>
      value === undefined ? [] : [{ name: 'address for notifications', value }],
    ),
  ]);
  const log = createFileLog(home.log, secrets.redact);
  const checkpoint = crashPoint(process.env.BATON_CRASH_AT);
  const store = openSqliteStore(home.database, randomUUID, checkpoint);
  finishPurge({ home, checkpoint });
  const terminal = createTmuxTerminal({
    socketPath: home.tmuxSocket,
    configPath: home.tmuxConfig,
    ownConfigPath: home.ownTmuxConfig,
    env: terminalEnvironment(withoutNpm(process.env)),
    log: (message, { delivery = '' }) => {
      log.info(message);
      checkpoint(typingPoint(message, String(delivery)));
    },
  });
  const spool = openSpool({
    folder: home.spool,
    scriptPath: join(home.bin, 'baton-hook'),
    externalSessionScriptPath: home.externalSessionScript,
    adoptedScriptPath: home.adoptedScript,
    adoptedFolder: home.adopted,
    onProblem: (sentence) => log.warn(sentence),
  });
  const operatorSettings = openSettingsFile({
    path: home.config,
    config,
    write: (path, content) => writeWholeFile(path, content, 0o600, checkpoint),
  });
  const environment = createAgentEnvironment({
    server: process.env,
    shell: process.env.SHELL || userInfo().shell || '/bin/sh',
    config: () => readConfig(home.config),
    learn: (found) => secrets.learn(secretsIn(found)),
  });
  const learnt = (value: string): string => {
    secrets.learn([{ name: 'token of an agent', value }]);
    return value;
  };
  let port = config.port;
  /**
   * Returns the address of the page at `host`, which must be an allowed host name. If `host` is undefined, returns the
   * address that works only on this machine.
   */
  const pageAddress = (host?: string): string => (host === undefined ? `http://127.0.0.1:${port}` : `https://${host}`);
  const ports: Ports = {
    store,
    terminal,
    spool,
    log,
    runtimes: createRuntimes(
      { practice: fileURLToPath(new URL('../practice/main.js', import.meta.url)) },
      environment.live,
    ),
    files: createAgentFiles(home, checkpoint),
    environment,
    projects: createProjectFacts({ env: process.env }),
    worktrees: createWorktrees({ env: process.env, folder: join(realpathSync(home.path), WORKTREES) }),
    packageFiles: createPackageFiles(home.path, checkpoint),
    workflows: workflowFiles,
    notifier: createNotifier({
      channels: () => operatorSettings.current().notifications,
      pageAddress: () => pageAddress(config.allowedHosts[0]),
      env: process.env,
    }),
    wording: createWording(home.path),
    operatorSettings,
    secrets,
    clock: systemClock,
    chance: systemRandom,
    agentToken: (sessionUuid) => learnt(createHmac('sha256', secret).update(sessionUuid).digest('hex')),
    ownsTerminal: (pid) => ownsForeground(pid),
    processMark: (pid) => processMark(pid),
    ancestorsOf: (pid) => processChain(pid).slice(1),
    processStartedMs: (pid) => processStartedMs(pid),
    processesIn: (folder) => processesIn(folder),
    diskRoom: () => diskRoom(home.path),
    homeProblem: watchHome(home.path),
    bootId: readBootId(process.env),
    beginRepository: (folder) => firstCommit(folder, process.env),
    settings: {
      deadlines: config.deadlines,
      packageTimers: config.packageTimers,
      packageArchive: config.packageArchive,
      reconcileEveryMs: config.reconcileEveryMs,
      receiptMs: config.receiptMs,
      instance: randomUUID(),
      version: VERSION,
    },
    checkpoint,
  };

  for (const { sessionUuid } of store.read((tx) => tx.liveAgents())) ports.agentToken(sessionUuid);
  void sweepEnvironments(home.agents);
  void sweepLeftovers(home);
  // Start reading the environment of the login shell now, so that the first agent need not wait for it.
  void environment.refresh();
  const engine = createEngine(ports);
  const demo = createDemo(ports);
  const logins = createLogins(ports);
  let requestStop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  const loginAddress = (code: string, host?: string): string => `${pageAddress(host)}/#code=${code}`;
  const deps: HttpDeps = {
    ports,
    homePath: home.path,
    pageFolder: fileURLToPath(new URL('../surfaces/page', import.meta.url)),
    tmuxSocket: home.tmuxSocket,
    logins,
    demo,
    loginAddress,
    allowedHosts: config.allowedHosts,
    healthProblems: engine.healthProblems,
    rebuildPackages: engine.rebuildPackages,
    // Stop the server only after it has answered the request to stop, because the stop closes the connection.
    stopServer: () => void setImmediate(requestStop),
    parseYaml: parseStrictYaml,
    fleet: createFleetControl({
      ports,
      // Load the transport only if this Baton is in a fleet, because no other Baton needs it.
      loadTransport: async () =>
        (await import('../adapters/fleet/nats-transport.ts')).createNatsTransport({
          folder: home.fleet,
          env: process.env,
          log: (message) => log.info(message),
        }),
      views: createFleetViews(() => deps),
      calls: createRemoteCalls(() => deps, ROUTES),
      takesCommands: () => readConfig(home.config).fleet.takesCommands,
      heartbeatMs: config.fleet.reportEveryMs,
    }),
  };
  const http = createHttpServer(deps, operatorToken);

  const tcp = http.listener(() => addressesOf(port, config.allowedHosts));
  const socket = http.socketListener();
  const stop = async (): Promise<void> => {
    http.refuseRequests();
    demo.stop();
    await deps.fleet.stop();
    http.closeStreams();
    await engine.stop();
    await http.answerOpenRequests();
    spool.close();
    await terminal.close();
    // Close the listening sockets only now. Until here, a stopping Baton answers each request with 503, and it needs
    // the store for this answer. `baton stop` reports the end once no server answers, and `baton start` must succeed
    // directly after that.
    for (const server of [tcp, socket]) {
      server.close();
      server.closeAllConnections();
    }
    store.close();
    unlock();
  };

  try {
    port = await listenOnLoopback(tcp, config.port);
    await engine.start();
    await listenOnSocket(socket, home);
    void deps.fleet.start().catch((error: unknown) => log.error(`the fleet did not start: ${errorMessage(error)}`));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    loginAddress: () => loginAddress(logins.newCode()),
    stop,
    stopRequested,
  };
}

function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken
          ? new HomeFault(
              `Port ${port} is in use by another program. Set another "port" in config.json (0 means any free port).`,
            )
          : error,
      );
    });
    // Listen only on loopback; no setting changes this. Other machines connect through a tunnel that the operator
    // provides.
    server.listen({ host: '127.0.0.1', port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * Listens on the socket. Removes an existing socket file first: the caller holds the lock of the home, so such a file
 * belongs to a dead server.
 */
function listenOnSocket(server: Server, home: Home): Promise<void> {
  rmSync(home.apiSocket, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(home.apiSocket, () => {
      chmodSync(home.apiSocket, 0o600);
      resolve();
    });
  });
}
