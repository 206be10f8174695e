import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import { stateLook } from '../../../contract/words/package-state-words.ts';
import { isPackageId } from '../api/package-queries.ts';
import { usePartyNames } from '../api/party-names.ts';
import { Badge } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { ToPackage } from '../parts/to.tsx';
import { isOperator } from './package-words.ts';

/**
 * The badge with the state of a package. The badge also tells the operator to decide about the package, or to answer a
 * question about a package that the operator sent.
 */
export function PackageState({
  of: { state, waiter, from },
}: {
  readonly of: Pick<PackageRow, 'state' | 'waiter' | 'from'>;
}) {
  const { word, tone } = stateLook(state, waiter);
  const isYourAnswer = state === 'clarifying' && waiter === 'sender' && isOperator(from);
  return <Badge tone={tone}>{isYourAnswer ? 'Needs your answer' : word}</Badge>;
}

/** A link to the package; plain text if the id is invalid. */
export const PackageLink = ({ id }: { readonly id: string }) =>
  isPackageId(id) ? (
    <ToPackage id={id} className="whitespace-nowrap text-accent underline underline-offset-2">
      {id}
    </ToPackage>
  ) : (
    <span className="wrap-anywhere">{visible(id)}</span>
  );

/** Sender and receiver by name. The tooltip has the names that the package itself uses. */
export function FromTo({ from, to }: Pick<PackageRow, 'from' | 'to'>) {
  const called = usePartyNames();
  return (
    <span className="wrap-anywhere" title={visible(`${from} → ${to}`)}>
      {visible(called(from))} <span aria-hidden="true">→</span>
      <span className="sr-only">to</span> {visible(called(to))}
    </span>
  );
}
