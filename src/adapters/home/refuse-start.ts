import { lstatSync } from 'node:fs';
import { isIP } from 'node:net';
import { HomeFault } from './home-fault.ts';
import { refuseUnsafeFolder, refuseUnusablePath } from './open-home.ts';

/**
 * Throws HomeFault if Baton cannot start on this home. Changes no files. `baton start` and `baton doctor` both call
 * this function.
 */
export function refuseStart(homePath: string, env: NodeJS.ProcessEnv): void {
  refuseOtherInterfaces(env.HOST);
  refuseUnusablePath(homePath);
  if (lstatSync(homePath, { throwIfNoEntry: false }) !== undefined) refuseUnsafeFolder(homePath);
}

/**
 * Throws HomeFault if HOST is an address other than loopback, because Baton listens only on loopback. Ignores a HOST
 * that is a name, because some shells export HOST with the machine's name.
 */
function refuseOtherInterfaces(host: string | undefined): void {
  if (host === undefined || isIP(host) === 0 || host === '127.0.0.1' || host === '::1') return;
  throw new HomeFault(
    `The environment variable HOST is ${host}, but Baton listens on loopback only. Unset HOST; to reach Baton from another machine, see docs/REACH.md.`,
  );
}
