import type { ControlClient } from './connection/control-client.ts';

/**
 * Baton writes its own pid into the TERM of its control clients, because TERM is the only value of a client that Baton
 * can choose and that tmux reports. With this pid, a later Baton finds and ends the clients of a killed Baton. Such a
 * client may hang and keep the tmux server alive.
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
