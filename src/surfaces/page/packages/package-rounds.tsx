import type { PackageDetail } from '../../../contract/packages/package-resources.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { Said } from './content/said.tsx';

const BY: Readonly<Record<string, string>> = { sender: 'the sender', operator: 'a person', host: 'Baton' };

/** The questions about the package, and their answers. */
export function PackageRounds({ detail: { questions, answers } }: { readonly detail: PackageDetail }) {
  if (questions.length + answers.length === 0) return null;
  return (
    <Section title="Questions and answers">
      <Panel className="px-4 py-1">
        <ol className="divide-y divide-line">
          {answers.map(({ id, question, answer, by }) => (
            <li key={id} className="py-2.5">
              <Question id={id} text={question} />
              <p className="mt-1 border-l-3 border-green pl-3">
                <Said text={answer} />
                <span className="text-sm text-muted"> · answered by {visible(BY[by] ?? by)}</span>
              </p>
            </li>
          ))}
          {questions.map(({ id, text }) => (
            <li key={id} className="py-2.5">
              <Question id={id} text={text} />
              <p className="mt-1 border-l-3 border-amber pl-3 text-sm text-amber">Not answered yet</p>
            </li>
          ))}
        </ol>
      </Panel>
    </Section>
  );
}

const Question = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <p>
    <code className="mr-2 font-mono text-[0.8rem] text-muted">{visible(id)}</code>
    <Said text={text} className="font-medium" />
    {id.startsWith('Q-h-') && <span className="text-sm text-muted"> · asked by a person</span>}
  </p>
);
