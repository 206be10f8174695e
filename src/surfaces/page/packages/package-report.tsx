import type { UseQueryResult } from '@tanstack/react-query';
import type { PackageDetail, PackageReport } from '../../../contract/packages/package-resources.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { At } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { FindingNotes } from './content/finding-notes.tsx';

/**
 * Returns the verdict of the report in words. Only a package that is pending or has open questions can be called ready
 * to accept.
 */
function verdict(state: PackageDetail['state'], isBlocked: boolean): string {
  if (state !== 'pending' && state !== 'clarifying') return isBlocked ? 'Problems found' : 'No problems found';
  return isBlocked ? 'Not ready to accept' : 'Ready to accept';
}

/**
 * The report that the receiver of the package would get now. It does not rely on statements of the sender or the
 * receiver: Baton checks the files itself.
 */
export function PackageReportNow({
  id,
  state,
  report,
}: {
  readonly id: string;
  readonly state: PackageDetail['state'];
  readonly report: UseQueryResult<PackageReport>;
}) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = report;
  return (
    <Section
      title="Live check"
      aside={
        <Button
          small
          kind="quiet"
          // The negative margin keeps the button from making this heading higher than the headings beside it.
          className="-my-3 md:-my-1.5"
          busy={isFetching}
          aria-label={`Check again: ${id}`}
          onClick={() => void refetch()}
        >
          Check again
        </Button>
      }
    >
      <Panel className="p-4">
        <Trouble error={error} />
        {data === undefined && error === null && (
          <p data-loading="" className="text-sm text-muted">
            Checking…
          </p>
        )}
        {data !== undefined && (
          <>
            <p className="mb-2 flex flex-wrap items-baseline justify-between gap-2">
              <Badge tone={data.blocked ? 'red' : 'green'}>{verdict(state, data.blocked)}</Badge>
              <span className="text-sm text-muted">
                Checked <At at={new Date(dataUpdatedAt).toISOString()} />
                {data.folder !== null && (
                  <>
                    {' '}
                    in{' '}
                    <code title={visible(data.folder)} className="font-mono break-all">
                      {visible(data.folder.replace(/^.*\/(?=[^/])/, ''))}
                    </code>
                  </>
                )}
              </span>
            </p>
            <FindingNotes findings={data.findings} withPlace />
          </>
        )}
      </Panel>
    </Section>
  );
}
