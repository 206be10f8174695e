import type { RuleId, Severity } from './rules.ts';

export interface LintFinding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** JSON pointer into the file. */
  readonly pointer: string;
  /** Describes the problem. The message never contains text that may be a secret. */
  readonly message: string;
  /** How to fix the problem. */
  readonly fix: string;
}

/** A violation of the schema. It never contains the invalid value. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly kind: 'unknown_key' | 'missing' | 'wrong';
  readonly message: string;
}

/** A person's statement that an error is accepted, why, and until when. */
export interface Waiver {
  readonly rule: RuleId;
  /** The only place for which the waiver is valid; absent: the waiver covers the whole rule. */
  readonly pointer?: string;
  readonly by: string;
  readonly why: string;
  readonly until: string;
}

export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const pathOf = (pointer: string): readonly (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
