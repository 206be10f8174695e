import { useId, useState } from 'react';
import type { MessageVerdict } from '../../../contract/requests.ts';
import type { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { usePost } from '../api/machine-clients.ts';
import { Button } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { useAction } from '../parts/use-action.ts';
import { useKeptDraft } from './list/use-kept-draft.ts';
import { VerdictNote } from './verdict-note.tsx';

/**
 * An agent's question with its options. The answer is sent with the question's id. If the agent's screen shows a
 * different question when the answer arrives, Baton presses no key.
 */
export const AnswerQuestion = ({ agent }: { readonly agent: Agent }) => (
  // Use a new form for each question, because text that was typed for one question must not be sent as the answer to
  // the next.
  <Answering key={agent.question?.id ?? ''} agent={agent} />
);

function Answering({ agent }: { readonly agent: Agent }) {
  const post = usePost();
  const [text, setText] = useKeptDraft(`answer of ${agent.id} to ${agent.question?.id}`);
  const [verdict, setVerdict] = useState<MessageVerdict | null>(null);
  const { question } = agent;
  const questionId = useId();
  const answer = useAction(async (given: { readonly choice: number } | { readonly text: string }) => {
    if (question === null) return undefined;
    const told = await post<MessageVerdict>(PATHS.answer(agent.id), { question: question.id, ...given });
    setVerdict(told);
    if (told.verdict === 'accepted') setText('');
    // Show the verdict of an accepted answer in a toast, because the accepted answer removes the question together with
    // this form.
    return told.verdict === 'accepted' ? told.sentence : undefined;
  });
  return (
    <section
      aria-label={visible(`Question from ${agent.label}, agent ${agent.id}`)}
      className="max-w-3xl rounded-lg border border-amber/50 bg-amber-soft p-3"
    >
      <p id={questionId} className="mb-2 text-sm wrap-anywhere whitespace-pre-wrap">
        {visible(question?.text ?? agent.state_reason)}
      </p>
      {question === null || (question.options.length === 0 && !question.takes_text) ? (
        <p className="text-sm text-muted">
          {question === null
            ? "Baton has not read the options from the agent's screen yet. You can answer in the agent's terminal."
            : visible(question.how_to_answer)}
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {question.options.map(({ number, label }) => (
            <li key={number}>
              <Button
                small
                busy={answer.busy}
                aria-label={visible(`${number} ${label}: answer to ${agent.label}, agent ${agent.id}`)}
                aria-describedby={questionId}
                onClick={() => void answer.run({ choice: number })}
                className="w-full justify-start! text-left whitespace-normal!"
              >
                <span className="text-muted">{number}</span> {visible(label)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {question?.takes_text && (
        <form
          className="mt-2 flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') void answer.run({ text });
          }}
        >
          <TextInput
            aria-label={visible(`Answer to ${agent.label}, agent ${agent.id}`)}
            placeholder="Type an answer"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button
            type="submit"
            busy={answer.busy}
            aria-label={visible(`Send answer to ${agent.label}, agent ${agent.id}`)}
          >
            Send answer
          </Button>
        </form>
      )}
      <VerdictNote verdict={verdict} />
    </section>
  );
}
