import type { PackageFields } from '../../../../contract/packages/new-package.ts';
import type { PackageFinding } from '../../../../contract/packages/package-resources.ts';

/** The labels of the form's fields, by the name of the field. */
export const LABELS = {
  to: 'To',
  reason: 'Why this agent',
  summary: 'What the agent should know',
  files: 'Files',
  deliverable: 'Expected result',
  criteria: 'Done when',
} as const;

export type FormField = keyof typeof LABELS;

const PLACES: Readonly<Record<FormField, string>> = {
  to: '/handoff/to/agent',
  reason: '/handoff/to/reason',
  summary: '/handoff/context/summary',
  files: '/handoff/context/artifacts',
  deliverable: '/handoff/expectations/deliverable',
  criteria: '/handoff/expectations/success_criteria',
};

/** The order in which the findings are listed. */
const ORDER: readonly PackageFinding['severity'][] = ['error', 'warning', 'info'];

const fieldOf = ({ pointer }: PackageFinding): FormField | undefined =>
  (Object.keys(PLACES) as FormField[]).find((field) => pointer.startsWith(PLACES[field]));

/**
 * The fields that must be filled in for every package. For an empty field of this list, the form only says that it must
 * be filled in. For every other field, the form shows the lint's own findings.
 */
const NEEDED: readonly FormField[] = ['to', 'reason', 'summary', 'deliverable'];

const isLeftOut = (fields: PackageFields, field: FormField): boolean =>
  NEEDED.includes(field) && [fields[field]].flat().every((text) => text.trim() === '');

/**
 * Returns the findings in the words of the form, errors first. The message begins with the label of its field. A needed
 * field that is empty has only one finding. Line numbers, advice about YAML for an empty field, and advice that names a
 * command are left out, because the form shows neither the package's text nor a command line.
 */
export function findingsInForm(findings: readonly PackageFinding[], fields: PackageFields): readonly PackageFinding[] {
  const told = new Set<FormField>();
  return findings
    .toSorted((one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity))
    .flatMap(({ line: _, ...given }) => {
      const finding = { ...given, fix: /\bbaton [a-z]/.test(given.fix) ? '' : given.fix };
      const field = fieldOf(finding);
      if (field === undefined) return [finding];
      const about = { ...finding, pointer: '' };
      if (!isLeftOut(fields, field)) return [{ ...about, message: `${LABELS[field]}: ${finding.message}` }];
      if (told.has(field)) return [];
      told.add(field);
      const empty = field === 'to' ? 'Choose a receiver.' : 'Fill in this field.';
      return [{ ...about, message: `${LABELS[field]}: ${empty}`, fix: '' }];
    });
}

/** The fields that have an error and that the operator has not changed since the check. */
export const fieldsToCorrect = (
  findings: readonly PackageFinding[],
  checked: PackageFields,
  now: PackageFields,
): ReadonlySet<FormField> =>
  new Set(
    findings
      .filter(({ severity }) => severity === 'error')
      .flatMap((finding) => fieldOf(finding) ?? [])
      .filter((field) => checked[field] === now[field]),
  );
