import type { RuleId, Severity } from './rules.ts';

export interface LintFinding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** JSON pointer to the place in the file. */
  readonly pointer: string;
  /** What is wrong, without the text of anything that may be a secret. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** What the schema says about a value, without a word of the value itself. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly kind: 'unknown_key' | 'missing' | 'wrong';
  readonly message: string;
}

/** A person answers for an error that is let through, and says why and until when. */
export interface Waiver {
  readonly rule: RuleId;
  /** Of one place; without it, of the rule. */
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
