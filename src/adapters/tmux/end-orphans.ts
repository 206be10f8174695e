import type { ControlClient } from './connection/control-client.ts';

/**
 * Ends control clients whose Baton was killed. Such a client hangs forever if its Baton is killed while the client
 * reads an answer (13 of 90 times under load on tmux 3.3a). While the client hangs, the tmux server does not end after
 * kill-server. Baton writes its own pid into the TERM of its clients, because tmux reports no other value that Baton
 * can choose.
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
