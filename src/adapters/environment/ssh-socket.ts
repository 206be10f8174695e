import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../domain/environment/variable.ts';

/** Usual places of the ssh-agent socket in XDG_RUNTIME_DIR, for GNOME, the GNOME keyring, OpenSSH and systemd units. */
const USUAL = ['gcr/ssh', 'keyring/ssh', 'openssh_agent', 'ssh-agent.socket', 'ssh-agent'];

/**
 * Returns the path of another SSH agent's socket if there is no socket at the path `named`, for example because the
 * operator closed the terminal that created it. Returns undefined if no other socket is needed or found.
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
