import type { KnownVersions } from '../version-standing.ts';

export const KNOWN_VERSIONS: KnownVersions = {
  tried: ['2.0.42', '2.0.77', '2.1.50', '2.1.76', '2.1.88', '2.1.100', '2.1.200', '2.1.325'],
  // The oldest version that Baton supports. Older versions have another composer, and their sessions accept no text
  // from hooks.
  oldest: '2.0.0',
};
