import type { ControlClient } from './connection/control-client.ts';

/**
 * A control client hangs forever if its Baton was killed while the client read an answer (3.3a: 13 of 90 under load).
 * The server then does not end after kill-server. TERM names the Baton that a client belongs to, because a client
 * reports no other word that we can choose.
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
