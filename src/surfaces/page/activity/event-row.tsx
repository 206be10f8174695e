import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, memo, type ReactNode, useState } from 'react';
import { doerInWords } from '../../../contract/doer.ts';
import type { Event, EventKind } from '../../../contract/resources.ts';
import { isPackageId } from '../api/package-queries.ts';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { ScrollRegion } from '../parts/scroll/scroll-region.tsx';
import { absoluteTime } from '../parts/time.tsx';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/**
 * The style that makes a button of a row high enough for a thumb on a phone. The button extends into the empty space
 * above and below its line.
 */
const REACH = 'max-md:-mt-1.5 max-md:-mb-2 max-md:min-h-[44px]';

/**
 * One event of the log. The component is memoized: an event never changes, so its row is not rendered again when new
 * events arrive.
 */
export const EventRow = memo(function EventRow({
  event,
  sentence,
  isOpen,
  onToggle,
}: {
  readonly event: Event;
  readonly sentence: string;
  readonly isOpen: boolean;
  readonly onToggle: (seq: number) => void;
}) {
  const { seq, at, kind, agent_id, run_id, by, data } = event;
  /**
   * True if the agent that caused the event is also the agent that the event is about. In this case one link to the
   * agent is enough.
   */
  const isByAgent = agent_id !== null && by === `agent/${agent_id}`;
  const packageId = kind === 'package' && isPackageId(data.packageId) ? data.packageId : null;
  return (
    <li
      data-item=""
      tabIndex={-1}
      className="px-3 py-1.5 focus-visible:-outline-offset-2 [contain-intrinsic-size:auto_2.6rem] [content-visibility:auto] md:px-5"
    >
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 md:flex-nowrap md:gap-x-4">
        <EventTime at={at} />
        <KindWord kind={kind} />
        <span
          className={classes(
            'order-1 min-w-0 flex-1 basis-full wrap-anywhere md:order-none md:basis-0',
            event.bad_news && 'text-red',
          )}
        >
          <Sentence text={sentence} agentId={agent_id} />
        </span>
        <span className="ml-auto flex shrink-0 items-baseline gap-2 text-sm md:gap-3">
          {by !== null && (
            <span className="text-muted">
              by{' '}
              {isByAgent ? <RowLink to={`/agents/${agent_id}`}>{doerInWords(by)}</RowLink> : doerInWords(visible(by))}
            </span>
          )}
          {agent_id !== null && !isByAgent && agentIn(sentence, agent_id) === null && (
            <RowLink to={`/agents/${agent_id}`}>agent {agent_id}</RowLink>
          )}
          {packageId !== null && <RowLink to={`/packages/${packageId}`}>{packageId}</RowLink>}
          {run_id !== null && <RowLink to={`/runs/${run_id}`}>handoff {run_id}</RowLink>}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`Data of event ${seq}`}
            onClick={() => onToggle(seq)}
            className={classes('rounded px-1 text-muted hover:text-ink', REACH)}
          >
            data <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          </button>
        </span>
      </div>
      {isOpen && <RawEvent event={event} />}
    </li>
  );
});

/**
 * Finds the words that name the agent in a sentence, such as "Agent 3 (Ada)". Returns the words and their position, or
 * null if the sentence names no agent.
 */
function agentIn(sentence: string, agentId: number): { readonly at: number; readonly name: string } | null {
  const number = `Agent ${agentId}`;
  let at = sentence.indexOf(number);
  while (at >= 0 && /^\d/.test(sentence.slice(at + number.length))) at = sentence.indexOf(number, at + 1);
  if (at < 0) return null;
  const label = /^ \([^)]*\)/.exec(sentence.slice(at + number.length))?.[0] ?? '';
  return { at, name: number + label };
}

/** Shows the sentence that describes an event. The words that name the agent are a link. */
function Sentence({ text, agentId }: { readonly text: string; readonly agentId: number | null }) {
  const agent = agentId === null ? null : agentIn(text, agentId);
  if (agent === null) return visible(text);
  return (
    <>
      {visible(text.slice(0, agent.at))}
      <RowLink to={`/agents/${agentId}`}>{visible(agent.name)}</RowLink>
      {visible(text.slice(agent.at + agent.name.length))}
    </>
  );
}

/** One line for several reports of working agents. The operator can unfold the line. */
export function FoldedRow({
  at,
  summary,
  count,
  children,
}: {
  readonly at: string;
  readonly summary: string;
  readonly count: number;
  readonly children: () => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <li data-item="" tabIndex={-1} className="px-3 py-1.5 focus-visible:-outline-offset-2 md:px-5">
        <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 md:flex-nowrap md:gap-x-4">
          <EventTime at={at} />
          <KindWord kind="agent" />
          <span className="order-1 min-w-0 flex-1 basis-full wrap-anywhere text-muted md:order-none md:basis-0">
            {visible(summary)}
          </span>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={visible(`${isOpen ? 'Hide' : 'Show'} ${count} events: ${summary}`)}
            onClick={() => setOpen(!isOpen)}
            className={classes('ml-auto shrink-0 rounded px-1 text-sm text-muted hover:text-ink', REACH)}
          >
            {count} events <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          </button>
        </div>
      </li>
      {isOpen && children()}
    </>
  );
}

/**
 * A link that is cheap to render. The router's own Link watches the page's address, which is expensive if the page has
 * hundreds of links.
 */
function RowLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const router = useRouter();
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(to);
  };
  return (
    <a
      href={`#${to}`}
      onClick={follow}
      className="text-accent underline decoration-accent/40 underline-offset-4 hover:decoration-accent"
    >
      {children}
    </a>
  );
}

function EventTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(at)} className="shrink-0 text-sm text-muted tabular-nums md:w-24">
      {clock.format(date)}
    </time>
  );
}

const COLORS = {
  green: 'text-green',
  violet: 'text-violet',
  amber: 'text-amber',
  blue: 'text-blue',
  ink: 'text-ink',
} as const;

const WORDS: Readonly<Record<EventKind, readonly [word: string, color: keyof typeof COLORS]>> = {
  agent: ['agent', 'green'],
  handoff: ['handoff', 'violet'],
  package: ['package', 'violet'],
  inbox: ['inbox', 'amber'],
  messages: ['message', 'blue'],
  server: ['baton', 'ink'],
};

function KindWord({ kind }: Pick<Event, 'kind'>) {
  const [word, tone] = kind === null ? (['other', null] as const) : WORDS[kind];
  return (
    <span className={classes('shrink-0 text-sm md:w-18', tone === null ? 'text-muted' : COLORS[tone])}>{word}</span>
  );
}

const RawEvent = ({ event }: { readonly event: Event }) => (
  <ScrollRegion
    label={`Data of event ${event.seq}`}
    className="mt-1.5 mb-2 max-h-80 overflow-auto rounded-lg bg-sunken p-3"
  >
    <pre className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">
      {visible(JSON.stringify({ seq: event.seq, type: event.type, ...event.data }, null, 2))}
    </pre>
  </ScrollRegion>
);
