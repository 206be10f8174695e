import type { KnownVersions } from '../version-standing.ts';

export const KNOWN_VERSIONS: KnownVersions = {
  tried: ['0.150.0', '0.160.1', '0.166.0', '0.169.0'],
  // The oldest version of Codex with which all checks of `npm run e2e:clients -- codex` were run.
  oldest: '0.150.0',
};
