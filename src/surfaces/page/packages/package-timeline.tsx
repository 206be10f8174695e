import { useQuery } from '@tanstack/react-query';
import type { Event } from '../../../contract/resources.ts';
import { packageEventsQuery } from '../api/package-queries.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { At } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** The package's history, from the log. */
export function PackageTimeline({ id }: { readonly id: string }) {
  const { data: events = [], error } = useQuery(packageEventsQuery(id));
  return (
    <Section title="History">
      <Panel className="px-4 py-3">
        <Trouble error={error} />
        <ol>
          {events.map((event) => (
            <Step key={event.seq} event={event} />
          ))}
        </ol>
      </Panel>
    </Section>
  );
}

const Step = ({ event }: { readonly event: Event }) => (
  <li className="group relative pb-3 pl-6 last:pb-0">
    <span
      aria-hidden="true"
      className="absolute top-3 bottom-[-0.4rem] left-[0.3rem] w-px bg-line-strong group-last:hidden"
    />
    <span
      aria-hidden="true"
      className="absolute top-1.5 left-0 size-[0.65rem] rounded-full bg-blue ring-3 ring-panel"
    />
    <p className="wrap-anywhere">{visible(event.sentence)}</p>
    <p className="text-sm text-muted" title={`Event ${event.seq}`}>
      <At at={event.at} />
    </p>
  </li>
);
