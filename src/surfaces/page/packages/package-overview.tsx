import type { ReactNode } from 'react';
import type { PackageDetail } from '../../../contract/packages/package-resources.ts';
import { usePartyNames } from '../api/party-names.ts';
import { Button } from '../parts/button.tsx';
import { Fold } from '../parts/fold.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { Ago, Countdown } from '../parts/time.tsx';
import { Hint } from '../parts/words/hint.tsx';
import { Said } from './content/said.tsx';
import { DecisionStands } from './decide/decision-stands.tsx';
import { PackageActions } from './decide/package-actions.tsx';
import { personActions } from './decide/person-actions.ts';
import { FromTo, PackageLink, PackageState } from './package-state.tsx';
import { partyInWords, waiterInWords } from './package-words.ts';

interface Props {
  readonly detail: PackageDetail;
  /** Moves the focus to the form in which a person answers or decides. Null if the page shows no such form. */
  readonly onAct: (() => void) | null;
}

/** The package's state, its owner, the party that must act, and the actions open to a person. */
export function PackageOverview({ detail, onAct }: Props) {
  const actions = personActions(detail);
  const called = usePartyNames();
  const waiter = waiterInWords(detail, called);
  const act = detail.state === 'clarifying' ? 'Go to question' : 'Go to decision';
  return (
    <Panel className="mb-8 p-4 md:p-5">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1">
        <PackageState of={detail} />
        <FromTo from={detail.from} to={detail.to} />
      </div>
      {waiter !== null && (
        <p className="mb-3 wrap-anywhere">
          Waiting for {visible(waiter)}
          {detail.deadline_at !== null && (
            <>
              {' · '}deadline: <Countdown to={detail.deadline_at} after=" left" />
            </>
          )}
        </p>
      )}
      {detail.held_up !== null && (
        <div className="mb-3 rounded-lg bg-amber-soft px-3 py-2">
          <p className="wrap-anywhere text-amber">{visible(detail.held_up.sentence)}</p>
          <Hint text={detail.held_up.hint} className="wrap-anywhere text-sm text-muted" />
        </div>
      )}
      {detail.cause !== null && (
        <p className="mb-3 rounded-lg bg-red-soft px-3 py-2 text-red">
          <Said text={detail.cause} />
        </p>
      )}
      <DecisionStands detail={detail} />
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-3 text-sm">
        <Fact name="Owner">{visible(partyInWords(detail.owner, detail, called))}</Fact>
        <Fact name="Revision">{detail.revision === 0 ? 'not submitted' : detail.revision}</Fact>
        <Fact name="Created">
          <Ago at={detail.created_at} />
        </Fact>
        {detail.read_at !== null && (
          <Fact name="Read">
            <Ago at={detail.read_at} />
          </Fact>
        )}
        {detail.accepted_at !== null && (
          <Fact name="Accepted">
            <Ago at={detail.accepted_at} />
          </Fact>
        )}
        {detail.outcome !== null && <Fact name="Outcome">{detail.outcome.replaceAll('_', ' ')}</Fact>}
        {detail.superseded_by !== null && (
          <Fact name="Replaced by">
            <PackageLink id={detail.superseded_by} />
          </Fact>
        )}
      </dl>
      {detail.archive !== null && (
        <Fold summary="Archive path" className="mt-2">
          <p className="text-sm">
            <code className="font-mono break-all">{visible(detail.archive)}</code>
          </p>
        </Fold>
      )}
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {onAct !== null && (
          <Button kind="primary" aria-label={`${act}: ${detail.id}`} onClick={onAct}>
            {act}
          </Button>
        )}
        <PackageActions detail={detail} actions={actions} />
      </div>
    </Panel>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
);
