import { Link } from '@tanstack/react-router';
import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import { stateLook } from '../../../contract/words/package-state-words.ts';
import { isPackageId } from '../api/package-queries.ts';
import { Badge } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';

export function PackageState({ of: { state, waiter } }: { readonly of: Pick<PackageRow, 'state' | 'waiter'> }) {
  const { word, tone } = stateLook(state, waiter);
  return <Badge tone={tone}>{word}</Badge>;
}

/** A link to the package; plain text if the id is invalid. */
export const PackageLink = ({ id }: { readonly id: string }) =>
  isPackageId(id) ? (
    <Link to="/packages/$id" params={{ id }} className="whitespace-nowrap text-accent underline underline-offset-2">
      {id}
    </Link>
  ) : (
    <span className="wrap-anywhere">{visible(id)}</span>
  );

export const FromTo = ({ from, to }: Pick<PackageRow, 'from' | 'to'>) => (
  <span className="wrap-anywhere">
    {visible(from)} <span aria-hidden="true">→</span>
    <span className="sr-only">to</span> {visible(to)}
  </span>
);
