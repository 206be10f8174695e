import type { KnownVersions } from '../version-standing.ts';

export const KNOWN_VERSIONS: KnownVersions = {
  tried: ['1.15.13', '1.17.19', '1.18.33'],
  // Versions before 1.15.13 were not tried. Perhaps their API refuses messages with an id that Baton chose.
  oldest: '1.0.0',
};
