import { lstatSync } from 'node:fs';
import { isIP } from 'node:net';
import { HomeFault } from './home-fault.ts';
import { refuseUnsafeFolder, refuseUnusablePath } from './open-home.ts';

/**
 * What keeps Baton from starting on this home, as far as a look can tell. `baton start` and `baton doctor` ask the same.
 * Throws HomeFault.
 */
export function refuseStart(homePath: string, env: NodeJS.ProcessEnv): void {
  refuseOtherInterfaces(env.HOST);
  refuseUnusablePath(homePath);
  if (lstatSync(homePath, { throwIfNoEntry: false }) !== undefined) refuseUnsafeFolder(homePath);
}

/** Who sets it expects it to be obeyed. A name is no wish: some shells put the name of the machine there. */
function refuseOtherInterfaces(host: string | undefined): void {
  if (host === undefined || isIP(host) === 0 || host === '127.0.0.1' || host === '::1') return;
  throw new HomeFault(
    `HOST is ${host}, but Baton listens on loopback only, and nothing can change that. Unset HOST; to reach Baton from elsewhere, see docs/REACH.md.`,
  );
}
