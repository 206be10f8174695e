import { namedConstraints, type PackageInput, type PackageType } from './content/package.ts';
import type { LintFinding } from './lint/finding.ts';
import { found } from './lint/finding-builder.ts';
import { pathProblem } from './lint/path-rules.ts';
import { isPlaceholder } from './lint/placeholder.ts';
import { cannotBeChecked } from './lint/substance.ts';

/** The host's own observations at the receipt of the package. The receiver cannot override these observations. */
export interface SeenOnReceipt {
  /**
   * The hashes of the artifacts by path. If a file does not exist, it has no entry. If a file exists but its hash is
   * unknown, its entry is `null`.
   */
  readonly artifacts: Readonly<Record<string, string | null>>;
  /**
   * Set if the artifacts are not in the folder in which the receiver works (SPEC P32). `where` is the folder with the
   * artifacts, and `own` has the hashes of the files in the receiver's folder.
   */
  readonly elsewhere?: { readonly where: string; readonly own: Readonly<Record<string, string>> };
  /** Capabilities of the receiver's persona; undefined if the receiver has no persona. */
  readonly capabilities?: readonly string[] | undefined;
  readonly chainIsWhole: boolean;
  readonly ageMs: number;
  readonly staleAfterMs: number;
}

export interface ReceiveReport {
  readonly findings: readonly LintFinding[];
  /** True if a finding is an error. Baton then refuses a full acknowledgment of the package. */
  readonly blocked: boolean;
  /** Paths of artifacts that are missing or have changed. */
  readonly unusable: readonly string[];
}

/**
 * Checks the four points of the receiver's checklist in specification 004, then the age and the integrity of the
 * package (SPEC P16).
 */
export function receiveReport(content: PackageInput, type: PackageType, seen: SeenOnReceipt): ReceiveReport {
  const unusable = unusableArtifacts(content, seen);
  const findings = [
    ...summary(content),
    ...unusable.map(({ path, what }) =>
      found('HP902', ['handoff', 'context', 'artifacts'], `The artifact ${path} ${what}.`),
    ),
    ...elsewhere(content, seen),
    ...deliverable(content, type),
    ...capabilities(content, seen),
    ...vagueConstraints(content),
    ...(seen.ageMs > seen.staleAfterMs
      ? [
          found(
            'HP905',
            ['handoff', 'timestamp'],
            'The package was written so long ago that its content may be out of date.',
          ),
        ]
      : []),
    ...(seen.chainIsWhole
      ? []
      : [
          found(
            'HP906',
            ['handoff', 'integrity'],
            "The package's chain of hashes is broken, so a revision was changed after it was submitted.",
          ),
        ]),
  ];
  return {
    findings,
    blocked: findings.some(({ severity }) => severity === 'error'),
    unusable: unusable.map(({ path }) => path),
  };
}

const summary = ({ context }: PackageInput): readonly LintFinding[] =>
  context.summary.trim() === '' || isPlaceholder(context.summary)
    ? [found('HP901', ['handoff', 'context', 'summary'], 'The package has no summary.')]
    : [];

function unusableArtifacts({ context }: PackageInput, seen: SeenOnReceipt): { path: string; what: string }[] {
  return (context.artifacts ?? []).flatMap(({ path, role, sha256 }) => {
    if (role === 'deleted') return [];
    const problem = pathProblem(path);
    if (problem !== undefined) return [{ path, what: problem }];
    const hash = seen.artifacts[path];
    if (hash === undefined) return [{ path, what: 'was not found' }];
    return sha256 !== undefined && hash !== null && hash !== sha256
      ? [{ path, what: 'was changed since the package was submitted' }]
      : [];
  });
}

/**
 * Reports artifacts that exist in the sender's folder but are missing or different in the receiver's own folder. This
 * is not an error, because the receiver can read the artifacts in the sender's folder.
 */
function elsewhere({ context }: PackageInput, { elsewhere: known, artifacts }: SeenOnReceipt): readonly LintFinding[] {
  if (known === undefined) return [];
  return (context.artifacts ?? [])
    .filter(({ path }) => artifacts[path] !== undefined && artifacts[path] !== known.own[path])
    .map(({ path }) =>
      found(
        'HP907',
        ['handoff', 'context', 'artifacts'],
        `The artifact ${path} is missing or different in your folder; the sender's copy is in ${known.where}.`,
      ),
    );
}

/**
 * True if the package must name a deliverable. A sequential package without expectations needs no deliverable, because
 * the receiver's workflow step says what to do.
 */
const needsDeliverable = (content: PackageInput, type: PackageType): boolean =>
  type === 'delegation' || type === 'escalation' || (type === 'sequential' && content.expectations !== undefined);

function deliverable(content: PackageInput, type: PackageType): readonly LintFinding[] {
  const text = content.expectations?.deliverable;
  const isClear = text !== undefined && text.trim() !== '' && !isPlaceholder(text);
  return needsDeliverable(content, type) && !isClear
    ? [found('HP903', ['handoff', 'expectations', 'deliverable'], 'The package does not name its deliverable.')]
    : [];
}

/**
 * Reports required capabilities that the receiver does not have. The host compares only the names of capabilities; the
 * receiver judges constraints in prose.
 */
function capabilities({ to }: PackageInput, { capabilities: known }: SeenOnReceipt): readonly LintFinding[] {
  if (known === undefined) return [];
  return (to.capabilities_required ?? [])
    .filter((wanted) => !known.includes(wanted))
    .map((wanted) =>
      found(
        'HP904',
        ['handoff', 'to', 'capabilities_required'],
        `The package requires the capability "${wanted}"; your persona has: ${known.join(', ') || 'none'}.`,
      ),
    );
}

/**
 * Reports vague constraints as warnings, not errors, because the receiver decides whether such a constraint is a
 * blocker.
 */
const vagueConstraints = (content: PackageInput): readonly LintFinding[] =>
  namedConstraints(content)
    .filter(({ text }) => cannotBeChecked(text))
    .map(({ id }) =>
      found(
        'HP401',
        ['handoff', 'expectations', 'constraints'],
        `Constraint ${id} is vague: it names nothing that can be checked.`,
      ),
    );
