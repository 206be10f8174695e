import { FindingNotes } from '../content/finding-notes.tsx';
import { countFindings } from '../package-words.ts';
import type { Judged } from './use-new-package.ts';

const FAILED: Readonly<Record<Judged['step'], string>> = {
  check: 'It cannot be handed over yet',
  'hand over': 'It was not handed over',
  keep: 'It was not kept',
};

interface Props {
  readonly judged: Judged | null;
  readonly text: string;
  readonly onLine: (line: number) => void;
}

/** The result of the lint. Screen readers announce the sentence; the operator reads the list below it on demand. */
export function Judgement({ judged, text, onLine }: Props) {
  return (
    <section aria-label="What the check found">
      <p role="status" className="font-medium not-empty:mt-4">
        {judged !== null && sentenceOf(judged)}
      </p>
      {judged !== null && judged.text !== text && (
        <p className="text-sm text-muted">You have changed the text since then.</p>
      )}
      {judged !== null && <FindingNotes findings={judged.findings} withPlace onLine={onLine} />}
    </section>
  );
}

function sentenceOf({ ok, step, findings }: Judged): string {
  const counted = countFindings(findings);
  if (ok) return counted === '' ? 'It can be handed over.' : `It can be handed over; the lint found ${counted}.`;
  return `${FAILED[step]}: the lint found ${counted}.`;
}
