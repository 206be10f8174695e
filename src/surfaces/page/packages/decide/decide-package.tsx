import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { PackageDetail, PackageReport } from '../../../../contract/packages/package-resources.ts';
import { pendingDecisions } from '../../../../contract/packages/pending-decisions.ts';
import { Refused } from '../../api/call.ts';
import { packageContentsQuery } from '../../api/package-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { useAction } from '../../parts/use-action.ts';
import { contentOf } from '../content/package-content.tsx';

import {
  buttonWords,
  chosenAnew,
  type DecisionBody,
  type DecisionDraft,
  NOTHING_CHOSEN,
  validateDraft,
  whatChanged,
} from './decision-draft.ts';
import { DecisionOptions } from './decision-options.tsx';
import { GateFiles } from './gate-files.tsx';
import { ItemsToApprove } from './items-to-approve.tsx';
import { usePackageVerb } from './use-package-verb.ts';

interface Props {
  readonly detail: PackageDetail;
  readonly report: PackageReport | undefined;
}

/**
 * The form for a decision. A decision applies only to the content that the form shows, so a change of the package
 * clears the choice. To avoid a decision by accident, no option is preselected, and Enter does not submit.
 */
export function DecidePackage({ detail, report }: Props) {
  const [first] = useState(detail);
  // Decide about the files as this page shows them, even if they have changed since the package was submitted.
  const { data: contents } = useQuery(packageContentsQuery(detail));
  const seen = contents?.seen ?? detail.seen;
  const [kept, setKept] = useState({ seen, draft: NOTHING_CHOSEN });
  const [problem, setProblem] = useState<{ readonly field: string; readonly words: string } | null>(null);
  const words = useRef<HTMLTextAreaElement>(null);
  const problemId = useId();
  const asksChoice = detail.gate === null && pendingDecisions(contentOf(detail)).length > 0;
  const draft = kept.seen === seen ? kept.draft : chosenAnew(kept.draft);
  const change = (changed: Partial<DecisionDraft>): void => {
    setProblem(null);
    setKept({ seen, draft: { ...draft, ...changed } });
  };
  const send = useSend(detail, () => setKept({ seen, draft: NOTHING_CHOSEN }));
  const decide = (): void => {
    const judged = validateDraft(draft, { ...detail, seen, asksChoice });
    if (judged.kind === 'ready') return void send.run(judged.body);
    setProblem({ field: judged.field, words: judged.problem });
    if (judged.field === 'reason') words.current?.focus();
  };
  return (
    <section
      aria-label={`Decide ${detail.id}`}
      className="rounded-xl border border-violet/50 bg-violet-soft/40 p-4 [&_label]:max-w-full"
    >
      <h2 className="mb-2 font-semibold">Your decision</h2>
      {first.seen !== detail.seen && <Changed before={first} now={detail} />}
      {(report?.unusable.length ?? 0) > 0 && (
        <p role="alert" className="mb-3 rounded-lg bg-red-soft px-3 py-2 text-sm wrap-anywhere text-red">
          Files that differ from the submitted version: {visible(report?.unusable.join(', ') ?? '')}. Check them before
          you decide.
        </p>
      )}
      <GateFiles files={contents?.artifacts ?? []} />
      {detail.gate !== null && detail.gate.approved.length > 0 && (
        <p className="mb-3 text-sm text-green">
          {detail.gate.approved.length} of {detail.gate.items.length} items already approved.
        </p>
      )}
      <DecisionOptions detail={detail} chosen={draft.option} onChoose={(option) => change({ option })} />
      {draft.option === 'approve' && (
        <ItemsToApprove detail={detail} chosen={draft.items} onChoose={(items) => change({ items })} />
      )}
      {draft.option === 'approve' && detail.gate === null && (
        <Field label="Your choice" hint="The option you choose, such as B.">
          {(ids) => (
            <TextInput
              {...ids}
              value={draft.choice}
              aria-invalid={problem?.field === 'choice'}
              aria-errormessage={problemId}
              onChange={({ target }) => change({ choice: target.value })}
            />
          )}
        </Field>
      )}
      {draft.option !== null && (
        <Field label={REASON[draft.option]}>
          {(ids) => (
            <TextArea
              {...ids}
              ref={words}
              rows={3}
              value={draft.reason}
              aria-invalid={problem?.field === 'reason'}
              aria-errormessage={problemId}
              onChange={({ target }) => change({ reason: target.value })}
            />
          )}
        </Field>
      )}
      {draft.option === 'approve' && (
        <Field label="Conditions, one per line (optional)" hint="The conditions apply to the work that follows.">
          {(ids) => (
            <TextArea
              {...ids}
              rows={2}
              value={draft.conditions}
              onChange={({ target }) => change({ conditions: target.value })}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind={draft.option === 'reject' ? 'danger' : draft.option === null ? 'plain' : 'primary'}
          busy={send.busy}
          aria-label={`${buttonWords(draft, detail)}: ${detail.id}`}
          onClick={decide}
        >
          {buttonWords(draft, detail)}
        </Button>
        <p id={problemId} role="alert" className="min-w-0 flex-1 text-sm text-red">
          {problem?.words}
        </p>
      </div>
    </section>
  );
}

const REASON: Readonly<Record<NonNullable<DecisionDraft['option']>, string>> = {
  approve: 'Comment (optional)',
  reject: 'Reason for rejection',
  question: 'Your question',
};

/** Sends the decision. After a refusal, refetches the package, because the package may have changed. */
function useSend(detail: PackageDetail, onDone: () => void) {
  const client = useQueryClient();
  const act = usePackageVerb(detail);
  return useAction(async (body: DecisionBody) => {
    try {
      const answer = await act('decide', body);
      onDone();
      return said(body, answer);
    } catch (error) {
      if (error instanceof Refused) await client.invalidateQueries({ queryKey: ['package', detail.id] });
      throw error;
    }
  });
}

function said({ option }: DecisionBody, { id, state, gate }: PackageDetail): string {
  if (option === 'reject') return `${id} was rejected.`;
  if (option === 'question') return `Your question about ${id} was sent.`;
  const left = (gate?.items.length ?? 0) - (gate?.approved.length ?? 0);
  return state === 'pending'
    ? `${id} was partly approved: ${left} ${left === 1 ? 'item is' : 'items are'} left.`
    : `${id} was approved.`;
}

function Changed({ before, now }: { readonly before: PackageDetail; readonly now: PackageDetail }) {
  return (
    <div role="alert" className="mb-3 rounded-lg border border-amber bg-amber-soft px-3 py-2 text-sm text-amber">
      <p>
        <strong>This package changed after you opened it.</strong> Your selection was cleared. Review the current
        version and decide again.
      </p>
      <ul className="mt-1 list-disc pl-5">
        {whatChanged(before, now).map((each) => (
          <li key={each} className="wrap-anywhere">
            {visible(each)}
          </li>
        ))}
      </ul>
    </div>
  );
}
