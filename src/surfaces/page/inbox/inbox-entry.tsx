import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { InboxItem, Severity } from '../../../contract/resources.ts';
import { HandoffButton } from '../agents/agent-card.tsx';
import { AnswerQuestion } from '../agents/answer-question.tsx';
import { isLive } from '../agents/hand-off.ts';
import { SendMessage } from '../agents/send-message.tsx';
import { useMachine, useOnMachine } from '../api/machine-clients.ts';
import { agentQuery, runQuery } from '../api/queries.ts';
import { AutoNote } from '../handoffs/policy/auto-note.tsx';
import { RunActions } from '../handoffs/run-actions.tsx';
import { AsOf, useHeard } from '../machines/heard.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago } from '../parts/time.tsx';
import { ToAgent, ToPackage, ToPersona, ToRun } from '../parts/to.tsx';
import { ShortPaths } from '../parts/words/short-paths.tsx';
import { ItemOffers } from './item-offers.tsx';
import { useDismiss } from './use-dismiss.ts';

/** The form for a package is loaded when the first package waits, because most inboxes have no packages. */
const PackageInInbox = lazy(() => import('../packages/package-in-inbox.tsx'));

/** The note about an agent's usage limit. Its code is loaded when the first agent is under such a limit. */
const LimitNote = lazy(async () => ({ default: (await import('../agents/needs/limit-note.tsx')).LimitNote }));

/** The color and the word of the badge for each severity. */
interface Look {
  readonly tone: Tone;
  readonly word: string;
}

export const SEVERITY_LOOKS: Readonly<Record<Severity, Look>> = {
  failed: { tone: 'red', word: 'Failed' },
  question: { tone: 'amber', word: 'Question' },
  decision: { tone: 'violet', word: 'Decision' },
  lost: { tone: 'red', word: 'Lost' },
  stuck: { tone: 'amber', word: 'Stuck' },
  handoff: { tone: 'blue', word: 'Handoff suggested' },
  notice: { tone: 'grey', word: 'Notice' },
};

/** The badge of an item that reports the countdown to an automatic handoff. */
const AUTOMATIC: Look = { tone: 'blue', word: 'Automatic handoff' };

/** Returns the look of an item's badge. An unknown severity, from a newer server, looks like a notice. */
const lookOf = ({ severity = 'notice', offers = [] }: InboxItem): Look =>
  offers.includes('cancel_countdown')
    ? AUTOMATIC
    : ((SEVERITY_LOOKS as Readonly<Record<string, Look>>)[severity] ?? SEVERITY_LOOKS.notice);

/** True if the item proposes to hand off the agent. */
const isAboutHandoff = ({ severity, offers = [] }: InboxItem): boolean =>
  severity === 'handoff' || offers.includes('handoff');

/** True if the agent is stuck and the item proposes no handoff. */
const isStuck = (item: InboxItem): boolean => item.severity === 'stuck' && !isAboutHandoff(item);

/** True if a hint names a command. The page does not show such a hint, because it has buttons and links instead. */
const namesCommand = (hint: string): boolean => /\bbaton [a-z]/.test(hint);

/** One inbox item with everything that the operator can do about the item. */
export function InboxEntry({ item, folded }: { readonly item: InboxItem; readonly folded: boolean }) {
  const { tone, word } = lookOf(item);
  const machine = useMachine();
  const heard = useHeard();
  return (
    <Panel className="p-4">
      <div data-item="" tabIndex={-1} className="outline-offset-8">
        <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={tone}>{word}</Badge>
            {machine !== null && heard !== null && (
              <Badge tone="grey">
                <span>
                  {machine}, <AsOf heard={heard} />
                </span>
              </Badge>
            )}
          </span>
          <span className="text-sm text-muted">
            {item.notified.held !== undefined && `Notification held back (${item.notified.held}) · `}
            <Ago at={item.opened_at} />
          </span>
        </div>
        <p className="wrap-anywhere">
          <ShortPaths text={item.sentence} />
        </p>
        {!namesCommand(item.hint) && <p className="mt-1 text-sm wrap-anywhere text-muted">{visible(item.hint)}</p>}
        {isAboutHandoff(item) && item.agent_id !== null && <SuggestedHandoff agentId={item.agent_id} />}
        {item.kind === 'question' && item.agent_id !== null && <Question agentId={item.agent_id} />}
        {isStuck(item) && item.agent_id !== null && <AskAgain agentId={item.agent_id} />}
        {isStuck(item) && item.agent_id !== null && <UnderLimit agentId={item.agent_id} />}
        {item.run_id !== null && <ActionsOfRun runId={item.run_id} />}
        {/* Show the recommended actions above the package, which ends with the buttons that fail and cancel it. */}
        <ItemOffers item={item} />
        {item.package_id && <AboutPackage id={item.package_id} kind={item.kind} folded={folded} />}
        <ItemFoot item={item} />
      </div>
    </Panel>
  );
}

/** The look of a link in the foot of an item. On a phone, the link is high enough for a finger. */
const LINK = 'inline-flex min-h-[44px] items-center text-accent underline md:min-h-0';

/** Shows links to the handoff, package, lessons and agent that the item names, and a button to dismiss the item. */
function ItemFoot({ item }: { readonly item: InboxItem }) {
  const dismiss = useDismiss();
  const on = useOnMachine();
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-2 text-sm">
      <span className="flex flex-wrap gap-x-3">
        {item.run_id !== null && (
          <ToRun id={item.run_id} className={LINK} data-open="">
            Handoff {item.run_id}
          </ToRun>
        )}
        {item.package_id && (
          <ToPackage id={item.package_id} data-open="" className={LINK}>
            Open {item.package_id}
          </ToPackage>
        )}
        {item.persona && (
          <ToPersona id={item.persona} tab="lessons" data-open="" className={LINK}>
            See the lessons
          </ToPersona>
        )}
        {item.agent_id !== null && (
          <ToAgent id={item.agent_id} data-open="" className={LINK}>
            Agent {item.agent_id}
          </ToAgent>
        )}
      </span>
      <Button
        small
        kind="quiet"
        busy={dismiss.busy}
        aria-label={visible(`Dismiss${on}: ${item.sentence}`)}
        onClick={() => void dismiss.run([item])}
      >
        Dismiss
      </Button>
    </div>
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
  // Read `folded` only once, at the beginning. If another item arrives later, a form that the operator is using must
  // stay open.
  const [isOpen, setOpen] = useState(!folded);
  const on = useOnMachine();
  const label = kind === 'question' ? 'Read and answer' : kind === 'decision' ? 'Read and decide' : 'Read package';
  if (!isOpen)
    return (
      <Button
        small
        kind={kind === 'notice' ? 'plain' : 'primary'}
        className="mt-3"
        aria-label={visible(`${label}: ${id}${on}`)}
        onClick={() => setOpen(true)}
      >
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

function SuggestedHandoff({ agentId }: { readonly agentId: number }) {
  const { data: agent } = useQuery(agentQuery(agentId));
  return agent === undefined ? null : (
    <div className="mt-3 flex flex-col gap-3">
      {agent.auto_handoff?.countdown && <AutoNote agent={agent} />}
      <span className="empty:hidden">
        <HandoffButton agent={agent} small />
      </span>
    </div>
  );
}

/** The countdown to the end of the agent's usage limit, and what the operator can do until then. */
function UnderLimit({ agentId }: { readonly agentId: number }) {
  const { data: agent } = useQuery(agentQuery(agentId));
  if (agent === undefined || !agent.limit || agent.run_id !== null) return null;
  return (
    <div className="mt-3">
      <Suspense>
        <LimitNote agent={agent} limit={agent.limit} />
      </Suspense>
    </div>
  );
}

/** A form for a message to an agent whose turn failed, so that the operator can repeat the request. */
function AskAgain({ agentId }: { readonly agentId: number }) {
  const { data: agent } = useQuery(agentQuery(agentId));
  if (agent === undefined || !isLive(agent) || agent.state !== 'idle' || agent.run_id !== null) return null;
  return (
    <div className="mt-3">
      <SendMessage agent={agent} />
    </div>
  );
}
