import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

declare module 'vitest' {
  interface TaskMeta {
    /** The requirement that this machine lacks, as skipped-reporter.ts prints it. */
    missing?: string;
  }
}

/** A requirement of a test: the name of a program on the PATH, or another condition with a description. */
export type Need = string | { readonly what: string; readonly isThere: boolean };

/**
 * Returns options for a test or describe that has requirements, for example `it('…', needs('zsh'), …)`. On a machine
 * that lacks a requirement, the tests are skipped, and the summary of the run names the requirement.
 */
export function needs(...all: readonly Need[]): { skip?: boolean; meta?: { missing: string } } {
  const missing = all.flatMap((need) => {
    if (typeof need === 'string') return isInstalled(need) ? [] : `${need} (not installed)`;
    return need.isThere ? [] : need.what;
  });
  return missing.length === 0 ? {} : { skip: true, meta: { missing: missing.join(' and ') } };
}

export const LINUX: Need = { what: 'Linux', isThere: process.platform === 'linux' };
export const ROOT_ACCOUNT: Need = { what: 'the root account', isThere: process.getuid?.() === 0 };
export const OTHER_THAN_ROOT: Need = { what: 'an account other than root', isThere: process.getuid?.() !== 0 };

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder || '.', program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
