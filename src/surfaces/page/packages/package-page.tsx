import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { PackageDetail, PackageFinding } from '../../../contract/package-resources.ts';
import { packageQuery, packageReportQuery } from '../api/package-queries.ts';
import { PageTitle, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { visible } from '../parts/visible-text.ts';
import { AnswerPackage } from './answer-package.tsx';
import { DecidePackage } from './decide-package.tsx';
import { FindingsProvider } from './finding-notes.tsx';
import { placeFindings, placesIn } from './findings-in-place.ts';
import { PackageAcknowledgement } from './package-acknowledgement.tsx';
import { PackageChain } from './package-chain.tsx';
import { contentOf, PackageContent } from './package-content.tsx';
import { PackageDecisions } from './package-decisions.tsx';
import { PackageOverview } from './package-overview.tsx';
import { PackageRaw } from './package-raw.tsx';
import { PackageReportNow } from './package-report.tsx';
import { PackageRounds } from './package-rounds.tsx';
import { PackageTimeline } from './package-timeline.tsx';
import { countFindings } from './package-words.ts';
import { personActions } from './person-actions.ts';
import { WaiveDialog } from './waive-dialog.tsx';

/** Everything about one package. */
export function PackagePage() {
  const { id } = useParams({ from: '/packages/$id' });
  const { data: detail, error } = useQuery(packageQuery(id));
  if (detail === undefined)
    return (
      <>
        <PageTitle title="Package" />
        {error === null ? <Loading /> : <Trouble error={error} />}
      </>
    );
  // Its own state per package: what was typed about one must not go to the next.
  return <WholePackage key={detail.id} detail={detail} />;
}

function WholePackage({ detail }: { readonly detail: PackageDetail }) {
  const report = useQuery(packageReportQuery(detail.id));
  const actions = personActions(detail);
  const isActing = actions.includes('decide') || actions.includes('answer');
  const acting = useRef<HTMLDivElement>(null);
  const [waiving, setWaiving] = useState<PackageFinding | null>(null);
  const isDraft = detail.state === 'draft';
  // Of a draft nothing is kept: what the lint says of it now is what counts.
  const findings = (isDraft ? report.data?.findings : undefined) ?? detail.findings;
  const content = contentOf(detail);
  const found = useMemo(
    () => ({ placed: placeFindings(findings, placesIn(content)), onWaive: isDraft ? setWaiving : null }),
    [findings, content, isDraft],
  );
  return (
    <>
      <PageTitle title={detail.id} note={`${detail.type} from ${visible(detail.from)} to ${visible(detail.to)}`} />
      <PackageOverview detail={detail} onAct={isActing ? () => acting.current?.focus() : null} />
      <div className="grid items-start gap-x-8 xl:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <div className="min-w-0">
          <Section
            title="What it says"
            aside={<Counts findings={isDraft && report.data === undefined ? null : findings} />}
          >
            <FindingsProvider value={found}>
              <PackageContent detail={detail} report={report.data} />
            </FindingsProvider>
          </Section>
          {/* What was asked before belongs to what is decided now. */}
          <PackageRounds detail={detail} />
          {isActing && (
            <div ref={acting} tabIndex={-1} className="mb-8 scroll-mt-4 outline-none">
              {actions.includes('decide') && <DecidePackage detail={detail} report={report.data} />}
              {actions.includes('answer') && <AnswerPackage detail={detail} />}
            </div>
          )}
          <PackageAcknowledgement detail={detail} />
          <Section title="As it is kept">
            <PackageRaw detail={detail} />
          </Section>
        </div>
        <div className="min-w-0">
          {!isDraft && <PackageReportNow report={report} />}
          <PackageDecisions detail={detail} />
          <PackageChain detail={detail} />
          <PackageTimeline id={detail.id} />
        </div>
      </div>
      {waiving !== null && <WaiveDialog detail={detail} finding={waiving} onClose={() => setWaiving(null)} />}
    </>
  );
}

/** Null until it was looked: nobody may take that for "nothing found". */
function Counts({ findings }: { readonly findings: readonly PackageFinding[] | null }) {
  if (findings === null) return null;
  return <span className="text-sm text-muted">The lint found {countFindings(findings) || 'nothing'}</span>;
}
