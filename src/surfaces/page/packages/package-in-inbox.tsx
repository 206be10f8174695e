import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PackageDetail, PackageReport } from '../../../contract/packages/package-resources.ts';
import type { InboxItem } from '../../../contract/resources.ts';
import { packageQuery, packageReportQuery } from '../api/package-queries.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { ArtifactList } from './content/artifact-list.tsx';
import { contentOf } from './content/package-content.tsx';
import { Said } from './content/said.tsx';
import { AnswerPackage } from './decide/answer-package.tsx';
import { DecidePackage } from './decide/decide-package.tsx';
import { PackageActions } from './decide/package-actions.tsx';
import { personActions } from './decide/person-actions.ts';
import { PackageRounds } from './package-rounds.tsx';

interface Props {
  readonly id: string;
  readonly kind: InboxItem['kind'];
}

/** Everything that the operator needs to decide about a package without leaving the inbox. */
export default function PackageInInbox({ id, kind }: Props) {
  const { data: detail, error } = useQuery(packageQuery(id));
  const { data: report } = useQuery(packageReportQuery(id));
  if (detail === undefined) return error === null ? <Loading what="Loading package" /> : <Trouble error={error} />;
  const isToDecide = kind === 'decision' && detail.state === 'pending' && detail.waiter === 'human';
  const isToAnswer = kind === 'question' && detail.state === 'clarifying';
  return (
    <div className="mt-3 flex flex-col gap-4">
      <WhatItIsAbout detail={detail} report={report} />
      {isToDecide && <PackageRounds detail={detail} />}
      {isToDecide && <DecidePackage detail={detail} report={report} />}
      {isToAnswer && <AnswerPackage detail={detail} />}
      {!isToDecide && !isToAnswer && <PackageActions detail={detail} actions={personActions(detail)} />}
    </div>
  );
}

function WhatItIsAbout({
  detail,
  report,
}: {
  readonly detail: PackageDetail;
  readonly report: PackageReport | undefined;
}) {
  const { context, expectations, validation_request: asked } = contentOf(detail);
  const pending = (context.decisions ?? []).filter(({ id, status }) => status === 'pending' || id === 'pending');
  return (
    <dl className="flex flex-col gap-3 border-t border-line pt-3">
      <Block title="Summary">
        <Said text={context.summary} />
      </Block>
      {expectations !== undefined && (
        <Block title="Deliverable">
          <Said text={expectations.deliverable} />
        </Block>
      )}
      <Texts title="To validate" texts={asked?.items} />
      <Texts
        title="To decide"
        texts={pending.map(({ decision, rationale }) => [decision, rationale].filter(Boolean).join('\n'))}
      />
      <Texts
        title="Open questions"
        texts={context.open_questions?.map(({ question, priority }) => `${question} (${priority} priority)`)}
      />
      {(context.artifacts ?? []).length > 0 && (
        <Block title="Artifacts">
          <ArtifactList artifacts={context.artifacts ?? []} report={report} />
        </Block>
      )}
    </dl>
  );
}

const Block = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt className="mb-0.5 text-sm font-semibold text-muted">{visible(title)}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);

const Texts = ({ title, texts = [] }: { readonly title: string; readonly texts: readonly string[] | undefined }) =>
  texts.length === 0 ? null : (
    <Block title={title}>
      <ul className="list-disc pl-5">
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of one revision never change their places
          <li key={index}>
            <Said text={text} />
          </li>
        ))}
      </ul>
    </Block>
  );
