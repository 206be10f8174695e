import { realpathSync } from 'node:fs';
import type { Inspection, PaneIdentity, Panes, Place, Screen, Terminal } from '../../app/ports/terminal.ts';
import { attachCommand, attachToPane } from './attach-command.ts';
import { createChangeSignal } from './connection/change-signal.ts';
import { environmentOutsideTmux } from './connection/run-tmux.ts';
import { createServerLink } from './connection/server-link.ts';
import { TerminalFault } from './connection/terminal-fault.ts';
import type { TmuxLog } from './connection/tmux-log.ts';
import { endProcess } from './end-process.ts';
import { createExternalTmux } from './external-tmux.ts';
import { inspect } from './inspect.ts';
import { awaitProgramEnd, launch } from './launch.ts';
import { listPanes } from './list-panes.ts';
import { createTmuxSession, type TmuxSession } from './tmux-session.ts';
import { answer } from './typing/answer.ts';
import { deliver } from './typing/deliver.ts';
import { interrupt } from './typing/interrupt.ts';
import { createPaneAccess, type PaneAccess } from './typing/pane-access.ts';
import { createPaneLock } from './typing/pane-lock.ts';
import type { Sabotage } from './typing/sabotage.ts';

const lockKey = ({ serverPid, serverStartedAt, paneId, outside }: PaneIdentity): string =>
  `${outside?.socket ?? ''}.${serverPid}.${serverStartedAt}.${paneId}`;

export interface TmuxTerminalOptions {
  /** The path of the socket of Baton's tmux server: at most 100 bytes, without `#` and control characters. */
  readonly socketPath: string;
  /** The tmux config file. Baton writes this file before each start of its tmux server. */
  readonly configPath: string;
  /** The file with the operator's own tmux options. The file may be missing. */
  readonly ownConfigPath?: string;
  readonly tmuxBinary?: string;
  readonly commandTimeoutMs?: number;
  /** How long Baton watches a launched program, to notice that the program exits right after its start. */
  readonly watchLaunchMs?: number;
  /** The environment of a tmux server that Baton starts, and therefore of every agent. */
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: TmuxLog;
  /** Set only by a benchmark: faults that the benchmark causes on purpose, to show that it detects such faults. */
  readonly sabotage?: Sabotage;
}

export function createTmuxTerminal(options: TmuxTerminalOptions): Terminal {
  const { socketPath, configPath, tmuxBinary = 'tmux', commandTimeoutMs = 5000, log = () => undefined } = options;
  const env = environmentOutsideTmux(options.env ?? process.env);
  const program = { binary: tmuxBinary, env, timeoutMs: commandTimeoutMs };
  const changes = createChangeSignal();
  const { onNotice, onExit } = changes;
  const link = createServerLink({
    socketPath,
    configPath,
    ownConfigPath: options.ownConfigPath,
    program,
    onNotice,
    onExit,
  });
  const session = createTmuxSession(link);
  const lock = createPaneLock();

  /**
   * Returns the access to the tmux server with this socket. The right server must be chosen before a pane id is used,
   * because different servers use the same pane id for different panes.
   */
  const sessionAt = (socket: string | undefined): TmuxSession =>
    socket === undefined ? session : createExternalTmux(program, socket);
  const accessTo = (pane: PaneIdentity, sabotage?: Sabotage): PaneAccess =>
    createPaneAccess(sessionAt(pane.outside?.socket), pane, sabotage);

  async function connect(): Promise<void> {
    await link.open('start');
  }

  async function capture(pane: PaneIdentity): Promise<Screen | undefined> {
    const look = await accessTo(pane).look();
    return look.here ? look.screen : undefined;
  }

  async function list(socket?: string): Promise<Panes> {
    return listPanes(sessionAt(socket));
  }

  async function inspectPlace(place: Place): Promise<Inspection> {
    if (isSameFile(place.socket, socketPath))
      return { found: 'own_server', detail: "the pane of the session is in Baton's own tmux" };
    const nobody = { serverPid: 0, serverStartedAt: 0, paneId: place.paneId, panePid: 0, tag: '' };
    return inspect(createPaneAccess(sessionAt(place.socket), nobody), place);
  }

  /**
   * Ends a pane. In the operator's own pane, ends only the agent's process, because the shell in that pane belongs to
   * the operator.
   */
  async function end(pane: PaneIdentity): Promise<void> {
    if (pane.outside === undefined) return accessTo(pane).end();
    await endProcess(pane.outside);
  }

  function outsideOnly(pane: PaneIdentity): PaneAccess {
    if (pane.outside === undefined)
      throw new TerminalFault('invalid', 'claim', pane.paneId, "this pane is in Baton's own tmux");
    return accessTo(pane);
  }

  async function close(): Promise<void> {
    changes.stop();
    await link.close();
  }

  return {
    connect,
    launch: async (request) => launch(session, request, { forMs: options.watchLaunchMs, onEarlyEnd: changes.signal }),
    list,
    programEnd: async (pane) => awaitProgramEnd(accessTo(pane), pane),
    closeAtExit: async (pane) => accessTo(pane).closeAtExit(),
    capture,
    picture: async (pane) => accessTo(pane).picture(),
    deliver: async (pane, delivery) => {
      const access = accessTo(pane, options.sabotage);
      return lock.run(lockKey(pane), () => deliver(access, delivery, log));
    },
    pressAnswer: async (pane, request) => lock.run(lockKey(pane), () => answer(accessTo(pane), request, log)),
    interrupt: async (pane, request) => lock.run(lockKey(pane), () => interrupt(accessTo(pane), request)),
    end,
    inspect: inspectPlace,
    claim: async (pane) => outsideOnly(pane).claim(),
    release: async (pane) => outsideOnly(pane).release(),
    onChange: (listener) => changes.listen(listener),
    attachCommand: (sessionName, pane) =>
      pane?.outside === undefined
        ? attachCommand(tmuxBinary, socketPath, sessionName)
        : attachToPane(tmuxBinary, pane.outside.socket, pane.paneId),
    close,
  };
}

/**
 * Resolves both paths before comparing them, because a path of a socket may be a symbolic link to Baton's own socket.
 */
function isSameFile(one: string, other: string): boolean {
  const real = (path: string): string => {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  };
  return real(one) === real(other);
}
