import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import type { Candidate } from '../../../contract/resources.ts';
import { candidatesQuery, runtimesQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { Dotted } from '../parts/lists/dotted.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { Ago } from '../parts/time.tsx';

const AdoptSessionDialog = lazy(async () => ({
  default: (await import('./dialogs/adopt-session-dialog.tsx')).AdoptSessionDialog,
}));

/** The live external sessions. Baton does nothing with a session until the operator adopts it. */
export function OwnSessions() {
  const { data: candidates = [] } = useQuery(candidatesQuery);
  const running = candidates.filter(({ alive }) => alive);
  if (running.length === 0) return null;
  return (
    <Section
      title="External sessions"
      aside={
        <span className="text-xs text-muted">
          Started outside Baton, reported by your hooks. Adopt one to manage it here.
        </span>
      }
    >
      <Panel>
        <ul className="divide-y divide-line">
          {running.map((candidate) => (
            <li key={`${candidate.runtime}/${candidate.session_id}`}>
              <ExternalSessionRow candidate={candidate} />
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function ExternalSessionRow({ candidate }: { readonly candidate: Candidate }) {
  const open = useDialogHost();
  const { data: runtimes = [] } = useQuery({ ...runtimesQuery, staleTime: 5 * 60_000 });
  const { session_id, runtime, folder, tmux, first_seen_at, why_not } = candidate;
  const name = visible(session_id.slice(0, 8));
  const title = runtimes.find(({ id }) => id === runtime)?.title ?? runtime;
  return (
    <article
      aria-label={`Session ${name}`}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-semibold wrap-anywhere">
          {visible(lastPart(folder) ?? 'Unknown folder')}{' '}
          <span className="font-normal text-muted">· {visible(title)}</span>
        </h3>
        {folder !== null && <p className="font-mono text-xs wrap-anywhere text-muted">{visible(folder)}</p>}
        <Dotted className="text-sm text-muted">
          <span>
            Session <code className="font-mono">{name}</code>
          </span>
          {tmux !== null && `Pane ${tmux.pane} on ${visible(tmux.socket)}`}
          {tmux === null && why_not === null && 'Not in tmux'}
          <span>
            First seen <Ago at={first_seen_at} />
          </span>
        </Dotted>
        {why_not !== null && <p className="mt-1 text-sm wrap-anywhere text-amber">{visible(why_not)}</p>}
      </div>
      {why_not === null && (
        <Button
          small
          aria-label={`Adopt session ${name}`}
          onClick={() => open((close) => <AdoptSessionDialog candidate={candidate} onClose={close} />)}
        >
          Adopt…
        </Button>
      )}
    </article>
  );
}

/** The last part of a path; undefined if there is none. */
const lastPart = (path: string | null): string | undefined => path?.split('/').filter(Boolean).at(-1);
