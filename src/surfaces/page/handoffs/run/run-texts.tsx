import { useQuery } from '@tanstack/react-query';
import type { Run, RunTexts as Texts } from '../../../../contract/resources.ts';
import { runTextsQuery } from '../../api/queries.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { Loading } from '../../parts/spinner.tsx';
import { At } from '../../parts/time.tsx';
import { Trouble } from '../../parts/trouble.tsx';

type DeliveredText = Texts['texts'][number];

const PURPOSE: Readonly<Record<DeliveredText['purpose'], string>> = {
  instruction: 'Instruction',
  skill: 'Skill',
  injection: 'Handoff prompt',
  nudge: 'Reminder',
  exit: 'Exit command',
  package: 'Package notification',
  message: 'Your message',
  continue: 'Prompt to continue',
};

const OUTCOME: Readonly<Record<string, { readonly words: string; readonly tone: Tone }>> = {
  typed: { words: 'typed', tone: 'green' },
  given_at_start: { words: 'given at session start', tone: 'green' },
  refused: { words: 'refused, nothing typed', tone: 'amber' },
  unconfirmed: { words: 'unconfirmed', tone: 'amber' },
  not_yet: { words: 'not sent yet', tone: 'grey' },
};

/** The prompts to both agents, with their full text. */
export function RunTexts({ run }: { readonly run: Run }) {
  const { data: texts, error } = useQuery(runTextsQuery(run.id));
  if (texts === undefined) return error === null ? <Loading /> : <Trouble error={error} />;
  if (texts.length === 0) return <p className="text-sm text-muted">No prompts sent yet.</p>;
  return (
    <Panel className="px-4 py-1">
      <ul className="divide-y divide-line">
        {texts.map((text) => (
          <li key={`${text.purpose}-${text.agent_id}-${text.at}`} className="py-2.5">
            <SentPrompt text={text} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SentPrompt({ text: { purpose, agent_id, text, outcome, at } }: { readonly text: DeliveredText }) {
  const { words, tone } = OUTCOME[outcome] ?? { words: outcome.replaceAll('_', ' '), tone: 'grey' };
  return (
    <Fold
      summary={
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium text-ink">{PURPOSE[purpose]}</span>
          <span>to agent {agent_id}</span>
          <span className="flex items-center gap-2 max-sm:basis-full sm:ml-auto">
            <Badge tone={tone}>{words}</Badge>
            {at !== null && <At at={at} />}
          </span>
        </span>
      }
    >
      <div className="mt-2 rounded-lg border border-line bg-sunken">
        <pre className="max-h-96 overflow-auto p-3 font-mono text-[0.8rem] leading-5 wrap-anywhere whitespace-pre-wrap">
          {visible(text)}
        </pre>
        <div className="flex justify-end border-t border-line p-1">
          <CopyButton text={text} what={`${PURPOSE[purpose].toLowerCase()} to agent ${agent_id}`} />
        </div>
      </div>
    </Fold>
  );
}
