import type { z } from 'zod';
import type { SchemaProblem } from '../../domain/packages/lint/finding.ts';

/** Returns the schema problems of a value. The descriptions of the problems never contain the value. */
export function schemaProblems(schema: z.ZodType, value: unknown): readonly SchemaProblem[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : error.issues.flatMap((issue) => problemsOf(issue, value));
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, value: unknown): readonly SchemaProblem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      kind: 'unknown_key',
      message: 'This key is unknown.',
    }));
  const inner = path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
  if (inner === undefined)
    return [{ path, kind: 'missing', message: `${String(path.at(-1) ?? 'The value')} is missing.` }];
  if (issue.code === 'invalid_union') {
    const nested = closest(issue, inner);
    if (nested.length > 0) return nested.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  }
  return [{ path, kind: 'wrong', message: sentenceOf(issue) }];
}

/**
 * Returns the problems of a value that matches none of its allowed forms. An object is compared only with the first
 * form for objects. For any other value, returns an empty list.
 */
function closest(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown): readonly SchemaProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  const forms = issue.errors.filter(
    (each) => !each.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return (forms[0] ?? []).flatMap((each) => problemsOf(each, value));
}

function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `This value must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}.`;
    case 'invalid_value':
      return `This value must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `This value is too long or too large; the maximum is ${issue.maximum}.`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin === 'string') return 'This value is empty.';
      if (issue.minimum === 1 && issue.origin === 'array') return 'This list is empty.';
      return `This value is too short or too small; the minimum is ${issue.minimum}.`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'This value does not have the required format.';
    case 'invalid_key':
      return 'This key must be a reverse domain name, such as org.example.';
    default:
      return 'This value does not have the required format.';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'a mapping',
  array: 'a list',
  int: 'a whole number',
  boolean: 'true or false',
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'This value must be a time with a time zone, such as 2026-01-15T14:30:00Z.',
};
