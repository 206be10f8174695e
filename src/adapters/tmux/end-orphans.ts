import type { ControlClient } from './connection/control-client.ts';

/**
 * A control client whose Baton was killed while it read an answer hangs forever (3.3a: 13 of 90 under load), and keeps
 * the server from ending after kill-server. Its TERM, the one free word that a client reports about itself, names the
 * Baton that it belongs to.
 */
export const ownTerm = (): string => `baton-${process.pid}`;

export async function endOrphans(client: ControlClient, session: string): Promise<void> {
  const line = `list-clients -t '=${session}' -F '#{client_pid} #{client_termname}'`;
  const blocks = await client.request({ operation: 'list-clients', target: session, line });
  for (const text of blocks.flatMap(({ lines }) => lines)) {
    const [, pid, owner] = /^(\d+) baton-(\d+)$/.exec(text) ?? [];
    if (owner !== undefined && !isThere(Number(owner), 0)) isThere(Number(pid), 'SIGKILL');
  }
}

function isThere(pid: number, signal: 0 | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
