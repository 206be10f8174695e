import type { PackageInput, SealedPackage } from '../../../../contract/packages/package.ts';
import type { PackageDetail, PackageReport } from '../../../../contract/packages/package-resources.ts';
import { usePartyNames } from '../../api/party-names.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { At } from '../../parts/time.tsx';
import { ArtifactList } from './artifact-list.tsx';
import { Items, idOf, LocalId, type Named, Part, textOf } from './content-parts.tsx';
import { FindingsElsewhere } from './finding-notes.tsx';
import { Criteria } from './package-criteria.tsx';
import { PackageExtras } from './package-extras.tsx';
import { Said } from './said.tsx';

export const contentOf = ({ package: content }: PackageDetail): PackageInput & Partial<SealedPackage> =>
  content as unknown as PackageInput & Partial<SealedPackage>;

interface Props {
  readonly detail: PackageDetail;
  readonly report: PackageReport | undefined;
}

/** The content of the package, in the order of the protocol, with the lint's findings at each part. */
export function PackageContent({ detail, report }: Props) {
  const content = contentOf(detail);
  const { to, context, expectations } = content;
  return (
    <Panel className="divide-y divide-line">
      <FindingsBlock />
      <Part title="Why this receiver" place="/to/reason" value={to.reason}>
        <Said text={to.reason} />
        {to.capabilities_required !== undefined && (
          <p className="mt-1 text-sm text-muted">
            Required capabilities: {visible(to.capabilities_required.join(', '))}
          </p>
        )}
      </Part>
      <Part title="Summary" place="/context/summary" value={context.summary}>
        <Said text={context.summary} />
      </Part>
      <Decisions content={content} />
      <Part title="Artifacts" place="/context/artifacts" value={context.artifacts}>
        <ArtifactList artifacts={context.artifacts ?? []} report={report} />
      </Part>
      <OpenQuestions content={content} />
      <TextList title="Dead ends" place="/context/dead_ends" texts={context.dead_ends} />
      <TextList title="Assumptions" place="/context/assumptions" texts={context.assumptions} />
      <TextList
        title="Contingencies"
        place="/context/contingency"
        texts={context.contingency?.map(({ if: when, then: what }) => `If ${when}: ${what}`)}
      />
      <Part title="Deliverable" place="/expectations/deliverable" value={expectations?.deliverable}>
        <Said text={expectations?.deliverable ?? ''} />
        {expectations?.deadline !== undefined && (
          <p className="mt-1 text-sm text-muted">
            Due <At at={expectations.deadline} />
          </p>
        )}
      </Part>
      <Numbered title="Constraints" place="/expectations/constraints" items={expectations?.constraints} letter="K" />
      <Criteria detail={detail} content={content} />
      <PackageExtras content={content} />
    </Panel>
  );
}

const FindingsBlock = () => (
  <div className="px-4 empty:hidden [&:has(li)]:py-2">
    <FindingsElsewhere />
  </div>
);

const Decisions = ({ content: { context } }: { readonly content: PackageInput }) => (
  <Items
    title="Decisions"
    place="/context/decisions"
    items={context.decisions}
    show={({ id, decision, rationale, supersedes, status }) => (
      <>
        <p>
          <LocalId id={id} />
          <Said text={decision} className="font-medium" />
          {(status === 'pending' || id === 'pending') && <span className="text-violet"> · pending</span>}
          {supersedes !== undefined && <span className="text-muted"> · replaces {visible(supersedes)}</span>}
        </p>
        {rationale !== undefined && rationale !== '' && (
          <p className="mt-0.5 text-sm">
            <span className="text-muted">Rationale: </span>
            <Said text={rationale} />
          </p>
        )}
      </>
    )}
  />
);

const PRIORITY: Readonly<Record<string, Tone>> = { high: 'red', medium: 'amber', low: 'grey' };

function OpenQuestions({ content: { context } }: { readonly content: PackageInput }) {
  const called = usePartyNames();
  return (
    <Items
      title="Open questions"
      place="/context/open_questions"
      items={context.open_questions}
      show={({ question, priority, context: more, blocking, owner }) => (
        <>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Said text={question} className="min-w-0" />
            <Badge tone={PRIORITY[priority] ?? 'grey'}>{`${priority} priority`}</Badge>
          </p>
          <p className="text-sm text-muted">
            {visible(
              [
                owner === undefined ? undefined : `Owner: ${called(owner)}`,
                blocking === undefined ? undefined : blocking ? 'blocks the work' : 'does not block the work',
              ]
                .filter(Boolean)
                .join(' · '),
            )}
          </p>
          {more !== undefined && <Said text={more} className="text-sm" />}
        </>
      )}
    />
  );
}

const TextList = ({
  title,
  place,
  texts,
}: {
  readonly title: string;
  readonly place: string;
  readonly texts: readonly string[] | undefined;
}) => <Items title={title} place={place} items={texts} show={(text) => <Said text={text} />} />;

function Numbered({
  title,
  place,
  items,
  letter,
}: {
  readonly title: string;
  readonly place: string;
  readonly items: readonly Named[] | undefined;
  readonly letter: string;
}) {
  return (
    <Items
      title={title}
      place={place}
      items={items}
      show={(item, index) => (
        <p>
          <LocalId id={idOf(item, index, letter)} />
          <Said text={textOf(item)} />
        </p>
      )}
    />
  );
}
