import { FindingNotes } from '../content/finding-notes.tsx';
import { countFindings } from '../package-words.ts';
import type { Judged } from './use-new-package.ts';

const FAILED: Readonly<Record<Judged['step'], string>> = {
  check: 'Not ready to submit',
  submit: 'Not submitted',
  save: 'Not saved',
};

interface Props {
  readonly judged: Judged | null;
  readonly text: string;
  readonly onLine: (line: number) => void;
}

/** The result of the lint. Screen readers announce the sentence; the operator reads the list below it on demand. */
export function Judgement({ judged, text, onLine }: Props) {
  return (
    <section aria-label="Check results">
      <p role="status" className="font-medium not-empty:mt-4">
        {judged !== null && sentenceOf(judged)}
      </p>
      {judged !== null && judged.text !== text && (
        <p className="text-sm text-muted">The text has changed since this check.</p>
      )}
      {judged !== null && <FindingNotes findings={judged.findings} withPlace onLine={onLine} />}
    </section>
  );
}

function sentenceOf({ ok, step, findings }: Judged): string {
  const counted = countFindings(findings);
  if (ok) return counted === '' ? 'Ready to submit.' : `Ready to submit: ${counted}.`;
  return `${FAILED[step]}: ${counted}.`;
}
