import type { RuleId, Severity } from './rules.ts';

export interface LintFinding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** JSON pointer to the location of the problem in the file. */
  readonly pointer: string;
  /** Describes the problem. The message never contains text that may be a secret. */
  readonly message: string;
  /** Tells the author how to fix the problem. */
  readonly fix: string;
}

/** One violation of a schema. The message never contains the invalid value. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly kind: 'unknown_key' | 'missing' | 'wrong';
  readonly message: string;
}

/** A waiver: a person states that an error is accepted, why it is accepted, and until when. */
export interface Waiver {
  readonly rule: RuleId;
  /**
   * The location in the package, as a JSON pointer, that the waiver applies to. If this field is absent, the waiver
   * covers all findings of the rule.
   */
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
