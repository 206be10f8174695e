import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../domain/environment/variable.ts';

/** Usual places of the ssh-agent socket in XDG_RUNTIME_DIR, for GNOME, its keyring, OpenSSH and systemd units. */
const USUAL = ['gcr/ssh', 'keyring/ssh', 'openssh_agent', 'ssh-agent.socket', 'ssh-agent'];

/**
 * Finds a socket to use instead of the named one, which may belong to a terminal that has been closed. Returns
 * undefined if the named socket exists, if none is named, or if there is no other.
 */
export function livingSshSocket(named: string | undefined, server: Environment): string | undefined {
  if (named === undefined || isSocket(named)) return undefined;
  const runtime = server.XDG_RUNTIME_DIR;
  const usual = runtime === undefined ? [] : USUAL.map((name) => join(runtime, name));
  return [server.SSH_AUTH_SOCK ?? '', ...usual].find(isSocket);
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false;
  }
}
