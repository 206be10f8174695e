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

const PLACES: Readonly<Record<keyof typeof LABELS, string>> = {
  to: '/handoff/to/agent',
  reason: '/handoff/to/reason',
  summary: '/handoff/context/summary',
  files: '/handoff/context/artifacts',
  deliverable: '/handoff/expectations/deliverable',
  criteria: '/handoff/expectations/success_criteria',
};

/**
 * Puts the label of a form field before the message of each finding about that field. Removes the line numbers, because
 * the form does not show the package's text.
 */
export function findingsInForm(findings: readonly PackageFinding[]): readonly PackageFinding[] {
  return findings.map(({ line: _, ...finding }) => {
    const [field] = Object.entries(PLACES).find(([, place]) => finding.pointer.startsWith(place)) ?? [];
    if (field === undefined) return finding;
    return { ...finding, pointer: '', message: `${LABELS[field as keyof typeof LABELS]}: ${finding.message}` };
  });
}
