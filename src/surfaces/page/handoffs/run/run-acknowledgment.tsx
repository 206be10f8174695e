import type { Run } from '../../../../contract/resources.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Section } from '../../parts/panel.tsx';
import { At } from '../../parts/time.tsx';

/** The successor's acknowledgment, and the proof that the successor read the document to its end. */
export function RunAcknowledgement({ run }: { readonly run: Run }) {
  if (run.acknowledgement === null) return run.step === 'completed' ? <Missing /> : null;
  const { task, at } = run.acknowledgement;
  return (
    <Section title="Successor's acknowledgment">
      <div className="rounded-xl border border-green/40 bg-green-soft px-4 py-3">
        <blockquote className="wrap-anywhere whitespace-pre-wrap">{visible(task)}</blockquote>
        <p className="mt-2 text-sm text-green">
          ✓ Verified <At at={at} />: the successor named the token
          {run.document === null
            ? ' that Baton gave it.'
            : ' in the last line of the document, so it read the document to its end.'}
        </p>
      </div>
    </Section>
  );
}

const Missing = () => (
  <Section title="Successor's acknowledgment">
    <p className="rounded-xl border border-amber/40 bg-amber-soft px-4 py-3 text-amber">
      The successor did not acknowledge the handoff. It got the handoff prompt, but nothing proves that it read the
      document. Check its terminal and ask it.
    </p>
  </Section>
);
