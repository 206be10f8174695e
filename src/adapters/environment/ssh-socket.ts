import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../domain/environment/variable.ts';

/** Usual sockets in XDG_RUNTIME_DIR: GNOME, the keyring, OpenSSH's and systemd's own units. */
const USUAL = ['gcr/ssh', 'keyring/ssh', 'openssh_agent', 'ssh-agent.socket', 'ssh-agent'];

/**
 * A long-running service may name the socket of a terminal that was closed since. Finds another socket that exists;
 * undefined if the named one exists, if none is named, or if there is no other.
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
