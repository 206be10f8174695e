import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { PackageDetail, PackageFinding } from '../../../contract/packages/package-resources.ts';
import { packageQuery, packageReportQuery } from '../api/package-queries.ts';
import { usePartyNames } from '../api/party-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Column, PageTitle, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { FindingsProvider } from './content/finding-notes.tsx';
import { placeFindings, placesIn } from './content/findings-in-place.ts';
import { contentOf, PackageContent } from './content/package-content.tsx';
import { PackageDecisions } from './content/package-decisions.tsx';
import { PackageRaw } from './content/package-raw.tsx';
import { AnswerPackage } from './decide/answer-package.tsx';
import { DecidePackage } from './decide/decide-package.tsx';
import { personActions } from './decide/person-actions.ts';
import { WaiveDialog } from './decide/waive-dialog.tsx';
import { PackageAcknowledgement } from './package-acknowledgment.tsx';
import { PackageChain } from './package-chain.tsx';
import { PackageOverview } from './package-overview.tsx';
import { PackageReportNow } from './package-report.tsx';
import { PackageRounds } from './package-rounds.tsx';
import { PackageTimeline } from './package-timeline.tsx';
import { countFindings } from './package-words.ts';

const BACK = { to: '/packages', title: 'Packages' };

/** The page of one package, with everything that Baton knows about it. */
export function PackagePage() {
  const { id } = useParams({ from: '/packages/$id' });
  const { data: detail, error } = useQuery(packageQuery(id));
  if (detail === undefined)
    return (
      <Column>
        <PageTitle title="Package" back={BACK} />
        {error === null ? <Loading /> : <Trouble error={error} />}
      </Column>
    );
  // Each package has its own component state, because text that was typed for one package must not be sent to the next.
  return <WholePackage key={detail.id} detail={detail} />;
}

function WholePackage({ detail }: { readonly detail: PackageDetail }) {
  const report = useQuery(packageReportQuery(detail.id));
  const called = usePartyNames();
  const actions = personActions(detail);
  const isActing = actions.includes('decide') || actions.includes('answer');
  const acting = useRef<HTMLDivElement>(null);
  const [waiving, setWaiving] = useState<PackageFinding | null>(null);
  const isDraft = detail.state === 'draft';
  // Show the findings of the current report for a draft, because the draft itself stores no findings.
  const findings = (isDraft ? report.data?.findings : undefined) ?? detail.findings;
  const content = contentOf(detail);
  const found = useMemo(
    () => ({
      packageId: detail.id,
      placed: placeFindings(findings, placesIn(content)),
      onWaive: isDraft ? setWaiving : null,
    }),
    [detail.id, findings, content, isDraft],
  );
  return (
    <>
      <PageTitle
        back={BACK}
        title={detail.id}
        note={visible(`${detail.type} from ${called(detail.from)} to ${called(detail.to)}`)}
      />
      <PackageOverview detail={detail} onAct={isActing ? () => acting.current?.focus() : null} />
      {/* Show the file check above the content, even on a narrow page. The check may say that files changed. */}
      <div className="grid items-start gap-x-8 xl:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)] xl:grid-rows-[auto_1fr]">
        <div className="min-w-0 xl:col-start-2">{!isDraft && <PackageReportNow detail={detail} report={report} />}</div>
        <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <Section title="Content" aside={<Counts findings={isDraft && report.data === undefined ? null : findings} />}>
            <FindingsProvider value={found}>
              <PackageContent detail={detail} report={report.data} />
            </FindingsProvider>
          </Section>
          {/* Show earlier questions and answers above the form, because they matter for the decision. */}
          <PackageRounds detail={detail} />
          {isActing && (
            <div ref={acting} tabIndex={-1} className="mb-8 scroll-mt-4 outline-none">
              {actions.includes('decide') && <DecidePackage detail={detail} report={report.data} />}
              {actions.includes('answer') && <AnswerPackage detail={detail} />}
            </div>
          )}
          <PackageAcknowledgement detail={detail} />
          <Section title="Source">
            <PackageRaw detail={detail} />
          </Section>
        </div>
        <div className="min-w-0 xl:col-start-2">
          <PackageDecisions detail={detail} />
          <PackageChain detail={detail} />
          <PackageTimeline id={detail.id} />
        </div>
      </div>
      {waiving !== null && <WaiveDialog detail={detail} finding={waiving} onClose={() => setWaiving(null)} />}
    </>
  );
}

/**
 * Shows the number of findings. `findings` is null until the report has loaded; until then the page must not show "no
 * findings".
 */
function Counts({ findings }: { readonly findings: readonly PackageFinding[] | null }) {
  if (findings === null) return null;
  return <span className="text-sm text-muted">Lint: {countFindings(findings) || 'no findings'}</span>;
}
