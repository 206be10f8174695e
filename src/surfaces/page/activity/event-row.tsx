import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Event } from '../../../contract/resources.ts';
import type { Tone } from '../parts/badge.tsx';
import { classes } from '../parts/class-names.ts';
import { ScrollArea } from '../parts/scroll-area.tsx';
import { absoluteTime } from '../parts/time.tsx';
import { visible } from '../parts/visible-text.ts';
import { type Kind, kindOf } from './event-kinds.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Drawn once: an event never changes, so a flood of new ones costs only their own rows. */
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
  const { seq, at, type, agent_id, run_id } = event;
  return (
    <li className="px-3 py-1.5 [contain-intrinsic-size:auto_2.6rem] [content-visibility:auto] md:px-5">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 md:flex-nowrap">
        <EventTime at={at} />
        <KindWord type={type} />
        <span className="min-w-0 flex-1 basis-full break-words md:basis-0">{visible(sentence)}</span>
        <span className="flex shrink-0 items-baseline gap-3 text-sm">
          {agent_id !== null && (
            <Link to="/agents/$id" params={{ id: agent_id }} className="text-accent underline-offset-4 hover:underline">
              agent {agent_id}
            </Link>
          )}
          {run_id !== null && (
            <Link to="/runs/$id" params={{ id: run_id }} className="text-accent underline-offset-4 hover:underline">
              run {run_id}
            </Link>
          )}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`Data of event ${seq}`}
            onClick={() => onToggle(seq)}
            className="rounded px-1 text-muted hover:text-ink"
          >
            data <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          </button>
        </span>
      </div>
      {isOpen && <RawEvent event={event} />}
    </li>
  );
});

const isToday = (date: Date): boolean => date.toDateString() === new Date().toDateString();

function EventTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(at)} className="shrink-0 text-sm text-muted tabular-nums md:w-40">
      {isToday(date) ? '' : `${day.format(date)}, `}
      {clock.format(date)}
    </time>
  );
}

const WORDS: Readonly<Record<Kind, readonly [string, Exclude<Tone, 'grey'>]>> = {
  agent: ['agent', 'green'],
  handoff: ['handoff', 'violet'],
  inbox: ['inbox', 'amber'],
  messages: ['message', 'blue'],
  server: ['baton', 'red'],
};

const COLOURS = {
  green: 'text-green',
  violet: 'text-violet',
  amber: 'text-amber',
  blue: 'text-blue',
  red: 'text-red',
} as const;

function KindWord({ type }: { readonly type: string }) {
  const kind = kindOf(type);
  const [word, tone] = kind === undefined ? (['other', null] as const) : WORDS[kind];
  return (
    <span className={classes('shrink-0 text-sm md:w-18', tone === null ? 'text-muted' : COLOURS[tone])}>{word}</span>
  );
}

const RawEvent = ({ event }: { readonly event: Event }) => (
  <ScrollArea
    label={`Data of event ${event.seq}`}
    className="mt-1.5 mb-2 max-h-80 overflow-auto rounded-lg bg-sunken p-3"
  >
    <pre className="font-mono text-sm break-words whitespace-pre-wrap">
      {visible(JSON.stringify({ seq: event.seq, type: event.type, ...event.data }, null, 2))}
    </pre>
  </ScrollArea>
);
