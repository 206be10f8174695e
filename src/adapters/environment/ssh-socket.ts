import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../domain/environment/variable.ts';

/** Usual places of the ssh-agent socket in XDG_RUNTIME_DIR, for GNOME, the GNOME keyring, OpenSSH and systemd units. */
const USUAL = ['gcr/ssh', 'keyring/ssh', 'openssh_agent', 'ssh-agent.socket', 'ssh-agent'];

/**
 * Returns another SSH agent socket if there is none at the path `named`, for example because the terminal that created
 * it was closed. Returns undefined if `named` is a socket or undefined, or if no other socket exists.
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
