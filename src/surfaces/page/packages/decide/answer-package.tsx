import { useState } from 'react';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { usePartyNames } from '../../api/party-names.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { useAction } from '../../parts/use-action.ts';
import { isOthersAnswer } from './person-actions.ts';
import { usePackageVerb } from './use-package-verb.ts';

/** Sends the answers to all questions in one request. Together they make one new revision of the package. */
export const AnswerPackage = ({ detail }: { readonly detail: PackageDetail }) => (
  // Use a new form for each round of questions. Text that was typed for one round must not be sent as an answer to the
  // next round.
  <Answering key={detail.questions.map(({ id }) => id).join()} detail={detail} />
);

function Answering({ detail }: { readonly detail: PackageDetail }) {
  const act = usePackageVerb(detail);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const called = usePartyNames();
  const isOne = detail.questions.length === 1;
  const answer = useAction(async () => {
    const answers = detail.questions.map(({ id }) => ({ id, text: texts[id]?.trim() ?? '' }));
    const told = await act('answer', { answers });
    return `${isOne ? 'The question' : 'The questions'} about ${detail.id} ${isOne ? 'was' : 'were'} answered (revision ${told.revision}).`;
  });
  const send = (): void => {
    const open = detail.questions.filter(({ id }) => (texts[id] ?? '').trim() === '');
    if (open.length === 0) return void answer.run();
    setProblem(
      isOne
        ? 'Write an answer before you send it.'
        : `Answer every question. Missing: ${open.map(({ id }) => id).join(', ')}.`,
    );
  };
  return (
    <section aria-label={`Answer ${detail.id}`} className="rounded-xl border border-amber/50 bg-amber-soft/40 p-4">
      <h3 className="mb-2 font-semibold">Answer {isOne ? 'the question' : 'the questions'}</h3>
      {isOthersAnswer(detail) && (
        <p className="mb-3 text-sm text-muted">
          {visible(called(detail.from))} was asked and can still answer. Your answer is recorded as a person's answer.
        </p>
      )}
      {detail.questions.map(({ id, text }) => (
        <Field key={id} label={visible(isOne ? text : `${id}: ${text}`)}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={2}
              value={texts[id] ?? ''}
              onChange={({ target }) => {
                setProblem('');
                setTexts({ ...texts, [id]: target.value });
              }}
            />
          )}
        </Field>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="primary"
          busy={answer.busy}
          aria-label={`${isOne ? 'Send answer' : 'Send answers'} about ${detail.id}`}
          onClick={send}
        >
          {isOne ? 'Send answer' : 'Send answers'}
        </Button>
        <p role="alert" className="min-w-0 flex-1 text-sm text-red">
          {problem}
        </p>
      </div>
    </section>
  );
}
