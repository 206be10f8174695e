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
  /** The path of our socket: at most 100 bytes, without `#` and control characters. */
  readonly socketPath: string;
  /** The config file that is written at every start of the server. */
  readonly configPath: string;
  /** The file with the operator's own options, which may be missing. */
  readonly ownConfigPath?: string;
  readonly tmuxBinary?: string;
  readonly commandTimeoutMs?: number;
  /** How long a launched program is watched, to notice if it ends early. */
  readonly watchLaunchMs?: number;
  /** The environment of a server that we start, and so of every agent. */
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: TmuxLog;
  /** Set by the bench only. */
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

  /** The same pane id names different panes on different servers, so choose the server first. */
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
    if (isSameFile(place.socket, socketPath)) return { found: 'own_server', detail: "its pane is in Baton's own tmux" };
    const nobody = { serverPid: 0, serverStartedAt: 0, paneId: place.paneId, panePid: 0, tag: '' };
    return inspect(createPaneAccess(sessionAt(place.socket), nobody), place);
  }

  /** In the operator's own pane, ends only the agent's process, because the shell around it belongs to the operator. */
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
    launch: async (request) => launch(session, request, options.watchLaunchMs),
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

/** Compares resolved paths, because the path may be a link to our own socket. */
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
