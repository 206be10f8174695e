import type { PackageFinding } from '../../../../contract/packages/package-resources.ts';
import { FindingNotes } from '../content/finding-notes.tsx';
import { countFindings } from '../package-words.ts';
import { findingsInForm } from './form-findings.ts';
import type { Judged } from './use-new-package.ts';

const FAILED: Readonly<Record<Judged['step'], string>> = {
  check: 'Not ready to submit',
  submit: 'Not submitted',
  save: 'Not saved',
};

interface Props {
  readonly judged: Judged | null;
  readonly text: string;
  /** True if the operator writes the package in the form. */
  readonly isForm: boolean;
  readonly onLine: (line: number) => void;
}

/** The result of the lint. A screen reader announces only the sentence, not the list below it. */
export function Judgement({ judged, text, isForm, onLine }: Props) {
  const fields = isForm ? (judged?.fields ?? null) : null;
  const findings = fields === null ? (judged?.findings ?? []) : findingsInForm(judged?.findings ?? [], fields);
  return (
    <section aria-label="Check results">
      <p role="status" className="font-medium not-empty:mt-4">
        {judged !== null && sentenceOf(judged, findings)}
      </p>
      {judged !== null && judged.text !== text && (
        <p className="text-sm text-muted">The {isForm ? 'form' : 'text'} has changed since this check.</p>
      )}
      <FindingNotes findings={findings} withPlace {...(isForm ? {} : { onLine })} />
    </section>
  );
}

function sentenceOf({ ok, step }: Judged, findings: readonly PackageFinding[]): string {
  const counted = countFindings(findings);
  if (ok) return counted === '' ? 'Ready to submit.' : `Ready to submit: ${counted}.`;
  return `${FAILED[step]}: ${counted}.`;
}
