import type { VersionStanding } from '../../../app/ports/agent-runtime.ts';
import { isSince } from './client-version.ts';

/** Versions with which Baton's own checks of the real client were run (docs/reliability/how-we-prove.md). */
const TRIED = ['2.0.42', '2.0.77', '2.1.50', '2.1.76', '2.1.88', '2.1.100', '2.1.200', '2.1.325'] as const;

/**
 * Baton cannot work with older versions, because they have another composer and their sessions accept no text from
 * hooks.
 */
const OLDEST = '2.0.0';

/** Says whether Baton was tried with this version of Claude Code. An untried version gets no check mark. */
export function versionStandingOf(version: string | undefined): VersionStanding {
  if (version === undefined) return { version: null, standing: 'unknown', sentence: 'unknown version' };
  if (!isSince(version, OLDEST))
    return {
      version,
      standing: 'unsupported',
      sentence: `${version} does not work with Baton: it needs ${OLDEST} or newer`,
    };
  if (TRIED.some((each) => each === version)) return { version, standing: 'tried', sentence: `${version}, tested` };
  const line = (each: string): string => each.split('.').slice(0, 2).join('.');
  const near = TRIED.filter((each) => line(each) === line(version)).findLast((each) => isSince(version, each));
  return near === undefined
    ? {
        version,
        standing: 'untried',
        sentence: `${version}, not tested with Baton (the latest tested version is ${TRIED.at(-1)})`,
      }
    : { version, standing: 'near', sentence: `${version}, not tested itself, but ${near} was` };
}
