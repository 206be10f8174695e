export interface ChangeSignal {
  listen(listener: () => void): void;
  onNotice(line: string): void;
  onExit(): void;
  stop(): void;
}

/** The end of another session on the server is announced by `%unlinked-window-close` and `%sessions-changed` (3.3a). */
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

const COALESCE_MS = 10;

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
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
