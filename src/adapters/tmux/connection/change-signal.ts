export interface ChangeSignal {
  listen(listener: () => void): void;
  onNotice(line: string): void;
  onExit(): void;
  /** Calls the listeners after a short time. Used for a change that tmux itself does not announce. */
  signal(): void;
  stop(): void;
}

/**
 * Notices of tmux that signal a change. If another session on the server ends, tmux sends `%unlinked-window-close` and
 * `%sessions-changed` (tmux 3.3a).
 */
const TELLING = new Set([
  '%sessions-changed',
  '%session-renamed',
  '%session-window-changed',
  '%window-add',
  '%window-close',
  '%unlinked-window-add',
  '%unlinked-window-close',
  '%exit',
]);

/**
 * The time in which several notices of tmux count as one change. tmux announces one change by several notices, which
 * arrive together.
 */
const COALESCE_MS = 2;

export function createChangeSignal(): ChangeSignal {
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function fire(): void {
    timer = undefined;
    for (const listener of listeners) listener();
  }

  function signal(): void {
    if (!stopped) timer ??= setTimeout(fire, COALESCE_MS);
  }

  return {
    listen: (listener) => {
      listeners.push(listener);
    },
    onNotice: (line) => {
      if (TELLING.has(line.split(' ', 1)[0] ?? '')) signal();
    },
    onExit: signal,
    signal,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
