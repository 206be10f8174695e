import type { PaneIdentity, Panes, Screen, Terminal } from '../../app/ports/terminal.ts';
import { answer } from './answer.ts';
import { attachCommand } from './attach-command.ts';
import { createChangeSignal } from './change-signal.ts';
import { deliver } from './deliver.ts';
import { interrupt } from './interrupt.ts';
import { launch } from './launch.ts';
import { listPanes } from './list-panes.ts';
import { createPaneAccess } from './pane-access.ts';
import { createPaneLock } from './pane-lock.ts';
import { environmentOutsideTmux } from './run-tmux.ts';
import type { Sabotage } from './sabotage.ts';
import { createServerLink } from './server-link.ts';
import type { TmuxLog } from './tmux-log.ts';
import { createTmuxSession } from './tmux-session.ts';

const lockKey = ({ serverPid, serverStartedAt, paneId }: PaneIdentity): string =>
  `${serverPid}.${serverStartedAt}.${paneId}`;

export interface TmuxTerminalOptions {
  /** At most 100 bytes, without `#` and control characters. */
  readonly socketPath: string;
  /** Written at every start of the server. */
  readonly configPath: string;
  readonly tmuxBinary?: string;
  readonly commandTimeoutMs?: number;
  /** What a server started by us, and so every agent, inherits. */
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: TmuxLog;
  /** For the bench alone. */
  readonly sabotage?: Sabotage;
}

export function createTmuxTerminal(options: TmuxTerminalOptions): Terminal {
  const { socketPath, configPath, tmuxBinary = 'tmux', commandTimeoutMs = 5000, log = () => undefined } = options;
  const env = environmentOutsideTmux(options.env ?? process.env);
  const program = { binary: tmuxBinary, env, timeoutMs: commandTimeoutMs };
  const changes = createChangeSignal();
  const { onNotice, onExit } = changes;
  const link = createServerLink({ socketPath, configPath, program, onNotice, onExit });
  const session = createTmuxSession(link);
  const lock = createPaneLock();

  async function connect(): Promise<void> {
    await link.open('start');
  }

  async function capture(pane: PaneIdentity): Promise<Screen | undefined> {
    const look = await createPaneAccess(session, pane).look();
    return look.here ? look.screen : undefined;
  }

  async function list(): Promise<Panes> {
    return listPanes(session);
  }

  async function close(): Promise<void> {
    changes.stop();
    await link.close();
  }

  return {
    connect,
    launch: async (request) => launch(session, request),
    list,
    capture,
    picture: async (pane) => createPaneAccess(session, pane).picture(),
    deliver: async (pane, delivery) => {
      const access = createPaneAccess(session, pane, options.sabotage);
      return lock.run(lockKey(pane), () => deliver(access, delivery, log));
    },
    pressAnswer: async (pane, request) =>
      lock.run(lockKey(pane), () => answer(createPaneAccess(session, pane), request, log)),
    interrupt: async (pane, request) =>
      lock.run(lockKey(pane), () => interrupt(createPaneAccess(session, pane), request)),
    end: async (pane) => createPaneAccess(session, pane).end(),
    onChange: (listener) => changes.listen(listener),
    attachCommand: (sessionName) => attachCommand(tmuxBinary, socketPath, sessionName),
    close,
  };
}
