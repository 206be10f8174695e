import { NEXT, type PackageInput } from '../../domain/packages/content/package.ts';
import { plainDataProblem } from '../../domain/packages/content/plain-data.ts';
import type { LintFinding, SchemaProblem } from '../../domain/packages/lint/finding.ts';
import { found, unreadable } from '../../domain/packages/lint/finding-builder.ts';
import { lintPackage } from '../../domain/packages/lint/lint-package.ts';
import { secretFindings } from '../../domain/packages/lint/secrets.ts';
import { textsIn } from '../../domain/packages/lint/view.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';

/** A value from outside Baton, with the problems that the schema check found in it. */
export interface Authored {
  readonly value: unknown;
  readonly problems: readonly SchemaProblem[];
}

export const ROOT = ['handoff'] as const;

const NOT_STORED = 'The package was not stored';

/** Refuses invalid packages and packages with secrets before any part of them is stored (SPEC P2 and P11). */
export function validateAuthored(
  ports: Pick<Ports, 'secrets' | 'clock'>,
  { value, problems }: Authored,
): PackageInput | Refusal {
  const odd = plainDataProblem(value);
  if (odd !== undefined) return refuseFor([unreadable(odd)], NOT_STORED);
  const secrets = secretsIn(ports, value, ROOT);
  if (secrets.length > 0) return refuseFor(secrets, NOT_STORED);
  if (problems.length === 0) return withNext(value as PackageInput);
  const { findings } = lintPackage({ value, root: ROOT, problems }, { now: ports.clock.now() });
  return refuseFor(findings, NOT_STORED);
}

/** Adds the receiver `next` if the author named no receiver, because the schema allows a package without a receiver. */
const withNext = (content: PackageInput): PackageInput => ({
  ...content,
  to: { ...content.to, agent: (content.to.agent as string | undefined) ?? NEXT },
});

/** Refuses a text about a package if it contains a secret or is not plain data, because Baton stores the text. */
export function refuseText(
  ports: Pick<Ports, 'secrets'>,
  said: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  const odd = plainDataProblem(said);
  const findings = odd === undefined ? secretsIn(ports, said, []) : [unreadable(odd)];
  return findings.length === 0 ? undefined : refuseFor(findings, 'Nothing was done');
}

/**
 * Refuses only text that certainly contains a secret (SPEC P11). A suspected secret causes only a warning of the lint.
 */
const secretsIn = (ports: Pick<Ports, 'secrets'>, value: unknown, root: readonly string[]): readonly LintFinding[] => [
  ...secretFindings(value, root).filter(({ severity }) => severity === 'error'),
  ...knownFindings(ports, value, root),
];

/**
 * Finds secrets whose values Baton knows: its own tokens, and secret values of agents' environment variables (SPEC
 * P11).
 */
const knownFindings = (
  { secrets }: Pick<Ports, 'secrets'>,
  value: unknown,
  root: readonly string[],
): readonly LintFinding[] =>
  textsIn(value, root)
    .filter(({ text }) => secrets.knows(text))
    .map(({ path }) =>
      found(
        'HP701',
        path,
        'This text contains a secret of this machine, and Baton does not store a package with a secret.',
      ),
    );

const MAX_NAMED = 5;

export function refuseFor(findings: readonly LintFinding[], what: string, code: Code = 'package_refused'): Refusal {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const named = errors
    .slice(0, MAX_NAMED)
    .map(({ rule, pointer, message }) => `${pointer === '' ? rule : `${rule} ${pointer}`}: ${message}`);
  const more = errors.length > MAX_NAMED ? ` And ${errors.length - MAX_NAMED} more.` : '';
  return {
    code,
    sentence: `${what} because of ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}. ${named.join(' ')}${more}`,
    hint: [...new Set(errors.slice(0, MAX_NAMED).map(({ fix }) => fix))].join(' '),
    findings,
  };
}

type Code = 'package_refused' | 'not_sealable';
