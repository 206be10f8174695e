import type { PackageDetail } from '../../../contract/packages/package-resources.ts';
import { usePartyNames } from '../api/party-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { At } from '../parts/time.tsx';
import { contentOf } from './content/package-content.tsx';
import { Said } from './content/said.tsx';

interface Acknowledgement {
  readonly level: string;
  readonly task: string;
  readonly constraints?: readonly string[];
}

/** Shows the task beside the receiver's summary of the task. A person compares them; Baton does not. */
export function PackageAcknowledgement({ detail }: { readonly detail: PackageDetail }) {
  const called = usePartyNames();
  if (detail.acknowledgement === null) return null;
  const { task, constraints = [] } = detail.acknowledgement as unknown as Acknowledgement;
  const content = contentOf(detail);
  return (
    <Section title="Task as sent and as understood">
      <Panel className="grid gap-4 p-4 md:grid-cols-2">
        <div className="min-w-0">
          <h3 className="mb-1 text-sm font-semibold text-muted">Written by {visible(called(detail.from))}</h3>
          <p>
            <Said text={content.expectations?.deliverable ?? content.context.summary} />
          </p>
          <ul className="mt-2 flex flex-col gap-1 text-sm">
            {[...detail.constraints, ...detail.criteria].map(({ id, text }) => (
              <li key={id}>
                <code className="mr-2 font-mono text-[0.8rem] text-muted">{visible(id)}</code>
                <Said text={text} />
              </li>
            ))}
          </ul>
        </div>
        <div className="min-w-0 border-line max-md:border-t max-md:pt-3 md:border-l md:pl-4">
          <h3 className="mb-1 text-sm font-semibold text-muted">Restated by {visible(called(detail.to))}</h3>
          <p>
            <Said text={task} />
          </p>
          <p className="mt-2 text-sm wrap-anywhere text-muted">
            {visible(constraints.join(' · '))}
            {detail.accepted_at !== null && (
              <>
                {constraints.length > 0 && ' · '}
                <At at={detail.accepted_at} />
              </>
            )}
          </p>
        </div>
      </Panel>
    </Section>
  );
}
