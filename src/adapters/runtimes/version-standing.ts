import type { VersionStanding } from '../../app/ports/agent-runtime.ts';
import { isSince } from './client-version.ts';

export interface KnownVersions {
  /** Versions with which Baton's own checks of the real client were run (docs/reliability/how-we-prove.md). */
  readonly tried: readonly string[];
  /** The oldest version that Baton supports. */
  readonly oldest: string;
}

/**
 * Returns whether Baton was tested with this version of a client or with a similar version. The page shows a note about
 * every version that was not tested.
 */
export function versionStandingOf(version: string | undefined, { tried, oldest }: KnownVersions): VersionStanding {
  if (version === undefined) return { version: null, standing: 'unknown', sentence: 'unknown version' };
  if (!isSince(version, oldest))
    return {
      version,
      standing: 'unsupported',
      sentence: `${version} does not work with Baton, which needs ${oldest} or newer`,
    };
  if (tried.includes(version)) return { version, standing: 'tried', sentence: `${version}, tested` };
  const line = (each: string): string => each.split('.').slice(0, 2).join('.');
  const near = tried.filter((each) => line(each) === line(version)).findLast((each) => isSince(version, each));
  return near === undefined
    ? {
        version,
        standing: 'untried',
        sentence: `${version}, not tested with Baton (the latest tested version is ${tried.at(-1)})`,
      }
    : {
        version,
        standing: 'near',
        sentence: `${version}, not tested with Baton, but the similar version ${near} was tested`,
      };
}
