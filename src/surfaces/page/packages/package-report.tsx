import type { UseQueryResult } from '@tanstack/react-query';
import type { PackageDetail, PackageFinding, PackageReport } from '../../../contract/packages/package-resources.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { At } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { FindingNotes } from './content/finding-notes.tsx';
import { isOperator } from './package-words.ts';

/**
 * Returns the verdict of the report in words. Only a package that is pending or has open questions can be called ready
 * to accept. A person does not accept a package, but decides about it.
 */
function verdict(detail: PackageDetail, { blocked, findings }: PackageReport): string {
  const isOpen = detail.state === 'pending' || detail.state === 'clarifying';
  if (isOpen && !isForPerson(detail)) return blocked ? 'Not ready to accept' : 'Ready to accept';
  if (blocked) return isOpen ? 'Check the problems before you decide' : 'Problems found';
  return findings.length === 0 ? 'No problems found' : 'No errors found';
}

/** True if a person decides about the package. */
const isForPerson = ({ to, gate }: PackageDetail): boolean => isOperator(to) || gate !== null;

/** Rules whose advice is to ask the sender. */
const ASKS: ReadonlySet<string> = new Set(['HP902', 'HP903']);

/**
 * Returns the findings of the report as the page shows them. If a person decides about the package, the advice to ask
 * the sender becomes "Ask a question." Leaves out a vague constraint if the package's content already shows a finding
 * about the same constraint.
 */
function findingsNow(detail: PackageDetail, findings: readonly PackageFinding[]): readonly PackageFinding[] {
  // Take the constraint of a lint finding from the position in its pointer, and the constraint of a report finding from
  // its message, because each kind of finding names the constraint only there.
  const shown = detail.constraints.filter((_, index) =>
    detail.findings.some(
      ({ rule, pointer }) => rule === 'HP401' && pointer.endsWith(`/expectations/constraints/${index}`),
    ),
  );
  return findings
    .filter(({ rule, message }) => rule !== 'HP401' || !shown.some(({ id }) => message.startsWith(`Constraint ${id} `)))
    .map((each) => (isForPerson(detail) && ASKS.has(each.rule) ? { ...each, fix: 'Ask a question.' } : each));
}

/**
 * The report that the receiver of the package would get now. The report does not rely on statements of the sender or
 * the receiver: Baton checks the files itself.
 */
export function PackageReportNow({
  detail,
  report,
}: {
  readonly detail: PackageDetail;
  readonly report: UseQueryResult<PackageReport>;
}) {
  const { id } = detail;
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
              <Badge tone={data.blocked ? 'red' : 'green'}>{verdict(detail, data)}</Badge>
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
            <FindingNotes findings={findingsNow(detail, data.findings)} />
          </>
        )}
      </Panel>
    </Section>
  );
}
