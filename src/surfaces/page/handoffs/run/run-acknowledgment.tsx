import type { Run } from '../../../../contract/resources.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Section } from '../../parts/panel.tsx';
import { At } from '../../parts/time.tsx';

/** The successor's acknowledgment, and the proof that it read the document to its end. */
export function RunAcknowledgement({ run }: { readonly run: Run }) {
  if (run.acknowledgement === null) return run.step === 'completed' ? <NeverCame /> : null;
  const { task, at } = run.acknowledgement;
  return (
    <Section title="The successor's acknowledgement">
      <div className="rounded-xl border border-green/40 bg-green-soft px-4 py-3">
        <blockquote className="wrap-anywhere whitespace-pre-wrap">{visible(task)}</blockquote>
        <p className="mt-2 text-sm text-green">
          ✓ Proof given <At at={at} />: it named the token
          {run.emergency
            ? ' that it was given.'
            : ' in the last line of the document, so it read the document to its end.'}
        </p>
      </div>
    </Section>
  );
}

const NeverCame = () => (
  <Section title="The successor's acknowledgement">
    <p className="rounded-xl border border-amber/40 bg-amber-soft px-4 py-3 text-amber">
      The successor never acknowledged. It got the handoff prompt; whether it read the document is not proven. Look into
      its terminal and ask it.
    </p>
  </Section>
);
