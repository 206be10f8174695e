import { useSyncExternalStore } from 'react';

/** The only clock of the page, so that all times on the page change together. */
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Stop the clock while no component listens to it.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns a value derived from the clock. The component rerenders only when this value changes. */
const useClock = <T extends string | number>(select: (nowMs: number) => T): T =>
  useSyncExternalStore(subscribe, () => select(now));

const STEPS = [
  // Show a time in minutes if it is at least 55 seconds ago. Seconds are rounded to tens, so 55 seconds would be shown
  // as 60 seconds.
  [55, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [Number.POSITIVE_INFINITY, 'day', 86_400],
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function inWords(at: string, nowMs: number): string {
  // Treat a time in the future as now. Such a time may come from another machine's clock, or the page's clock may not
  // have ticked yet.
  const seconds = Math.min(0, Math.round((Date.parse(at) - nowMs) / 1000));
  if (seconds > -10) return 'just now';
  const [, unit, size] = STEPS.find(([below]) => Math.abs(seconds) < below) ?? STEPS[3];
  // Round to ten seconds, because a number that changes every second would draw attention.
  const amount = unit === 'second' ? Math.round(seconds / 10) * 10 : Math.round(seconds / size);
  return relative.format(amount, unit);
}

export const absoluteTime = (at: string): string => absolute.format(new Date(at));

/** Shows a time as "3 min ago". The tooltip has the whole date and time. */
export function Ago({ at }: { readonly at: string }) {
  const words = useClock((nowMs) => inWords(at, nowMs));
  return (
    <time dateTime={at} title={absoluteTime(at)}>
      {words}
    </time>
  );
}

/** Returns the local time of day. Adds the date if the time is not today. */
export function At({ at }: { readonly at: string }) {
  const date = new Date(at);
  const sameDay = date.toDateString() === new Date().toDateString();
  const text = sameDay ? date.toLocaleTimeString() : absoluteTime(at);
  return (
    <time dateTime={at} title={absoluteTime(at)}>
      {text}
    </time>
  );
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Counts down to a time, and shows the text `overdue` once the time has passed. */
export function Countdown({
  to,
  before = '',
  after = '',
  overdue = 'overdue',
}: {
  readonly to: string;
  /** The texts before and after the remaining time. */
  readonly before?: string;
  readonly after?: string;
  readonly overdue?: string;
}) {
  const left = useClock((nowMs) => Math.ceil((Date.parse(to) - nowMs) / 1000));
  return (
    <time dateTime={to} title={absoluteTime(to)} className="whitespace-nowrap tabular-nums">
      {left > 0 ? `${before}${duration(left * 1_000)}${after}` : overdue}
    </time>
  );
}

/** Shows how much time has passed since the given time. */
export function Elapsed({ since }: { readonly since: string }) {
  const seconds = useClock((nowMs) => Math.max(0, Math.round((nowMs - Date.parse(since)) / 1000)));
  return <span className="whitespace-nowrap tabular-nums">{duration(seconds * 1_000)}</span>;
}
