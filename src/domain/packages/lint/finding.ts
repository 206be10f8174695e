import type { RuleId, Severity } from './rules.ts';

export interface LintFinding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** JSON pointer into the file. */
  readonly pointer: string;
  /** Describes the problem. Never contains text that may be a secret. */
  readonly message: string;
  /** How to fix it. */
  readonly fix: string;
}

/** A violation of the schema. Never contains the value. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly kind: 'unknown_key' | 'missing' | 'wrong';
  readonly message: string;
}

/** A person accepts an error and says why and until when. */
export interface Waiver {
  readonly rule: RuleId;
  /** Limits the waiver to one place; absent: it covers the whole rule. */
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
