import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Describes the problems of a request in words for its author. The text never contains values from the request. */
export const requestProblems = (issues: readonly Issue[], body: unknown): string =>
  issues.flatMap((issue) => problemsOf(issue, body, [])).join('; ');

function problemsOf(issue: Issue, body: unknown, above: readonly PropertyKey[]): readonly string[] {
  const path = [...above, ...issue.path];
  const name = path.map(String).join('.') || 'the body';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${[...path.map(String), key].join('.')} is unknown`);
  const value = issue.path.reduce<unknown>(
    (found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key],
    body,
  );
  if (value === undefined && path.length > 0) return [`${name} is missing`];
  // The value matches none of its allowed forms. Compare the value only with the first form of the same type (an object
  // with the form for objects), and report the differences.
  const near = issue.code === 'invalid_union' ? issue.errors.find((each) => !each.some(isOfOtherType)) : undefined;
  if (near !== undefined) return near.flatMap((each) => problemsOf(each, value, path));
  return [`${name} ${wordsOf(issue)}`];
}

const isOfOtherType = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0;

/**
 * Returns in words what is wrong with a value. Keeps a message that one of Baton's schemas defines, and replaces zod's
 * default messages with Baton's own words.
 */
function wordsOf(issue: Issue): string {
  if (!/^(Invalid|Too |Unrecognized)/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? 'must not be empty'
        : `must ${sizeOf(issue.origin, `at least ${issue.minimum}`)}`;
    case 'too_big':
      return `must ${sizeOf(issue.origin, `at most ${issue.maximum}`)}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time with a time zone, such as 2027-01-01T00:00:00Z' : MALFORMED;
    default:
      return MALFORMED;
  }
}

const MALFORMED = 'does not have the required format';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'a list',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function sizeOf(origin: string, bound: string): string {
  if (origin === 'string') return `have ${bound} characters`;
  if (origin === 'array') return `have ${bound} entries`;
  return `be ${bound}`;
}
