import { startServer } from './server.ts';

/** The process ends at most this long after the server has stopped. */
const EXIT_MS = 5_000;

/** Runs `baton start` in the foreground until SIGINT, SIGTERM or `baton stop`. Agents keep running after that. */
export async function serve(homePath: string, self: readonly string[], json: boolean): Promise<number> {
  const server = await startServer(homePath, self);
  const open = server.loginAddress();
  process.stdout.write(
    json ? `${JSON.stringify({ status: 'running', home: homePath, open })}\n` : greeting(homePath, open),
  );
  const signaled = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await Promise.race([signaled, server.stopRequested]);
  await server.stop();
  // End the process even if something, such as a connection that does not close, would keep it alive.
  setTimeout(() => process.exit(), EXIT_MS).unref();
  return 0;
}

const greeting = (homePath: string, open: string): string =>
  [
    `Baton is running. Open ${open}`,
    '  (works once, for 60 seconds; for a new one: baton open)',
    `  Command: export PATH="${homePath}/bin:$PATH"   then: baton --help`,
    '  Demo:    baton demo --here   (the practice agent; no API key)',
    '  Stop:    Ctrl-C, or baton stop in another terminal (agents keep running)',
    '',
  ].join('\n');
