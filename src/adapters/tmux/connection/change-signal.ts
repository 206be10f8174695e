export interface ChangeSignal {
  listen(listener: () => void): void;
  onNotice(line: string): void;
  onExit(): void;
  /** Calls the listeners soon. Used for a change that tmux itself does not announce. */
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
 * The shortest time between two calls of the listeners. tmux announces one change by several notices, which arrive
 * together, and one call is enough for all of them.
 */
const APART_MS = 2;

export function createChangeSignal(): ChangeSignal {
  const listeners: (() => void)[] = [];
  let cancel: (() => void) | undefined;
  let calledAt = -Infinity;
  let stopped = false;

  function fire(): void {
    cancel = undefined;
    calledAt = performance.now();
    for (const listener of listeners) listener();
  }

  /**
   * Calls the listeners once all notices that have arrived are read. Waits longer if the last call was a moment ago.
   */
  function signal(): void {
    if (stopped || cancel !== undefined) return;
    if (performance.now() - calledAt >= APART_MS) {
      const next = setImmediate(fire);
      cancel = () => clearImmediate(next);
    } else {
      const timer = setTimeout(fire, APART_MS);
      cancel = () => clearTimeout(timer);
    }
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
      cancel?.();
    },
  };
}
