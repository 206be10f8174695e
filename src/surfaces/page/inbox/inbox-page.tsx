import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { InboxItem } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { AnswerQuestion } from '../agents/answer-question.tsx';
import { ItemOffers } from '../agents/resume-button.tsx';
import { post } from '../api/call.ts';
import { agentQuery, inboxQuery, runQuery } from '../api/queries.ts';
import { RunActions } from '../handoffs/run-actions.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSettled } from './use-settled.ts';

/** This component is loaded when the first package waits, because most inboxes have no packages. */
const PackageInInbox = lazy(() => import('../packages/package-in-inbox.tsx'));
const SettledPackages = lazy(() => import('../packages/settled-packages.tsx'));

/** The badge of a kind of item. Each kind has a row in KINDS. */
interface Look {
  readonly tone: Tone;
  readonly word: string;
}

const KINDS: Readonly<Record<InboxItem['kind'], Look>> = {
  failure: { tone: 'red', word: 'Failed' },
  question: { tone: 'amber', word: 'Question' },
  decision: { tone: 'violet', word: 'Decision' },
  notice: { tone: 'grey', word: 'Notice' },
};

/** If there are more items than this, their forms start folded, so that the list stays readable. */
const MAX_OPEN = 5;

export function InboxPage() {
  const inbox = useQuery(inboxQuery);
  const items = waitingFirst(inbox.data ?? []);
  const isCrowded = items.filter(({ package_id }) => package_id).length > MAX_OPEN;
  const settled = useSettled(inbox.data);
  return (
    <>
      <PageTitle title="Inbox" note="Things that need you. Items clear themselves once resolved." />
      <Trouble error={inbox.error} />
      {inbox.isPending && <Loading what="Loading inbox" />}
      {inbox.isSuccess && items.length === 0 && (
        <Empty title="Nothing needs you">Failures, questions and decisions appear here.</Empty>
      )}
      <ul aria-label="Items that need you" className="flex max-w-3xl flex-col gap-3">
        {items.map((item) => (
          <li key={keyOf(item)}>
            <Item item={item} folded={isCrowded} />
          </li>
        ))}
      </ul>
      {settled.ids.length > 0 && (
        <Suspense>
          <SettledPackages ids={settled.ids} onDismiss={settled.dismiss} />
        </Suspense>
      )}
    </>
  );
}

/** Items that wait for a person come before notices. */
const waitingFirst = (items: readonly InboxItem[]): readonly InboxItem[] => [
  ...items.filter(({ kind }) => kind !== 'notice'),
  ...items.filter(({ kind }) => kind === 'notice'),
];

/** A reminder is a new item about the same package. Both have the same key, so that typed text is not lost. */
const keyOf = ({ id, kind, package_id }: InboxItem): string => (package_id ? `${package_id} ${kind}` : String(id));

function Item({ item, folded }: { readonly item: InboxItem; readonly folded: boolean }) {
  // A page that was left open may not know a kind of item that a newer server sends.
  const { tone, word } = (KINDS as Readonly<Record<string, Look>>)[item.kind] ?? KINDS.notice;
  const dismiss = useAction(async () => {
    await post<InboxItem>(PATHS.dismiss(item.id), {});
    return undefined;
  });
  return (
    <Panel className="p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <Badge tone={tone}>{word}</Badge>
        <span className="text-sm text-muted">
          {item.notified.held !== undefined && `Notification held back (${item.notified.held}) · `}
          <Ago at={item.opened_at} />
        </span>
      </div>
      <p className="wrap-anywhere">{visible(item.sentence)}</p>
      <p className="mt-1 text-sm wrap-anywhere text-muted">{visible(item.hint)}</p>
      {item.kind === 'question' && item.agent_id !== null && <Question agentId={item.agent_id} />}
      {item.run_id !== null && <ActionsOfRun runId={item.run_id} />}
      {item.package_id && <AboutPackage id={item.package_id} kind={item.kind} folded={folded} />}
      <ItemOffers item={item} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="flex gap-3">
          {item.run_id !== null && (
            <Link to="/runs/$id" params={{ id: item.run_id }} className="text-accent underline">
              Handoff {item.run_id}
            </Link>
          )}
          {item.package_id && (
            <Link to="/packages/$id" params={{ id: item.package_id }} className="text-accent underline">
              Open {item.package_id}
            </Link>
          )}
          {item.agent_id !== null && (
            <Link to="/agents/$id" params={{ id: item.agent_id }} className="text-accent underline">
              Agent {item.agent_id}
            </Link>
          )}
        </span>
        <Button
          small
          kind="quiet"
          busy={dismiss.busy}
          aria-label={visible(`Dismiss: ${item.sentence}`)}
          onClick={() => void dismiss.run()}
        >
          Dismiss
        </Button>
      </div>
    </Panel>
  );
}

function AboutPackage({
  id,
  kind,
  folded,
}: {
  readonly id: string;
  readonly kind: InboxItem['kind'];
  readonly folded: boolean;
}) {
  // `folded` is only the initial value, because a form in use must not close when another item arrives.
  const [isOpen, setOpen] = useState(!folded);
  const label = kind === 'question' ? 'Read and answer' : kind === 'decision' ? 'Read and decide' : 'Read package';
  if (!isOpen)
    return (
      <Button small className="mt-3" aria-label={visible(`${label}: ${id}`)} onClick={() => setOpen(true)}>
        {label}
      </Button>
    );
  return (
    <Suspense fallback={<Loading what="Loading package" />}>
      <PackageInInbox id={id} kind={kind} />
    </Suspense>
  );
}

function Question({ agentId }: { readonly agentId: number }) {
  const { data: agent } = useQuery(agentQuery(agentId));
  if (agent === undefined || agent.state !== 'awaiting_input') return null;
  return (
    <div className="mt-3">
      <AnswerQuestion agent={agent} />
    </div>
  );
}

function ActionsOfRun({ runId }: { readonly runId: number }) {
  const { data: run } = useQuery(runQuery(runId));
  return run === undefined ? null : <RunActions run={run} small />;
}
