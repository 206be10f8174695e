import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/queries.ts';
import { useLive } from '../live/live-context.tsx';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Ago } from '../parts/time.tsx';

const WORDS = { connecting: 'Connecting…', live: 'Live', cut_off: 'Offline', logged_out: 'Signed out' } as const;

/** Says whether the page is connected to the server. Without a connection the page shows an old state. */
export function LinkStatus() {
  const status = useLive((live) => live.status);
  const lastSeq = useLive((live) => live.lastSeq);
  const applied = useLive((live) => live.applied);
  return (
    <p
      role="status"
      data-last-seq={lastSeq}
      data-events-applied={applied}
      className="flex items-center gap-2 text-sm text-muted"
    >
      <span
        aria-hidden="true"
        className={classes(
          'size-2 rounded-full',
          status === 'live' ? 'bg-green' : status === 'cut_off' ? 'bg-red' : 'bg-amber',
        )}
      />
      {WORDS[status]}
    </p>
  );
}

/** Warns that the connection is lost and that the page shows an old state. */
export function StaleBanner() {
  const status = useLive((live) => live.status);
  const since = useLive((live) => live.since);
  const problem = useLive((live) => live.problem);
  if (status !== 'cut_off' || since === null) return null;
  return (
    <div role="alert" className="mb-5 rounded-lg border border-amber/50 bg-amber-soft px-4 py-3 text-amber">
      <strong>
        Connection lost <Ago at={since} />. Data may be out of date.
      </strong>{' '}
      {problem ?? 'Baton closed the connection.'} This page reconnects automatically and then catches up. Until then,
      buttons that change something are disabled.
    </div>
  );
}

/** Shows faults of Baton itself. If the store fails, neither an inbox item nor an event can report the failure. */
export function TroubleBanner() {
  const { data: health } = useQuery(healthQuery);
  if (health === undefined || health.trouble.length === 0) return null;
  return (
    <div role="alert" className="mb-5 rounded-lg border border-red/40 bg-red-soft px-4 py-3 text-red wrap-anywhere">
      <strong>Baton has {health.trouble.length === 1 ? 'a problem' : 'problems'}:</strong>
      <ul>
        {health.trouble.map((sentence) => (
          <li key={sentence}>{visible(sentence)}</li>
        ))}
      </ul>
    </div>
  );
}
